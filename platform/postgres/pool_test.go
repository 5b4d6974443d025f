package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
)

func TestAPoolTellsOfItsCommits(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	for _, tt := range []struct {
		name string
		run  func() error
		told bool
	}{
		{"a transaction", func() error {
			return postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil })
		}, true},
		{"a transaction that is rolled back", func() error {
			return postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return errors.New("refused") })
		}, false},
		{"a transaction in two trips", func() error { return inTwoTrips(t, pool, "select 1") }, true},
		{"a transaction in two trips that fails", func() error { return inTwoTrips(t, pool, "select 1/0") }, false},
		{"several of which nobody took notice", func() error {
			return errors.Join(inTwoTrips(t, pool, "select 1"), inTwoTrips(t, pool, "select 2"))
		}, true},
	} {
		if err := tt.run(); (err == nil) != tt.told {
			t.Errorf("%s: %v", tt.name, err)
		}
		if told := tookCommit(pool); told != tt.told {
			t.Errorf("%s: told %v, want %v", tt.name, told, tt.told)
		}
		if tookCommit(pool) {
			t.Errorf("%s is told twice", tt.name)
		}
	}
}

func inTwoTrips(t *testing.T, pool *postgres.Pool, sql string) error {
	t.Helper()
	return postgres.InTwoTrips(t.Context(), pool, batchOf(sql), func() (*pgx.Batch, error) { return &pgx.Batch{}, nil })
}

func tookCommit(pool *postgres.Pool) bool {
	select {
	case <-pool.Commits():
		return true
	default:
		return false
	}
}
