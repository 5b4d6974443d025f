package eventbus

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"capzone.dev/platform/postgres"
)

const (
	// inboxRetention is longer than FACTS retains messages, so that no message can
	// be delivered after its id was removed.
	inboxRetention = 31 * 24 * time.Hour
	// pruneBatch bounds the rows that one statement deletes.
	pruneBatch = 1000
)

// QueueOnce adds to a transaction's batch that consumer has processed the message
// id. The batch fails with errDuplicate if it had before. The message's effect
// belongs in the same transaction. A concurrent second delivery waits for the
// first one's commit.
func QueueOnce(batch *pgx.Batch, consumer, id string, errDuplicate error) {
	batch.Queue("insert into inbox (consumer, id) values ($1, $2) on conflict do nothing", consumer, id).
		Exec(func(tag pgconn.CommandTag) error {
			if tag.RowsAffected() == 0 {
				return errDuplicate
			}
			return nil
		})
}

// PruneInbox removes the ids of messages that cannot be delivered again, and
// returns how many it removed.
func PruneInbox(ctx context.Context, pool *postgres.Pool) (removed int, err error) {
	const deleteSQL = `
		delete from inbox where (consumer, id) in (
			select consumer, id from inbox
			where received_at < now() - make_interval(secs => $1)
			order by received_at
			limit $2
			for update skip locked)`
	for {
		tag, err := pool.Exec(ctx, deleteSQL, inboxRetention.Seconds(), pruneBatch)
		if err != nil {
			return removed, fmt.Errorf("prune the inbox: %w", err)
		}
		removed += int(tag.RowsAffected())
		if tag.RowsAffected() < pruneBatch {
			return removed, nil
		}
	}
}
