package redis_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	goredis "github.com/redis/go-redis/v9"

	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/login"
	"capzone.dev/services/auth/internal/redis"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

func connect(t *testing.T) *goredis.Client {
	t.Helper()
	client, err := redis.Connect(redistest.Start(t), nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// storeAt returns a store whose clock stands still.
func storeAt(client *goredis.Client, now time.Time) *redis.Store {
	return redis.NewStore(client, redis.Limits{PerHour: 20, AtOnce: 2}, func() time.Time { return now })
}

func session() login.Session {
	return login.Session{
		ID: "s1", Browser: login.Digest{1, 2, 3}, Room: login.Room{Bot: "b1", ID: "r1", Link: "https://game.test/r1"},
		State: login.CodeProvided, Reason: login.CodeDelivered, CreatedAt: noon, ExpiresAt: noon.Add(login.Lifetime),
		Seen:          []login.Visitor{{Visit: 1, Name: "Guest", Guest: true}, {Visit: 2, Name: "cloudstep"}},
		GuestNotified: 1,
		Code: &login.Code{MAC: []byte{4, 5}, Owner: login.Visitor{Visit: 2, Name: "cloudstep"}, MadeAt: noon,
			Delivered: true},
		Tries: 3,
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
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("read (-want +got):\n%s", diff)
		}
	}
}

func TestStore_sessions_expire(t *testing.T) {
	t.Parallel()
	t.Run("by its own clock", func(t *testing.T) {
		t.Parallel()
		now := noon
		sessions := redis.NewStore(connect(t), redis.Limits{PerHour: 20, AtOnce: 2}, func() time.Time { return now })
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
		client := connect(t)
		server := redistest.Server(t)
		sessions := storeAt(client, noon)
		require.NoError(t, sessions.Create(t.Context(), session()))
		prolong := func(s *login.Session) error { s.ExpiresAt = s.ExpiresAt.Add(time.Minute); return nil }
		if _, err := sessions.Change(t.Context(), "s1", prolong); err != nil {
			t.Fatal(err)
		}
		server.FastForward(login.Lifetime + login.StatusRetention)
		if keys := client.Keys(t.Context(), "*").Val(); len(keys) != 1 {
			t.Errorf("the server keeps %v of a prolonged session", keys)
		}
		server.FastForward(time.Minute)
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

func TestStore_Allow(t *testing.T) {
	t.Parallel()
	limiter := redis.NewStore(connect(t), redis.Limits{PerHour: 20, AtOnce: 2}, time.Now)
	for n := range 20 {
		if err := limiter.Allow(t.Context(), "192.0.2.1"); err != nil {
			t.Fatalf("room %d: %v", n+1, err)
		}
	}
	err := limiter.Allow(t.Context(), "192.0.2.1")
	if p := problem.From(err); !errors.Is(err, login.ErrTooManyRooms) || p.RetryAfter <= 0 || p.RetryAfter > time.Hour {
		t.Errorf("the 21st room: %v, retry after %s", err, p.RetryAfter)
	}
	if err := limiter.Allow(t.Context(), "192.0.2.2"); err != nil {
		t.Errorf("another address: %v", err)
	}
}

func TestStore_Redis_down(t *testing.T) {
	t.Parallel()
	client, err := redis.Connect("redis://127.0.0.1:1/0", nil)
	require.NoError(t, err)
	sessions := storeAt(client, noon)
	for name, attempt := range map[string]func() error{
		"create": func() error { return sessions.Create(t.Context(), session()) },
		"get":    func() error { _, err := sessions.Get(t.Context(), "s1"); return err },
		"change": func() error {
			_, err := sessions.Change(t.Context(), "s1", func(*login.Session) error { return nil })
			return err
		},
		"allow": func() error { return sessions.Allow(t.Context(), "192.0.2.1") },
	} {
		if err := attempt(); !errors.Is(err, login.ErrStoreUnavailable) {
			t.Errorf("%s: error %v, want %v", name, err, login.ErrStoreUnavailable)
		}
	}
}

func TestConnect_invalid_url(t *testing.T) {
	t.Parallel()
	if _, err := redis.Connect("redis://:pa ss@host", nil); err == nil ||
		err.Error() != "REDIS_URL is not a URL like redis://host:port/0" {
		t.Errorf("error %v", err)
	}
}

func TestStore_Reserve(t *testing.T) {
	t.Parallel()
	now := noon
	store := redis.NewStore(connect(t), redis.Limits{PerHour: 20, AtOnce: 2}, func() time.Time { return now })
	reserve := func(address, session string) ([]login.Reservation, bool) {
		t.Helper()
		others, added, err := store.Reserve(t.Context(), address, session)
		require.NoError(t, err)
		return others, added
	}
	first := login.Reservation{Session: "s1", At: noon.Local()}
	second := login.Reservation{Session: "s2", At: noon.Add(time.Second).Local()}
	if others, added := reserve("192.0.2.1", "s1"); !added || len(others) != 0 {
		t.Errorf("the first: %v %v", others, added)
	}
	now = now.Add(time.Second)
	if others, added := reserve("192.0.2.1", "s2"); !added || cmp.Diff([]login.Reservation{first}, others) != "" {
		t.Errorf("the second: %v %v", others, added)
	}
	if others, added := reserve("192.0.2.1", "s3"); added ||
		cmp.Diff([]login.Reservation{first, second}, others) != "" {
		t.Errorf("the third: %v %v", others, added)
	}
	if _, added := reserve("192.0.2.2", "s4"); !added {
		t.Error("another address was refused")
	}
	require.NoError(t, store.Release(t.Context(), "192.0.2.1", "s1"))
	if others, added := reserve("192.0.2.1", "s3"); !added || len(others) != 1 {
		t.Errorf("after a release: %v %v", others, added)
	}
	now = now.Add(login.QueueTimeout + login.Lifetime + 2*time.Minute)
	if others, added := reserve("192.0.2.1", "s5"); !added || len(others) != 0 {
		t.Errorf("after all that can be under way: %v %v", others, added)
	}
}

func TestStore_Reserve_by_many_at_once(t *testing.T) {
	t.Parallel()
	store := storeAt(connect(t), noon)
	var group sync.WaitGroup
	var mu sync.Mutex
	claimed := 0
	for i := range 64 {
		group.Go(func() {
			_, added, err := store.Reserve(t.Context(), "192.0.2.1", fmt.Sprint("s", i))
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			} else if added {
				claimed++
			}
		})
	}
	group.Wait()
	if claimed != 2 {
		t.Errorf("%d sessions at once", claimed)
	}
}
