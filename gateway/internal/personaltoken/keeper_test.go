package personaltoken_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/limit"
	"capzone.dev/gateway/internal/personaltoken"
	"capzone.dev/platform/event"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/problem"
)

const (
	// maxInvalidTokens is how many invalid tokens an address may send in a minute.
	maxInvalidTokens = 30
	address          = "198.51.100.1"
)

var discard = slog.New(slog.DiscardHandler)

type exchange func(context.Context, event.ExchangeToken) (event.ExchangedToken, error)

// newKeeper returns a keeper that asks exchange in place of auth.
func newKeeper(t *testing.T, exchange exchange) *personaltoken.Keeper {
	t.Helper()
	server := natstest.Start(t)
	auth, _ := server.Connect()
	natstest.Serve(t, auth, event.ExchangeTokenSubject, exchange)
	gateway, _ := server.Connect()
	limits := limit.New(limit.Config{InvalidTokensPerMinute: maxInvalidTokens}, nil, discard)
	keeper, err := personaltoken.NewKeeper(gateway, limits, discard)
	require.NoError(t, err)
	return keeper
}

func isRateLimited(err error) bool {
	return err != nil && problem.From(err).Kind == problem.KindRateLimited
}

func refuse(context.Context, event.ExchangeToken) (event.ExchangedToken, error) {
	return event.ExchangedToken{}, personal.ErrInvalid
}

// A token counts also where the client leaves before the answer.
func TestKeeper_Exchange_client_that_leaves(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	var leave atomic.Pointer[context.CancelFunc]
	k := newKeeper(t, func(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
		asked.Add(1)
		(*leave.Load())()
		return refuse(ctx, req)
	})
	began := time.Now()
	for range 2 * maxInvalidTokens {
		ctx, cancel := context.WithCancel(t.Context())
		leave.Store(&cancel)
		if _, err := k.Exchange(ctx, address, personal.NewToken()); !errors.Is(err, personal.ErrInvalid) &&
			!isRateLimited(err) {
			t.Error(err)
		}
		cancel()
	}
	if most := maxInvalidTokens + int(time.Since(began)*maxInvalidTokens/time.Minute); int(asked.Load()) > most {
		t.Errorf("auth was asked %d times, want at most %d", asked.Load(), most)
	}
}

// An invalid token that is sent again neither counts again nor is looked up again.
func TestKeeper_Exchange_invalid_again(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	k := newKeeper(t, func(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
		asked.Add(1)
		return refuse(ctx, req)
	})
	raw := personal.NewToken()
	for range 2 * maxInvalidTokens {
		if _, err := k.Exchange(t.Context(), address, raw); !errors.Is(err, personal.ErrInvalid) {
			t.Error(err)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("auth was asked %d times, want once", asked.Load())
	}
}
