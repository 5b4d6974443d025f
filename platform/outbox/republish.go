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
// their ids, and locks them for share, so that none changes before its state is in the outbox. It selects only from the
// rows that it locks: after a wait for a lock PostgreSQL reads these anew, and no others.
func Republish[S event.State](
	ctx context.Context, db postgres.DB, sql string, state pgx.RowToFunc[S],
) (count int, err error) {
	return RepublishPages(ctx, db, func(ctx context.Context, tx pgx.Tx, page pgx.NamedArgs) ([]S, error) {
		return postgres.Collect(ctx, tx, state, sql, page)
	})
}

// RepublishPages is Republish for states of several tables. selectPage locks the rows in one statement, by the
// arguments @after and @limit of page, and reads the states in another one, which sees what was committed before the
// locks.
func RepublishPages[S event.State](
	ctx context.Context, db postgres.DB,
	selectPage func(ctx context.Context, tx pgx.Tx, page pgx.NamedArgs) ([]S, error),
) (count int, err error) {
	for after := uuid.Nil.String(); ; {
		var states []S
		err := db.InTx(ctx, func(tx pgx.Tx) (err error) {
			states, err = selectPage(ctx, tx, pgx.NamedArgs{"after": after, "limit": republishBatch})
			if err != nil {
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
