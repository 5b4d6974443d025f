package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
)

func TestPool_Commits(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	for _, tt := range []struct {
		name  string
		run   func() error
		token bool
	}{
		{"a transaction", func() error {
			return postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil })
		}, true},
		{"a transaction that is rolled back", func() error {
			return postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return errors.New("refused") })
		}, false},
		{"several transactions before the token is taken", func() error {
			return errors.Join(
				postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil }),
				postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil }))
		}, true},
	} {
		if err := tt.run(); (err == nil) != tt.token {
			t.Errorf("%s: %v", tt.name, err)
		}
		if token := tookCommit(pool); token != tt.token {
			t.Errorf("%s: token %v, want %v", tt.name, token, tt.token)
		}
		if tookCommit(pool) {
			t.Errorf("%s: two tokens", tt.name)
		}
	}
}

func tookCommit(pool *postgres.Pool) bool {
	select {
	case <-pool.Commits():
		return true
	default:
		return false
	}
}

// A request that waited for a connection in vain is told so, and not that it took too long.
func TestInTx_no_free_connection(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	for range pool.Config().MaxConns {
		conn, err := pool.Acquire(t.Context())
		require.NoError(t, err)
		defer conn.Release()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := postgres.InTx(ctx, pool, func(pgx.Tx) error { return nil })
	if !errors.Is(problem.From(err), postgres.ErrUnavailable) {
		t.Errorf("returned %v", err)
	}
}

func TestOpen_times_in_UTC(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	var at time.Time
	require.NoError(t, pool.QueryRow(t.Context(), "select '2026-05-11 18:02:33+02'::timestamptz").Scan(&at))
	if got, want := at.Format(time.RFC3339), "2026-05-11T16:02:33Z"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	cause := errors.New("refused")
	if err := postgres.Wrap(cause, "copy of player %s", "a"); !errors.Is(err, cause) ||
		err.Error() != "copy of player a: refused" {
		t.Errorf("wrapped as %v", err)
	}
	if err := postgres.Wrap(nil, "copy of player %s", "a"); err != nil {
		t.Errorf("no error became %v", err)
	}
}

func TestExecAll(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	_, err := pool.Exec(t.Context(), "create table visits as select n from generate_series(1, 5) as n")
	require.NoError(t, err)
	const deleteSQL = "delete from visits where n in (select n from visits where n > $1 limit 2)"
	if deleted, err := postgres.ExecAll(t.Context(), pool, deleteSQL, 0); deleted != 5 || err != nil {
		t.Errorf("deleted %d, %v, want 5", deleted, err)
	}
	if _, err := postgres.ExecAll(t.Context(), pool, "delete from nothing"); err == nil {
		t.Error("no error of a table that is not there")
	}
}
