package postgres_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/webhook"
)

// deliveries returns the ids of all deliveries of a webhook, the oldest first.
func (f fixture) deliveries(tb testing.TB, hook string) (ids []string) {
	tb.Helper()
	all, err := f.Deliveries(tb.Context(), hook)
	require.NoError(tb, err)
	for _, d := range all {
		ids = append([]string{d.ID}, ids...)
	}
	return ids
}

// Uses of a player are counted, whichever webhooks they are of.
func TestStore_CountUse(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for range webhook.MaxUses {
		require.NoError(t, f.CountUse(t.Context(), by(anna), minute(0)))
	}
	if err := f.CountUse(t.Context(), by(anna), minute(0)); !errors.Is(err, webhook.ErrTooOften) {
		t.Errorf("one more: %v", err)
	}
	for player, at := range map[string]time.Time{ben: minute(0), anna: minute(1)} {
		require.NoError(t, f.CountUse(t.Context(), by(player), at))
	}
}
