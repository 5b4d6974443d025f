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
		board, err := lockBoard(ctx, tx, a.Run.MapID, a.Run.PlayerID)
		if err != nil {
			return err
		}
		if board.removed {
			return record.ErrMapRemoved
		}
		if err := claim(ctx, tx, a.Replay); err != nil {
			return err
		}
		standing, err = add(ctx, tx, board, a.Run)
		return err
	})
	if postgres.Violates(err, "runs_replay") || postgres.Violates(err, "runs_moment") {
		twin, err := s.Twin(ctx, a.Run)
		if err != nil {
			return record.Standing{}, err
		}
		return record.Standing{}, a.Run.AgainstTwin(twin)
	}
	return standing, err
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
	Claim(ctx context.Context, tx pgx.Tx) error
}

func claim(ctx context.Context, tx pgx.Tx, replay record.Upload) error {
	upload, ok := replay.(claimer)
	if !ok {
		return fmt.Errorf("replay %s: a %T cannot be claimed", replay.Key(), replay)
	}
	return upload.Claim(ctx, tx)
}

// add keeps, ranks and counts the run under the map's lock, and tells of it.
func add(ctx context.Context, tx pgx.Tx, b board, run record.Run) (record.Standing, error) {
	var (
		batch    = &pgx.Batch{}
		standing record.Standing
		news     news
		best     = run
		players  = 0
	)
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
		best = *b.best
		b.setRuns(batch, b.runs+1)
	}
	news.countRun(batch, run.MapID, run.PlayerID, 1, players)
	batch.Queue(rankSQL, rankArgs(best)).QueryRow(func(row pgx.Row) error { return row.Scan(&standing.Rank) })
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return record.Standing{}, fmt.Errorf("add a run to map %s: %w", run.MapID, err)
	}
	if err := news.tell(ctx, tx); err != nil {
		return record.Standing{}, err
	}
	return standing, outbox.AppendFact(ctx, tx, event.RecordSubmitted{
		RecordID: run.ID, MapID: run.MapID, PlayerID: run.PlayerID, FinishTime: int64(run.FinishTime),
		PersonalBest: standing.PersonalBest, WorldRecord: standing.WorldRecord(), At: run.CreatedAt,
	})
}
