package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

const (
	// firstID is smaller than every id.
	firstID = "00000000-0000-0000-0000-000000000000"
	// batchSize bounds a transaction over many players.
	batchSize = 500
)

// Republish appends the present state of every player to the outbox and returns how many there are.
// Operators use it after a stream was lost.
func (s *Store) Republish(ctx context.Context) (count int, err error) {
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

// republishAfter appends the states of a batch of players. It locks their rows, so that none
// changes before its state is in the outbox.
func (s *Store) republishAfter(ctx context.Context, after string) (last string, n int, err error) {
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
