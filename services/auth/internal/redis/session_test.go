package redis_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/redisclient"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/redis"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func connect(t *testing.T) *goredis.Client {
	t.Helper()
	client, err := redisclient.Connect(redistest.Start(t), redis.Timeout, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// storeAt returns a store whose clock stands still.
func storeAt(client *goredis.Client, now time.Time) *redis.Store {
	return redis.NewStore(client, 20, func() time.Time { return now })
}

func session() login.Session {
	return login.Session{
		ID: "s1", Browser: []byte{1, 2, 3}, Address: "192.0.2.1", OpeningAt: noon,
		Room:  login.Room{Bot: "b1", ID: "r1", Link: "https://game.test/r1"},
		State: login.CodeProvided, Reason: login.CodeDelivered, CreatedAt: noon, ExpiresAt: noon.Add(login.Lifetime),
		Seen:          []event.Visitor{{Visit: 1, Name: "Guest", Guest: true}, {Visit: 2, Name: "cloudstep"}},
		GuestNotified: 1,
		Code:          &login.Code{MAC: []byte{4, 5}, Owner: event.Visitor{Visit: 2, Name: "cloudstep"}},
		Tries:         3,
	}
}

func TestStore_Create_round_trip(t *testing.T) {
	t.Parallel()
	sessions := storeAt(connect(t), noon)
	for _, want := range []login.Session{session(), {ID: "s2", State: login.Pending, CreatedAt: noon,
		ExpiresAt: noon.Add(time.Minute)}} {
		require.NoError(t, sessions.Create(t.Context(), want))
		got, err := sessions.Get(t.Context(), want.ID)
		require.NoError(t, err)
		assert.Equal(t, "read", want, got)
	}
}

func TestStore_sessions_expire(t *testing.T) {
	t.Parallel()
	t.Run("by its own clock", func(t *testing.T) {
		t.Parallel()
		now := noon
		sessions := redis.NewStore(connect(t), 20, func() time.Time { return now })
		require.NoError(t, sessions.Create(t.Context(), session()))
		now = noon.Add(login.Lifetime + login.StatusRetention - time.Second)
		if _, err := sessions.Get(t.Context(), "s1"); err != nil {
			t.Errorf("until then: %v", err)
		}
		now = now.Add(time.Second)
		if _, err := sessions.Get(t.Context(), "s1"); !errors.Is(err, login.ErrSessionUnknown) {
			t.Errorf("error %v, want %v", err, login.ErrSessionUnknown)
		}
	})
	t.Run("by the server", func(t *testing.T) {
		t.Parallel()
		url := redistest.Start(t)
		client := redistest.Connect(t, url)
		sessions := storeAt(client, noon)
		require.NoError(t, sessions.Create(t.Context(), session()))
		prolong := func(s *login.Session) error { s.ExpiresAt = s.ExpiresAt.Add(time.Minute); return nil }
		_, err := sessions.Change(t.Context(), "s1", prolong)
		require.NoError(t, err)
		redistest.FastForward(t, url, login.Lifetime+login.StatusRetention)
		if keys := client.Keys(t.Context(), "*").Val(); len(keys) != 1 {
			t.Errorf("the server keeps %v of a prolonged session", keys)
		}
		redistest.FastForward(t, url, time.Minute)
		if keys := client.Keys(t.Context(), "*").Val(); len(keys) != 0 {
			t.Errorf("the server still keeps %v", keys)
		}
	})
}

func TestStore_Change_concurrently(t *testing.T) {
	t.Parallel()
	client := connect(t)
	sessions := storeAt(client, noon)
	require.NoError(t, sessions.Create(t.Context(), session()))
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			if _, err := sessions.Change(t.Context(), "s1",
				func(s *login.Session) error { s.Tries++; return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := sessions.Get(t.Context(), "s1")
	if err != nil || got.Tries != 3+40 {
		t.Errorf("%d tries, %v, want 43", got.Tries, err)
	}
}

func TestStore_Redis_down(t *testing.T) {
	t.Parallel()
	client, err := redisclient.Connect("redis://127.0.0.1:1/0", redis.Timeout, nil)
	require.NoError(t, err)
	sessions := storeAt(client, noon)
	for name, attempt := range map[string]func(ctx context.Context) error{
		"create": func(ctx context.Context) error { return sessions.Create(ctx, session()) },
		"get":    func(ctx context.Context) error { _, err := sessions.Get(ctx, "s1"); return err },
		"change": func(ctx context.Context) error {
			_, err := sessions.Change(ctx, "s1", func(*login.Session) error { return nil })
			return err
		},
		"check": func(ctx context.Context) error { return sessions.Check(ctx, "192.0.2.1") },
		"count": func(ctx context.Context) error { return sessions.Count(ctx, "192.0.2.1") },
		"touch": func(ctx context.Context) error {
			_, err := sessions.Touch(ctx, "192.0.2.1", "s1", 9, noon)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // each waits for the client to give up
			if err := attempt(t.Context()); !errors.Is(err, login.ErrStoreUnavailable) {
				t.Errorf("error %v, want %v", err, login.ErrStoreUnavailable)
			}
		})
	}
}
