package session_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/internal/session"
	"capzone.dev/services/auth/migrations"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

var cloudstep = event.PlayerState{
	ID: "0198c0de-0000-7000-8000-000000000001", Version: 1, Name: "cloudstep", Level: 70,
	Roles: []string{}, Registered: true,
}

// players stands in for the players service.
type players struct {
	known   map[string]event.PlayerState
	problem error
}

func (p *players) get(_ context.Context, id string) (event.PlayerState, error) {
	if p.problem != nil {
		return event.PlayerState{}, p.problem
	}
	state, ok := p.known[id]
	if !ok {
		return event.PlayerState{}, session.ErrPlayerUnknown
	}
	return state, nil
}

// signer makes readable tokens.
type signer struct{}

func (signer) Sign(p event.PlayerState, _ string) (string, error) {
	return fmt.Sprint(p.Name, p.Roles), nil
}

// bundle is the service with a database and a clock of its own.
type bundle struct {
	*session.Sessions
	store   *postgres.Store
	pool    *platform.Pool
	players *players

	mu  sync.Mutex
	now time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{pool: pgtest.Open(t, "auth", migrations.FS), players: &players{}, now: noon}
	b.store = postgres.NewStore(b.pool)
	b.Sessions = &session.Sessions{
		Families: b.store, Signer: signer{},
		NewID: uuid.NewString, Now: b.clock, Log: slog.New(slog.DiscardHandler),
	}
	b.Players = lookup.NewPlayers(b.store, b.players.get)
	return b
}

func (b *bundle) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

// pass moves the clock.
func (b *bundle) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

// login starts a session of cloudstep and returns its refresh token.
func (b *bundle) login(t *testing.T) string {
	t.Helper()
	grant, err := b.Start(t.Context(), cloudstep)
	require.NoError(t, err)
	return grant.RefreshToken
}

// refresh returns the next refresh token.
func (b *bundle) refresh(t *testing.T, presented string) string {
	t.Helper()
	grant, err := b.Refresh(t.Context(), presented)
	if err != nil {
		t.Errorf("refresh: %v", err)
	}
	return grant.RefreshToken
}
