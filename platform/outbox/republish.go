package outbox

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// republishBatch is the number of states that one transaction appends.
const republishBatch = 500

// Republish appends the states that a statement selects to the outbox, for a stream that was lost or restored. It
// returns how many there are. The statement selects at most @limit rows whose ids are above @after, in the order of
// their ids, and locks them for share, so that none changes before its state is in the outbox.
func Republish[S event.State](
	ctx context.Context, db postgres.DB, sql string, state pgx.RowToFunc[S],
) (count int, err error) {
	for after := uuid.Nil.String(); ; {
		var states []S
		err := db.InTx(ctx, func(tx pgx.Tx) error {
			rows, err := tx.Query(ctx, sql, pgx.NamedArgs{"after": after, "limit": republishBatch})
			if err != nil {
				return err
			}
			if states, err = pgx.CollectRows(rows, state); err != nil {
				return err
			}
			events := make([]Event, len(states))
			for i, s := range states {
				events[i] = s
			}
			return Append(ctx, tx, events...)
		})
		if err != nil {
			return count, fmt.Errorf("republish: %w", err)
		}
		if len(states) == 0 {
			return count, nil
		}
		count += len(states)
		last := states[len(states)-1].Subject()
		after = last[strings.LastIndexByte(last, '.')+1:]
	}
}
