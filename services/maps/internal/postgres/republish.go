package postgres

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
)

const republishBatch = 500

// Republish puts the present state of every map into the outbox, tombstones
// included, for a stream that was lost or restored. It returns how many there are.
func (s *Store) Republish(ctx context.Context) (count int, err error) {
	after := uuid.Nil.String()
	for {
		last, n, err := s.republishAfter(ctx, after)
		if err != nil || n == 0 {
			return count, err
		}
		after = last
		count += n
	}
}

const republishSQL = "select " + mapColumns + " from maps m where m.id > $1 order by m.id limit $2 for share"

// republishAfter locks the maps that it tells of, so that none of them changes
// before its state is in the outbox.
func (s *Store) republishAfter(ctx context.Context, after string) (last string, n int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, republishSQL, after, republishBatch)
		if err != nil {
			return fmt.Errorf("read maps: %w", err)
		}
		var row mapRow
		states := make([]outbox.Event, 0, republishBatch)
		if _, err := pgx.ForEachRow(rows, row.targets(), func() error {
			states = append(states, row.toMap().State())
			last = row.ID
			return nil
		}); err != nil {
			return fmt.Errorf("read maps: %w", err)
		}
		n = len(states)
		return outbox.Append(ctx, tx, states...)
	})
	return last, n, err
}
