package pgtest_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
)

func TestDatabase(t *testing.T) {
	var migrations atomic.Int32
	migrate := func(ctx context.Context, url string) error {
		migrations.Add(1)
		return run(ctx, url, `CREATE TABLE players (name text PRIMARY KEY)`)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			url := pgtest.Database(t, "players", migrate)
			// The second insertion of one name into one database would fail.
			if err := run(t.Context(), url, `INSERT INTO players VALUES ('cloudstep')`); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := migrations.Load(); got != 1 {
		t.Errorf("migrated %d times, want once", got)
	}
}

func TestDatabase_is_dropped_with_open_connections(t *testing.T) {
	var url string
	var left *pgx.Conn
	t.Run("a test that leaves a connection open", func(t *testing.T) {
		url = pgtest.Database(t, "empty", nothing)
		conn, err := pgx.Connect(t.Context(), url)
		require.NoError(t, err)
		left = conn
	})
	if left == nil {
		t.FailNow()
	}
	defer left.Close(t.Context())
	if err := run(t.Context(), url, `SELECT 1`); err == nil {
		t.Error("the database is still there")
	}
}

func TestDatabase_failed_migration(t *testing.T) {
	refused := errors.New("refused")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		pgtest.Database(expectFatal{t}, "broken", func(context.Context, string) error { return refused })
		t.Error("a database was given out")
	}()
	<-ended
	url := pgtest.Database(t, "empty", nothing)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var left int
	const countSQL = `SELECT count(*) FROM pg_database WHERE datname LIKE 'capzone\_template\_broken\_%'`
	err = conn.QueryRow(t.Context(), countSQL).Scan(&left)
	require.NoError(t, err)
	if left != 0 {
		t.Errorf("%d half-made templates are left", left)
	}
}

// expectFatal is a test that is meant to fail: its end is only that of its goroutine.
type expectFatal struct{ testing.TB }

func (e expectFatal) Fatalf(format string, arguments ...any) {
	e.Logf("as expected: "+format, arguments...)
	runtime.Goexit()
}

func nothing(context.Context, string) error { return nil }

func run(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, sql)
	return err
}
