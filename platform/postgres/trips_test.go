package postgres_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
)

func batchOf(statements ...string) *pgx.Batch {
	batch := &pgx.Batch{}
	for _, sql := range statements {
		batch.Queue(sql)
	}
	return batch
}

// numbers returns a pool of one connection, and what a table of its database holds.
func numbers(t *testing.T) (pool *postgres.Pool, kept func() int) {
	t.Helper()
	cfg := pgtest.OpenPlatform(t).Config()
	cfg.MaxConns = 1
	one, err := pgxpool.NewWithConfig(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(one.Close)
	pool = postgres.NewPool(one)
	if _, err := pool.Exec(t.Context(), "create table numbers (n int primary key deferrable initially deferred)"); err != nil {
		t.Fatal(err)
	}
	return pool, func() (count int) {
		if err := pool.QueryRow(t.Context(), "select count(*) from numbers").Scan(&count); err != nil {
			t.Fatal(err)
		}
		return count
	}
}

func TestATransactionOfTwoTripsIsKeptWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	one := func() *pgx.Batch { return batchOf("insert into numbers values (1)") }
	for name, c := range map[string]struct {
		first *pgx.Batch
		last  func() (*pgx.Batch, error)
		kept  int
		check func(error) bool
	}{
		"kept":                      {one(), func() (*pgx.Batch, error) { return batchOf("insert into numbers values (2)"), nil }, 2, func(err error) bool { return err == nil }},
		"nothing more to do":        {one(), func() (*pgx.Batch, error) { return &pgx.Batch{}, nil }, 1, func(err error) bool { return err == nil }},
		"the first trip fails":      {batchOf("insert into numbers values (1)", "select 1/0"), nil, 0, failsWith("22012")},
		"refused between the trips": {one(), func() (*pgx.Batch, error) { return nil, refused }, 0, func(err error) bool { return errors.Is(err, refused) }},
		"the second trip fails": {
			one(), func() (*pgx.Batch, error) { return batchOf("insert into numbers values (2)", "select 1/0"), nil }, 0, failsWith("22012"),
		},
		"the commit fails": {one(), func() (*pgx.Batch, error) { return one(), nil }, 0, failsWith("23505")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, kept := numbers(t)
			if err := postgres.InTwoTrips(t.Context(), pool, c.first, c.last); !c.check(err) {
				t.Errorf("got %v", err)
			}
			if got := kept(); got != c.kept { // on the same connection: nothing is left open
				t.Errorf("%d rows are kept, want %d", got, c.kept)
			}
		})
	}
}

func failsWith(code string) func(error) bool {
	return func(err error) bool {
		var said *pgconn.PgError
		return errors.As(err, &said) && said.Code == code
	}
}

func TestATransactionOfTwoTripsEndsWithItsContext(t *testing.T) {
	t.Parallel()
	pool, kept := numbers(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := postgres.InTwoTrips(ctx, pool, batchOf("insert into numbers values (1)"), func() (*pgx.Batch, error) {
		cancel()
		return &pgx.Batch{}, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got := kept(); got != 0 {
		t.Errorf("%d rows are kept", got)
	}
}
