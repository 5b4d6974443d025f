package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/postgres"
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
