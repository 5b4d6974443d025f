package postgres_test

import (
	"context"
	"log/slog"
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

type signer struct{}

func (signer) Sign(p event.PlayerState, _ string) (string, error) { return p.Name, nil }

// copies answers from the copies alone.
type copies struct{ store *postgres.Store }

func (c copies) Get(ctx context.Context, id string) (event.PlayerState, error) {
	return c.store.Player(ctx, id)
}

// Some players log in once, others refresh all the time.
func TestService_Sweep_keeps_tables_bounded(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, "auth", migrations.FS)
	store := postgres.NewStore(pool)
	now := time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)
	sessions := &session.Service{
		Families: store, Players: copies{store}, Signer: signer{},
		NewID: uuid.NewString, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
	}
	login := func() (refreshToken string) {
		t.Helper()
		grant, err := sessions.Start(t.Context(), event.PlayerState{ID: uuid.NewString(), Version: 1, Name: "cloudstep",
			Registered: true})
		require.NoError(t, err)
		return grant.RefreshToken
	}
	always := login()
	pgtest.WantBounded(t, pool, func() {
		for range 20 {
			login()
		}
		const refreshes = 20
		for range refreshes {
			now = now.Add(session.Lifetime * 6 / 10 / refreshes)
			grant, err := sessions.Refresh(t.Context(), always)
			require.NoError(t, err)
			always = grant.RefreshToken
		}
		_, err := sessions.Sweep(t.Context())
		require.NoError(t, err)
	}, "families", "refresh_tokens")
}
