package personaltoken_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/personal"
	platform "capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/postgres"
	"capzone.dev/services/auth/migrations"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

var cloudstep = event.PlayerState{
	ID: "0198c0de-0000-7000-8000-000000000001", Version: 1, Name: "cloudstep", Roles: []string{access.Admin},
	Registered: true,
}

// signer makes readable access tokens.
type signer struct{}

func (signer) SignFor(p event.PlayerState, t personaltoken.Token, expiresAt time.Time) (string, error) {
	return p.Name + " by " + t.Name + " until " + expiresAt.UTC().Format(time.DateTime), nil
}

// bundle is the service with a database and a clock of its own.
type bundle struct {
	*personaltoken.Tokens
	t     *testing.T
	store *postgres.Store
	pool  *platform.Pool

	mu  sync.Mutex
	now time.Time
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{t: t, pool: pgtest.Open(t, "auth", migrations.FS), now: noon}
	b.store = postgres.NewStore(b.pool)
	unknown := func(context.Context, string) (event.PlayerState, error) {
		return event.PlayerState{}, personaltoken.ErrPlayerUnknown
	}
	b.Tokens = &personaltoken.Tokens{
		Store: b.store, Players: lookup.NewPlayers(b.store, unknown), Signer: signer{},
		NewID: uuid.NewString, Now: b.clock,
	}
	b.apply(cloudstep)
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

func (b *bundle) apply(p event.PlayerState) {
	b.t.Helper()
	require.NoError(b.t, b.store.ApplyPlayer(b.t.Context(), p))
}

var (
	actor = access.Player(cloudstep.ID, cloudstep.Name, nil)
	by    = access.Attribution{Actor: actor}
)

// create makes a token of cloudstep for a number of days.
func (b *bundle) create(days int) (raw string, created personaltoken.Token) {
	b.t.Helper()
	raw, created, err := b.tryCreate(days)
	require.NoError(b.t, err)
	return raw, created
}

func (b *bundle) tryCreate(days int) (raw string, created personaltoken.Token, err error) {
	return b.Create(b.t.Context(), by,
		personaltoken.New{Name: "bot", Scopes: []access.Scope{access.ScopeFollows}, Days: days})
}

func (b *bundle) exchange(raw string) (event.ExchangedToken, error) {
	hash := personal.HashOf(raw)
	return b.ExchangeToken(b.t.Context(), event.ExchangeToken{Hash: hash[:]})
}

// wantExchange fails unless the exchange of a token returns an error, or nil.
func (b *bundle) wantExchange(raw string, want error) {
	b.t.Helper()
	if _, err := b.exchange(raw); !errors.Is(err, want) {
		b.t.Errorf("exchange: %v, want %v", err, want)
	}
}

// announced returns the ids of the tokens whose revocation was announced, in order.
func (b *bundle) announced() (ids []string) {
	b.t.Helper()
	for _, m := range outboxtest.All(b.t, b.pool) {
		ids = append(ids, outboxtest.Data[event.TokenRevoked](b.t, m).TokenID)
	}
	return ids
}
