package postgres_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/session"
)

func TestStore_PurgeSessions(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first := start(t, s, newPlayer())
	second := tokenAt(noon.Add(time.Hour))
	exchange(t, s, first, second)
	for range 5 {
		exchange(t, s, first, tokenAt(noon)) // within the grace
	}
	purge := func(at time.Time) int {
		t.Helper()
		purged, err := s.PurgeSessions(t.Context(), at)
		require.NoError(t, err)
		return purged
	}
	if purged := purge(first.ExpiresAt); purged != 0 {
		t.Errorf("%d were deleted before they expired", purged)
	}
	if purged := purge(first.ExpiresAt.Add(time.Minute)); purged != 6 || !known(t, s, second) {
		t.Errorf("%d were deleted, want the 6 tokens that have expired", purged)
	}
	if purged := purge(second.ExpiresAt.Add(time.Minute)); purged != 2 || known(t, s, second) {
		t.Errorf("%d were deleted, want the last token and its family", purged)
	}
}

// exchange exchanges a presented token for the next one at noon.
func exchange(t *testing.T, s *postgres.Store, presented, next session.Token) {
	t.Helper()
	exchanged, err := s.Exchange(t.Context(), presented.Hash, next, noon)
	require.NoError(t, err)
	require.NoError(t, exchanged.Refusal)
}

func known(t *testing.T, s *postgres.Store, token session.Token) bool {
	t.Helper()
	_, err := s.Family(t.Context(), token.Hash)
	if err != nil && !errors.Is(err, session.ErrInvalid) {
		t.Fatal(err)
	}
	return err == nil
}
