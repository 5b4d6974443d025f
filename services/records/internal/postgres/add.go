package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Add implements record.Runs. The unique constraints of runs decide between
// twins that come at once.
func (s *Records) Add(ctx context.Context, a record.Addition) (record.Standing, error) {
	var standing record.Standing
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := receive(ctx, tx, a.Delivery); err != nil {
			return err
		}
		claim, err := claimOf(a.Replay)
		if err != nil {
			return err
		}
		// The rank that the run would have; what it may replace comes after it.
		queueRank := func(batch *pgx.Batch) {
			batch.Queue(rankSQL, rankArgs(a.Run)).QueryRow(func(row pgx.Row) error { return row.Scan(&standing.Rank) })
		}
		board, err := lockBoard(ctx, tx, a.Run.MapID, a.Run.PlayerID, claim.QueueClaim, queueRank)
		if err != nil {
			return err
		}
		switch {
		case board.removed:
			return record.ErrMapRemoved
		case board.merged:
			return record.ErrPlayerMerged
		}
		return add(ctx, tx, board, a.Run, &standing)
	})
	if postgres.Violates(err, "runs_replay") || postgres.Violates(err, "runs_moment") {
		twin, err := s.Twin(ctx, a.Run)
		if err != nil {
			return record.Standing{}, err
		}
		return record.Standing{}, a.Run.AgainstTwin(twin)
	}
	if err != nil {
		return record.Standing{}, err
	}
	return standing, nil
}

// receive notes the message in the inbox. Returns record.ErrDelivered where it
// is there.
func receive(ctx context.Context, tx pgx.Tx, d record.Delivery) error {
	if d == (record.Delivery{}) {
		return nil
	}
	first, err := eventbus.Once(ctx, tx, d.Consumer, d.ID)
	if err == nil && !first {
		return record.ErrDelivered
	}
	return err
}

// claimer is how object storage settles an upload (objectstore.Upload).
type claimer interface {
	QueueClaim(batch *pgx.Batch)
}

func claimOf(replay record.Upload) (claimer, error) {
	upload, ok := replay.(claimer)
	if !ok {
		return nil, fmt.Errorf("replay %s: a %T cannot be claimed", replay.Key(), replay)
	}
	return upload, nil
}

// add keeps, ranks and counts the run under the map's lock, and tells of it, in
// one round trip. The standing has the rank that the run has if it is the best.
func add(ctx context.Context, tx pgx.Tx, b board, run record.Run, standing *record.Standing) error {
	batch := &pgx.Batch{}
	players := 0
	batch.Queue(`
		insert into runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
		values (@id, @map, @player, @time, @stamp, @hash, @created)`,
		pgx.NamedArgs{
			"id": run.ID, "map": run.MapID, "player": run.PlayerID,
			"time": run.FinishTime, "stamp": run.FinishTimeStamp, "hash": run.ReplayHash, "created": run.CreatedAt,
		})
	switch {
	case b.best == nil:
		standing.PersonalBest = true
		players = 1
		b.setBest(batch, &run, 1)
	case run.Beats(*b.best):
		standing.PersonalBest = true
		standing.PreviousBest = b.best.FinishTime
		b.setBest(batch, &run, b.runs+1)
	default:
		standing.PreviousBest = b.best.FinishTime
		b.setRuns(batch, b.runs+1)
		batch.Queue(rankSQL, rankArgs(*b.best)).QueryRow(func(row pgx.Row) error { return row.Scan(&standing.Rank) })
	}
	if err := b.countRun(ctx, batch, 1, players); err != nil {
		return err
	}
	err := outbox.QueueFact(ctx, batch, event.RecordSubmitted{
		RecordID: run.ID, MapID: run.MapID, PlayerID: run.PlayerID, FinishTime: int64(run.FinishTime),
		PersonalBest: standing.PersonalBest, WorldRecord: standing.WorldRecord(), At: run.CreatedAt,
	})
	if err != nil {
		return err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("add a run to map %s: %w", run.MapID, err)
	}
	return nil
}
