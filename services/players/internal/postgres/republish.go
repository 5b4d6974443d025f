package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

const (
	// firstID is before every id.
	firstID = "00000000-0000-0000-0000-000000000000"
	// batchSize bounds a transaction over many players.
	batchSize = 500
)

// Republish puts the present state of every player into the outbox, for a
// stream that was lost or restored, and returns how many there are.
func (s *Players) Republish(ctx context.Context) (count int, err error) {
	for after := firstID; ; {
		last, n, err := s.republishAfter(ctx, after)
		if err != nil || n == 0 {
			return count, err
		}
		after = last
		count += n
	}
}

const republishSQL = `select ` + columns + ` from players where id > $1 order by id limit $2 for share`

// republishAfter locks the players that it tells of, so that none of them
// changes before its state is in the outbox.
func (s *Players) republishAfter(ctx context.Context, after string) (last string, n int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, republishSQL, after, batchSize)
		if err != nil {
			return fmt.Errorf("read players: %w", err)
		}
		players, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
		if err != nil {
			return fmt.Errorf("read players: %w", err)
		}
		states := make([]outbox.Event, 0, len(players))
		for _, r := range players {
			states = append(states, r.player().State())
			last = r.ID
		}
		n = len(players)
		return outbox.Append(ctx, tx, states...)
	})
	return last, n, err
}
