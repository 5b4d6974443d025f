package login_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/services/auth/internal/login"
)

func TestLogins_Request_reload(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.clock.Pass(time.Minute)
	again, err := b.Request(t.Context(), b.ticket.Key, "192.0.2.1")
	require.NoError(t, err)
	want := b.ticket
	want.RemainingLifetime -= time.Minute
	want.KeyTTL -= time.Minute
	if again != want || b.bot.opened != 1 {
		t.Errorf("after a reload %+v and %d rooms, want %+v and one", again, b.bot.opened, want)
	}
}

func TestLogins_Request_new_room(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// held is what the browser's cookie says.
		held func(t *testing.T, b *bundle) login.Key
	}{
		{"without a cookie", func(*testing.T, *bundle) login.Key { return login.Key{} }},
		{"with a stranger's session", func(_ *testing.T,
			b *bundle) login.Key {
			return login.Key{SessionID: b.ticket.SessionID, Secret: "guess"}
		}},
		{"with a session long over", func(*testing.T, *bundle) login.Key {
			return login.Key{SessionID: "forgotten",
				Secret: "x"}
		}},
		{"after the time is over", func(_ *testing.T, b *bundle) login.Key {
			b.clock.Pass(login.Lifetime)
			return b.ticket.Key
		}},
		{"after the session has failed", func(t *testing.T, b *bundle) login.Key {
			t.Helper()
			player("cloudstep")(t, b)
			player("mossfoot")(t, b)
			b.deliver(t)
			return b.ticket.Key
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.begin(t)
			held := tt.held(t, b)
			second, err := b.Request(t.Context(), held, "192.0.2.1")
			require.NoError(t, err)
			if second.SessionID == b.ticket.SessionID || second.Key.Secret == b.ticket.Key.Secret || b.bot.opened != 2 {
				t.Errorf("the second request got %+v after %+v, and %d rooms are open", second, b.ticket, b.bot.opened)
			}
		})
	}
}

// useUpRooms counts as many rooms as an address may have in an hour.
func useUpRooms(b *bundle) {
	for range roomsPerHour {
		_ = b.Limiter.Count(context.Background(), "192.0.2.1")
	}
}

func TestLogins_Request_refused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		prepare func(b *bundle)
		want    error
	}{
		{"beyond the limit", useUpRooms, login.ErrTooManyRooms},
		{"without a bot", func(b *bundle) { b.bot.silent = true }, login.ErrNoRoom},
		{"while sessions cannot be kept", func(b *bundle) { b.sessions.unavailable.Store(true) },
			login.ErrStoreUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			tt.prepare(b)
			if _, err := b.Request(t.Context(), login.Key{}, "192.0.2.1"); !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if b.bot.view.Open {
				t.Error("a room is open")
			}
		})
	}
}

func TestLogins_Status(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	for _, tt := range []struct {
		name    string
		session string
		held    login.Key
		want    error
	}{
		{"its own", b.ticket.SessionID, b.ticket.Key, nil},
		{"no cookie", b.ticket.SessionID, login.Key{}, login.ErrNotThisBrowser},
		{"a guessed secret", b.ticket.SessionID, login.Key{SessionID: b.ticket.SessionID, Secret: "guess"},
			login.ErrNotThisBrowser},
		{"the secret of another session", b.ticket.SessionID, login.Key{SessionID: "other",
			Secret: b.ticket.Key.Secret}, login.ErrNotThisBrowser},
		{"an unknown session", "other", b.ticket.Key, login.ErrSessionUnknown},
	} {
		if _, err := b.Status(t.Context(), tt.session, tt.held); !errors.Is(err, tt.want) {
			t.Errorf("%s: error %v, want %v", tt.name, err, tt.want)
		}
		if _, err := b.Verify(t.Context(), tt.session, "123456", tt.held, ""); tt.want != nil &&
			!errors.Is(err, tt.want) {
			t.Errorf("%s: verify: error %v, want %v", tt.name, err, tt.want)
		}
	}
}
