package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// rollbackTimeout is how long a transaction that failed may take to end.
const rollbackTimeout = 5 * time.Second

// errNotCommitted says that the server ended a transaction otherwise than by
// committing it.
var errNotCommitted = errors.New("the transaction was not committed")

// InTwoTrips runs a transaction in two round trips, where InTx takes one each to
// begin and to commit: it begins with the statements of first, and is committed
// with those that then returns, unless anything fails. What locks first has taken
// are so held for as short as can be. The isolation level is read committed. A
// callback of the last statements that fails comes too late to prevent anything.
func InTwoTrips(ctx context.Context, pool *Pool, first *pgx.Batch, then func() (*pgx.Batch, error)) error {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err := twoTrips(ctx, conn, first, then); err != nil {
		rollBack(ctx, conn)
		return err
	}
	pool.committed()
	return nil
}

func twoTrips(ctx context.Context, conn *pgxpool.Conn, first *pgx.Batch, then func() (*pgx.Batch, error)) error {
	begin := &pgx.Batch{}
	begin.Queue("begin")
	begin.QueuedQueries = append(begin.QueuedQueries, first.QueuedQueries...)
	if err := conn.SendBatch(ctx, begin).Close(); err != nil {
		return err
	}
	last, err := then()
	if err != nil {
		return err
	}
	last.Queue("commit").Exec(func(tag pgconn.CommandTag) error {
		if tag.String() != "COMMIT" {
			return errNotCommitted
		}
		return nil
	})
	return conn.SendBatch(ctx, last).Close()
}

// rollBack ends what is left of a transaction. A connection for which that fails
// is closed by the pool.
func rollBack(ctx context.Context, conn *pgxpool.Conn) {
	const idle = 'I'
	if conn.Conn().IsClosed() || conn.Conn().PgConn().TxStatus() == idle {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	_, _ = conn.Exec(ctx, "rollback")
}
