package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Conn runs statements: a pool, a transaction or a DB.
type Conn interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// DB is a service's database. Its changes have a transaction each, or are part of one transaction.
type DB struct {
	// Conn is the pool, or the transaction.
	Conn
	pool *Pool
	tx   pgx.Tx // nil where each change has its own
}

// NewDB returns the database of pool.
func NewDB(pool *Pool) DB { return DB{Conn: pool, pool: pool} }

// In returns the database whose statements and changes are part of tx.
func (db DB) In(tx pgx.Tx) DB { return DB{Conn: tx, pool: db.pool, tx: tx} }

// InTx is the function InTx, or runs fn in a savepoint of the transaction.
func (db DB) InTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	if db.tx != nil {
		return pgx.BeginFunc(ctx, db.tx, fn)
	}
	return InTx(ctx, db.pool, fn)
}

// Collect returns the rows of a query, read by scan.
func Collect[T any](ctx context.Context, conn Conn, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// CollectOne returns the only row of a query, read by scan. It returns pgx.ErrNoRows where there is none.
func CollectOne[T any](ctx context.Context, conn Conn, scan pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		var none T
		return none, err
	}
	return pgx.CollectExactlyOneRow(rows, scan)
}
