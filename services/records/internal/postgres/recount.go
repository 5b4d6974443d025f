package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
)

// RecountBoards counts the stretches and frames of every leaderboard anew. They
// are wrong where a release that did not keep them has ranked runs. Runs are
// handed in meanwhile: a map waits for its own count only.
func (s *Records) RecountBoards(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, `select map_id from map_totals order by map_id`)
	if err != nil {
		return fmt.Errorf("maps with runs: %w", err)
	}
	maps, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("maps with runs: %w", err)
	}
	for _, id := range maps {
		if err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error { return recountBoard(ctx, tx, id) }); err != nil {
			return fmt.Errorf("recount the leaderboard of map %s: %w", id, err)
		}
	}
	return nil
}

func recountBoard(ctx context.Context, tx pgx.Tx, mapID string) error {
	type frame struct{ FinishTime, Players int }
	var frames []frame
	batch := &pgx.Batch{}
	batch.Queue(`set local statement_timeout = 0`)
	lockMap(batch, mapID)
	batch.Queue(`delete from stretches where map_id = $1`, mapID)
	batch.Queue(`delete from frames where map_id = $1`, mapID)
	batch.Queue(`
		insert into frames (map_id, finish_time, players)
		select map_id, finish_time, count(*) from bests where map_id = $1 group by map_id, finish_time
		returning finish_time, players`, mapID).
		Query(func(rows pgx.Rows) (err error) {
			frames, err = pgx.CollectRows(rows, pgx.RowToStructByPos[frame])
			return err
		})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	stretches := map[int]int{}
	for _, f := range frames {
		stretches[stretchOf(f.FinishTime)] += f.Players
	}
	batch = &pgx.Batch{}
	for start, players := range stretches {
		batch.Queue(`insert into stretches (map_id, start, players) values ($1, $2, $3)`, mapID, start, players)
	}
	return tx.SendBatch(ctx, batch).Close()
}
