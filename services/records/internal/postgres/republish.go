package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

const (
	// firstID is before every id.
	firstID = "00000000-0000-0000-0000-000000000000"
	// republishBatch bounds the totals that one transaction tells of.
	republishBatch = 500
)

// The rows are locked, so that none changes before its state is in the outbox.
const (
	mapsAfterSQL = `
		select map_id, version, runs from map_totals
		where map_id > $1 and version > 0 order by map_id limit $2 for share`
	playersAfterSQL = `
		select player_id, version, runs from player_totals
		where player_id > $1 and version > 0 order by player_id limit $2 for share`
)

// Republish puts the present totals of every map and player into the outbox, for
// a stream that was lost or restored, and returns how many there are.
func (s *Records) Republish(ctx context.Context) (count int, err error) {
	maps, err := s.republish(ctx, mapsAfterSQL,
		func(id string, version, runs int64) event.State {
			return event.MapStats{MapID: id, Version: version, Records: runs}
		})
	if err != nil {
		return maps, fmt.Errorf("republish the totals of maps: %w", err)
	}
	players, err := s.republish(ctx, playersAfterSQL,
		func(id string, version, runs int64) event.State {
			return event.PlayerStats{PlayerID: id, Version: version, Records: runs}
		})
	if err != nil {
		return maps + players, fmt.Errorf("republish the totals of players: %w", err)
	}
	return maps + players, nil
}

func (s *Records) republish(ctx context.Context, sql string, state func(id string, version, runs int64) event.State) (count int, err error) {
	type total struct {
		ID            string
		Version, Runs int64
	}
	for after := firstID; ; {
		var totals []total
		err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, sql, after, republishBatch)
			if err != nil {
				return err
			}
			if totals, err = pgx.CollectRows(rows, pgx.RowToStructByPos[total]); err != nil {
				return err
			}
			return outbox.Append(ctx, tx, column(totals, func(t total) outbox.Event { return state(t.ID, t.Version, t.Runs) })...)
		})
		if err != nil || len(totals) == 0 {
			return count, err
		}
		count += len(totals)
		after = totals[len(totals)-1].ID
	}
}
