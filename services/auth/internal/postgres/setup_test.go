package postgres_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/migrations"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// setup returns the store of an empty database.
func setup(t *testing.T) *postgres.Store {
	t.Helper()
	return postgres.NewStore(pgtest.Open(t, "auth", migrations.FS))
}

func newPlayer() event.PlayerState {
	return event.PlayerState{ID: newID(), Version: 1, Name: "cloudstep", Roles: []string{}, Registered: true}
}

// start begins a session and returns its first token.
func start(t *testing.T, s *postgres.Store, p event.PlayerState) session.Token {
	t.Helper()
	token := tokenAt(noon)
	require.NoError(t, s.Start(t.Context(), session.Family{ID: newID(), PlayerID: p.ID}, token, p))
	return token
}

// isRevoked reports whether the family of a token is revoked.
func isRevoked(t *testing.T, s *postgres.Store, token session.Token) bool {
	t.Helper()
	family, err := s.Family(t.Context(), token.Hash)
	require.NoError(t, err)
	isLive, err := s.IsLive(t.Context(), family.ID, noon)
	require.NoError(t, err)
	return !isLive
}

func apply(t *testing.T, s *postgres.Store, p event.PlayerState) {
	t.Helper()
	if err := s.ApplyPlayer(t.Context(), p); err != nil {
		t.Error(err)
	}
}

var tokens atomic.Int64

func tokenAt(at time.Time) session.Token {
	var hash session.Hash
	copy(hash[:], fmt.Sprint("token ", tokens.Add(1)))
	return session.Token{Hash: hash, CreatedAt: at, ExpiresAt: at.Add(session.Lifetime)}
}

func newID() string { return uuid.NewString() }
