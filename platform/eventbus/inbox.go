package eventbus

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// keepInbox is longer than the stream of facts keeps its messages, and so
// longer than any of them can be delivered again.
const keepInbox = 31 * 24 * time.Hour

// Once tells whether this is the first time that consumer sees the message id,
// and remembers it in tx. The effect of the message belongs into the same tx.
// A second delivery at the same moment waits for the first one's commit.
func Once(ctx context.Context, tx pgx.Tx, consumer, id string) (bool, error) {
	tag, err := tx.Exec(ctx,
		"insert into inbox (consumer, id) values (@consumer, @id) on conflict do nothing",
		pgx.NamedArgs{"consumer": consumer, "id": id})
	if err != nil {
		return false, fmt.Errorf("inbox of %s: %w", consumer, err)
	}
	return tag.RowsAffected() == 1, nil
}

// PruneInbox forgets, until ctx ends, messages that cannot be delivered again.
func PruneInbox(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	for {
		_, err := pool.Exec(ctx, `
			delete from inbox where (consumer, id) in (
				select consumer, id from inbox
				where received_at < now() - make_interval(secs => $1)
				order by received_at
				limit 1000)`, keepInbox.Seconds())
		if err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "inbox was not pruned", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(10 * time.Minute):
		}
	}
}
