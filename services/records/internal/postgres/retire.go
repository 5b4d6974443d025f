package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

// retireBatch bounds the players whose totals one transaction changes.
const retireBatch = 500

// retire takes the leaderboard of a map that was taken down out of the totals,
// some players at a time. What is left of the leaderboard is what still counts,
// so that it may be cut off and begun again.
func (c *Copies) retire(ctx context.Context, mapID string) error {
	for more := true; more; {
		err := postgres.InTx(ctx, c.pool, func(tx pgx.Tx) (err error) {
			more, err = retireSome(ctx, tx, mapID)
			return err
		})
		if err != nil {
			return fmt.Errorf("take map %s out of the totals: %w", mapID, err)
		}
	}
	return nil
}

func retireSome(ctx context.Context, tx pgx.Tx, mapID string) (more bool, err error) {
	batch := &pgx.Batch{}
	lockMap(batch, mapID)
	batch.Queue(`delete from stretches where map_id = $1`, mapID)
	batch.Queue(`delete from frames where map_id = $1`, mapID)
	var ofMap []outbox.Event
	batch.Queue(`
		update map_totals set version = version + 1, runs = 0, players = 0
		where map_id = $1 and (runs > 0 or players > 0)
		returning version`, mapID).
		Query(func(rows pgx.Rows) error {
			versions, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			for _, version := range versions {
				ofMap = append(ofMap, event.MapStats{MapID: mapID, Version: version})
			}
			return err
		})
	var players []string
	var runs []int64
	batch.Queue(`
		delete from bests
		where map_id = $1 and player_id in (select player_id from bests where map_id = $1 order by player_id limit $2)
		returning player_id, runs`, mapID, retireBatch).
		Query(func(rows pgx.Rows) error {
			var player string
			var n int64
			_, err := pgx.ForEachRow(rows, []any{&player, &n}, func() error {
				players, runs = append(players, player), append(runs, n)
				return nil
			})
			return err
		})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return false, err
	}
	ofPlayers, err := uncount(ctx, tx, players, runs)
	if err != nil {
		return false, err
	}
	return len(players) == retireBatch, outbox.Append(ctx, tx, append(ofMap, ofPlayers...)...)
}

// uncount takes runs out of the totals of players and of the site, and returns
// the players' new totals.
func uncount(ctx context.Context, tx pgx.Tx, players []string, runs []int64) (totals []outbox.Event, err error) {
	if len(players) == 0 {
		return nil, nil
	}
	batch := &pgx.Batch{}
	batch.Queue(`select from player_totals where player_id = any ($1) order by player_id for update`, players)
	batch.Queue(`
		update player_totals t set version = t.version + 1, runs = t.runs - gone.runs
		from unnest($1::uuid[], $2::bigint[]) as gone (player_id, runs)
		where t.player_id = gone.player_id
		returning t.player_id, t.version, t.runs`, players, runs).
		Query(func(rows pgx.Rows) error {
			var s event.PlayerStats
			_, err := pgx.ForEachRow(rows, []any{&s.PlayerID, &s.Version, &s.Records}, func() error {
				totals = append(totals, s)
				return nil
			})
			return err
		})
	sum := int64(0)
	for _, n := range runs {
		sum += n
	}
	countSite(batch, totalRuns, -sum)
	return totals, tx.SendBatch(ctx, batch).Close()
}
