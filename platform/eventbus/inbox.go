package eventbus

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/platform/sweep"
)

const (
	// keepInbox is longer than the stream of facts keeps its messages, and so
	// longer than any of them can be delivered again.
	keepInbox = 31 * 24 * time.Hour
	// pruneBatch bounds how many rows of the inbox one statement deletes.
	pruneBatch = 1000
)

const onceSQL = "insert into inbox (consumer, id) values ($1, $2) on conflict do nothing"

// Once tells whether this is the first time that consumer sees the message id,
// and remembers it in tx. The effect of the message belongs into the same tx.
// A second delivery at the same moment waits for the first one's commit.
func Once(ctx context.Context, tx pgx.Tx, consumer, id string) (bool, error) {
	tag, err := tx.Exec(ctx, onceSQL, consumer, id)
	if err != nil {
		return false, fmt.Errorf("inbox of %s: %w", consumer, err)
	}
	return tag.RowsAffected() == 1, nil
}

// QueueOnce is Once as a part of a batch of the transaction, which fails with
// again where the message was seen before.
func QueueOnce(batch *pgx.Batch, consumer, id string, again error) {
	batch.Queue(onceSQL, consumer, id).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() == 0 {
			return again
		}
		return nil
	})
}

// PruneInbox is the round that forgets the messages that cannot be delivered again.
func PruneInbox(pool *pgxpool.Pool) sweep.Round {
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
