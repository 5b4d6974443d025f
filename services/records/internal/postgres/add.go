package postgres

import (
	"context"
	"fmt"
	"time"

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
		e, err := enter(ctx, tx, a.Run, claim)
		if err != nil {
			return err
		}
		switch {
		case e.removed:
			return record.ErrMapRemoved
		case e.merged:
			return record.ErrPlayerMerged
		}
		return add(ctx, tx, e, a.Run, &standing)
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

// entry is what a new run finds, counted already in the totals of its map and its
// player.
type entry struct {
	board
	// rank is the one that the run would have; what it may replace comes after it.
	rank int64
}

// Each of these counts a run, and locks the row that it counts in.
const (
	countOnMapSQL = `
		insert into map_totals as t (map_id, version, runs, players) values ($1, 1, 1, 0)
		on conflict (map_id) do update set version = t.version + 1, runs = t.runs + 1
		returning version, runs`
	countOfPlayerSQL = `
		insert into player_totals as t (player_id, version, runs) values ($1, 1, 1)
		on conflict (player_id) do update set version = t.version + 1, runs = t.runs + 1
		returning version, runs`
)

// enterSQL sees what was committed while the statement before waited for the map's
// lock. Where the copy of a map was lost, the map stands for all that is known.
const enterSQL = `
	select coalesce((select removed from maps where id = @map), false),
	       coalesce((select merged_into is not null from players where id = @player for share), false),
	       b.run_id, b.finish_time, b.finish_stamp, b.runs, (` + rankSQL + `)
	from (select) one left join bests b on b.map_id = @map and b.player_id = @player`

// enter does what lockBoard does, and counts the run and claims its replay, in one
// round trip with few statements: runs are handed in often.
func enter(ctx context.Context, tx pgx.Tx, run record.Run, claim claimer) (entry, error) {
	e := entry{board: boardOf(run.MapID, run.PlayerID)}
	batch := &pgx.Batch{}
	batch.Queue(countOnMapSQL, run.MapID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&e.ofMap.Version, &e.ofMap.Records) })
	args := rankArgs(run)
	args["player"] = run.PlayerID
	batch.Queue(enterSQL, args).QueryRow(func(row pgx.Row) error {
		var best struct {
			id           *string
			finish, runs *int
			stamp        *time.Time
		}
		err := row.Scan(&e.removed, &e.merged, &best.id, &best.finish, &best.stamp, &best.runs, &e.rank)
		if err == nil && best.id != nil {
			e.best = &record.Run{ID: *best.id, MapID: run.MapID, PlayerID: run.PlayerID, FinishTime: *best.finish, FinishTimeStamp: *best.stamp}
			e.runs = *best.runs
		}
		return err
	})
	batch.Queue(countOfPlayerSQL, run.PlayerID).
		QueryRow(func(row pgx.Row) error { return row.Scan(&e.ofPlayer.Version, &e.ofPlayer.Records) })
	claim.QueueClaim(batch)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return entry{}, fmt.Errorf("enter a run on map %s: %w", run.MapID, err)
	}
	return e, nil
}

// add keeps and ranks the run under the map's lock, and tells of it, in one round
// trip. The standing has the place of the player's best run.
func add(ctx context.Context, tx pgx.Tx, e entry, run record.Run, standing *record.Standing) error {
	batch := &pgx.Batch{}
	batch.Queue(`
		insert into runs (id, map_id, player_id, finish_time, finish_stamp, replay_hash, created_at)
		values (@id, @map, @player, @time, @stamp, @hash, @created)`,
		pgx.NamedArgs{
			"id": run.ID, "map": run.MapID, "player": run.PlayerID,
			"time": run.FinishTime, "stamp": run.FinishTimeStamp, "hash": run.ReplayHash, "created": run.CreatedAt,
		})
	switch {
	case e.best == nil:
		*standing = record.Standing{Rank: e.rank, PersonalBest: true}
		e.setBest(batch, &run, 1)
		batch.Queue(`update map_totals set players = players + 1 where map_id = $1`, run.MapID)
	case run.Beats(*e.best):
		*standing = record.Standing{Rank: e.rank, PersonalBest: true, PreviousBest: e.best.FinishTime}
		e.setBest(batch, &run, e.runs+1)
	default:
		*standing = record.Standing{PreviousBest: e.best.FinishTime}
		e.setRuns(batch, e.runs+1)
		batch.Queue(rankSQL, rankArgs(*e.best)).QueryRow(func(row pgx.Row) error { return row.Scan(&standing.Rank) })
	}
	countSite(batch, totalRuns, 1)
	err := outbox.Queue(ctx, batch, e.ofMap, e.ofPlayer, event.RecordSubmitted{
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
