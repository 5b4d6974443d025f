package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// ExecAll runs a statement that changes some of many rows until it finds none, and returns how many it has changed. No
// run holds its locks for long.
func ExecAll(ctx context.Context, conn Conn, sql string, args ...any) (changed int, err error) {
	for {
		tag, err := conn.Exec(ctx, sql, args...)
		if err != nil || tag.RowsAffected() == 0 {
			return changed, err
		}
		changed += int(tag.RowsAffected())
	}
}

// PurgeBefore runs each of the statements, which delete some of the rows from before a time (@before), until it finds
// none, and returns how many rows were deleted. Those that another transaction has locked are left to the next call.
func PurgeBefore(ctx context.Context, conn Conn, before time.Time, statements ...string) (purged int, err error) {
	for _, sql := range statements {
		n, err := ExecAll(ctx, conn, sql, pgx.NamedArgs{"before": before})
		purged += n
		if err != nil {
			return purged, fmt.Errorf("purge: %w", err)
		}
	}
	return purged, nil
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

// CollectBy returns the rows of a query by a key of each, read by scan.
func CollectBy[K comparable, T any](
	ctx context.Context, conn Conn, key func(T) K, scan pgx.RowToFunc[T], sql string, args ...any,
) (map[K]T, error) {
	rows, err := Collect(ctx, conn, scan, sql, args...)
	byKey := make(map[K]T, len(rows))
	for _, row := range rows {
		byKey[key(row)] = row
	}
	return byKey, err
}

// CollectMap returns the rows of a query, which have a key and a value each.
func CollectMap[K comparable, V any](ctx context.Context, conn Conn, sql string, args ...any) (map[K]V, error) {
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return scanMap[K, V](rows)
}

func scanMap[K comparable, V any](rows pgx.Rows) (map[K]V, error) {
	all := map[K]V{}
	var key K
	var value V
	_, err := pgx.ForEachRow(rows, []any{&key, &value}, func() error {
		all[key] = value
		return nil
	})
	return all, err
}

// Column returns a value of each row, as an array that a statement unnests.
func Column[T, V any](rows []T, value func(T) V) []V {
	column := make([]V, len(rows))
	for i, row := range rows {
		column[i] = value(row)
	}
	return column
}

// ExecBatch runs statements with the same arguments in one round trip.
func ExecBatch(ctx context.Context, conn Conn, args pgx.NamedArgs, statements ...string) error {
	batch := &pgx.Batch{}
	for _, sql := range statements {
		batch.Queue(sql, args)
	}
	return conn.SendBatch(ctx, batch).Close()
}

// QueueRow adds a query to a batch, whose only row is scanned to targets.
func QueueRow(batch *pgx.Batch, sql string, args pgx.NamedArgs, targets ...any) {
	batch.Queue(sql, args).QueryRow(func(row pgx.Row) error { return row.Scan(targets...) })
}

// QueueRows adds a query to a batch, whose rows are read by scan into a list.
func QueueRows[T any](batch *pgx.Batch, into *[]T, scan pgx.RowToFunc[T], sql string, args pgx.NamedArgs) {
	batch.Queue(sql, args).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, scan)
		return err
	})
}

// QueueMap adds a query to a batch, whose rows of a key and a value are read into a map.
func QueueMap[K comparable, V any](batch *pgx.Batch, into *map[K]V, sql string, args pgx.NamedArgs) {
	batch.Queue(sql, args).Query(func(rows pgx.Rows) (err error) {
		*into, err = scanMap[K, V](rows)
		return err
	})
}
