package service

import (
	"errors"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/postgres"
)

func TestExclusively(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	nothing := func() error { return nil }
	err := exclusively(t.Context(), pool, func() error {
		if err := exclusively(t.Context(), pool, nothing); !errors.Is(err, errRebuilding) {
			t.Errorf("meanwhile: %v", err)
		}
		return nil
	})
	require.NoError(t, err)
	if err := exclusively(t.Context(), pool, nothing); err != nil {
		t.Errorf("right afterwards: %v", err)
	}
}

// A rebuild takes minutes, and a deployment ends transactions that are idle for one.
func TestExclusively_idle_longer_than_a_transaction_may(t *testing.T) {
	t.Parallel()
	config := pgtest.OpenPlatform(t).Config().ConnString()
	pool, err := postgres.Open(t.Context(), config+"&idle_in_transaction_session_timeout=1")
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	err = exclusively(t.Context(), pool, func() error {
		// A transaction that idles has been ended once another statement finds none.
		idle, err := pool.Begin(t.Context())
		if err != nil {
			return err
		}
		eventually.WaitFor(t, "the end of an idle transaction", func() bool {
			return idle.Conn().Ping(t.Context()) != nil
		})
		_ = idle.Rollback(t.Context())
		if err := exclusively(t.Context(), pool, func() error { return nil }); !errors.Is(err, errRebuilding) {
			t.Errorf("meanwhile: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
