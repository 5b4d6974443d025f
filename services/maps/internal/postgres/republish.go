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

// The maps are locked, so that none changes before its state is in the outbox.
const republishSQL = `
	select ` + mapColumns + ` from maps m
	where m.id > @after
	order by m.id limit @limit
	for share`

// Republish appends the state of every map to the outbox, tombstones included, for a stream
// that was lost or restored. It returns the number of maps.
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

func (s *Store) republishAfter(ctx context.Context, after string) (last string, n int, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, republishSQL, pgx.NamedArgs{"after": after, "limit": republishBatch})
		if err != nil {
			return fmt.Errorf("read maps: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[mapRow])
		if err != nil || len(found) == 0 {
			return err
		}
		states := make([]outbox.Event, len(found))
		for i, row := range found {
			states[i] = row.toMap().State()
		}
		last, n = found[len(found)-1].ID, len(found)
		return outbox.Append(ctx, tx, states...)
	})
	return last, n, err
}
