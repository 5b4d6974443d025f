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
	// republishBatch is how many totals one transaction appends.
	republishBatch = 500
)

// The rows are locked, so that none changes before its state is in the outbox.
const (
	mapTotalsAfterSQL = `
		select map_id, version, records from map_totals
		where map_id > $1 and version > 0 order by map_id limit $2 for share`
	playerTotalsAfterSQL = `
		select player_id, version, records from player_totals
		where player_id > $1 and version > 0 order by player_id limit $2 for share`
)

// Republish appends the totals of every map and player to the outbox, for a stream that was
// lost or restored, and returns how many there are.
func (s *Store) Republish(ctx context.Context) (count int, err error) {
	maps, err := s.republish(ctx, mapTotalsAfterSQL, func(t total) outbox.Event {
		return event.MapStats{MapID: t.ID, Version: t.Version, Records: t.Records}
	})
	if err != nil {
		return maps, fmt.Errorf("republish the totals of maps: %w", err)
	}
	players, err := s.republish(ctx, playerTotalsAfterSQL, func(t total) outbox.Event {
		return event.PlayerStats{PlayerID: t.ID, Version: t.Version, Records: t.Records}
	})
	if err != nil {
		return maps + players, fmt.Errorf("republish the totals of players: %w", err)
	}
	return maps + players, nil
}

// total is a row of map_totals or player_totals.
type total struct {
	ID               string
	Version, Records int64
}

func (s *Store) republish(ctx context.Context, sql string, state func(total) outbox.Event) (count int, err error) {
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
			events := make([]outbox.Event, len(totals))
			for i, t := range totals {
				events[i] = state(t)
			}
			return outbox.Append(ctx, tx, events...)
		})
		if err != nil || len(totals) == 0 {
			return count, err
		}
		count += len(totals)
		after = totals[len(totals)-1].ID
	}
}
