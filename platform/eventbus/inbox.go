package eventbus

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/postgres"
	"capzone.dev/platform/sweep"
)

const (
	// keepInbox is longer than the stream of facts keeps its messages, and so
	// longer than any of them can be delivered again.
	keepInbox = 31 * 24 * time.Hour
	// pruneBatch bounds how many rows of the inbox one statement deletes.
	pruneBatch = 1000
)

// QueueOnce remembers, as a part of a batch of the transaction, that consumer has
// seen the message id, and fails with again where it was seen before. The effect of
// the message belongs into the same transaction. A second delivery at the same
// moment waits for the first one's commit.
func QueueOnce(batch *pgx.Batch, consumer, id string, again error) {
	batch.Queue("insert into inbox (consumer, id) values ($1, $2) on conflict do nothing", consumer, id).
		Exec(func(tag pgconn.CommandTag) error {
			if tag.RowsAffected() == 0 {
				return again
			}
			return nil
		})
}

// PruneInbox is the round that forgets the messages that cannot be delivered again.
func PruneInbox(pool *postgres.Pool) sweep.Round {
	return sweep.Batches(pruneBatch, func(ctx context.Context) (int, error) {
		tag, err := pool.Exec(ctx, `
			delete from inbox where (consumer, id) in (
				select consumer, id from inbox
				where received_at < now() - make_interval(secs => $1)
				order by received_at
				limit $2
				for update skip locked)`, keepInbox.Seconds(), pruneBatch)
		if err != nil {
			return 0, fmt.Errorf("prune the inbox: %w", err)
		}
		return int(tag.RowsAffected()), nil
	})
}
