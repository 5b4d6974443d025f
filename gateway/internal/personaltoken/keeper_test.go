package personaltoken_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/natstest"
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
	atOnce           = 100
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
	if err != nil {
		t.Fatal(err)
	}
	return keeper
}

// answers are those to tokens of one address.
type answers struct{ granted, invalid, refused int }

// sendAtOnce sends tokens of one address to a keeper, and returns how often auth was asked. Auth answers when all were
// sent.
func sendAtOnce(t *testing.T, newToken func() string, exchange exchange) (got answers, asked int) {
	t.Helper()
	var sent, exchanges atomic.Int64
	allSent := make(chan struct{})
	k := newKeeper(t, func(ctx context.Context, req event.ExchangeToken) (event.ExchangedToken, error) {
		exchanges.Add(1)
		<-allSent
		return exchange(ctx, req)
	})
	var mu sync.Mutex
	var sending sync.WaitGroup
	for range atOnce {
		sending.Go(func() {
			raw := newToken()
			if sent.Add(1) == atOnce {
				close(allSent)
			}
			_, err := k.Exchange(t.Context(), address, raw)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				got.granted++
			case errors.Is(err, personal.ErrInvalid):
				got.invalid++
			case isRateLimited(err):
				got.refused++
			default:
				t.Error(err)
			}
		})
	}
	sending.Wait()
	return got, int(exchanges.Load())
}

func isRateLimited(err error) bool {
	return err != nil && problem.From(err).Kind == problem.KindRateLimited
}

// mostSince returns how many invalid tokens may be looked up in the time since began.
func mostSince(began time.Time) int {
	return maxInvalidTokens + int(time.Since(began)*maxInvalidTokens/time.Minute)
}

func refuse(context.Context, event.ExchangeToken) (event.ExchangedToken, error) {
	return event.ExchangedToken{}, personal.ErrInvalid
}

func grant(context.Context, event.ExchangeToken) (event.ExchangedToken, error) {
	return event.ExchangedToken{
		TokenID: uuid.NewString(), ExpiresAt: time.Now().Add(time.Minute), PersonalExpiresAt: time.Now().Add(time.Hour),
	}, nil
}

// Of invalid tokens that are sent at once as many are looked up as of those that are sent one after the other.
func TestKeeper_Exchange_invalid_at_once(t *testing.T) {
	t.Parallel()
	began := time.Now()
	got, asked := sendAtOnce(t, personal.NewToken, refuse)
	if most := mostSince(began); asked < maxInvalidTokens || asked > most {
		t.Errorf("auth was asked %d times, want at most %d", asked, most)
	}
	if want := (answers{invalid: asked, refused: atOnce - asked}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Valid tokens that are sent at once are accepted, however many they are. One that is sent several times is looked up
// once.
func TestKeeper_Exchange_same_at_once(t *testing.T) {
	t.Parallel()
	if got, asked := sendAtOnce(t, personal.NewToken, grant); got.granted != atOnce || asked != atOnce {
		t.Errorf("auth was asked %d times: %+v", asked, got)
	}
	for name, tt := range map[string]struct {
		exchange exchange
		want     answers
	}{
		"valid":   {grant, answers{granted: atOnce}},
		"invalid": {refuse, answers{invalid: atOnce}},
	} {
		raw := personal.NewToken()
		if got, asked := sendAtOnce(t, func() string { return raw }, tt.exchange); got != tt.want || asked != 1 {
			t.Errorf("%s: auth was asked %d times: %+v", name, asked, got)
		}
	}
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
	if most := mostSince(began); int(asked.Load()) > most {
		t.Errorf("auth was asked %d times, want at most %d", asked.Load(), most)
	}
}
