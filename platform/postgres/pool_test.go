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
		{"several transactions before the token is taken", func() error {
			return errors.Join(
				postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil }),
				postgres.InTx(t.Context(), pool, func(pgx.Tx) error { return nil }))
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

func tookCommit(pool *postgres.Pool) bool {
	select {
	case <-pool.Commits():
		return true
	default:
		return false
	}
}
