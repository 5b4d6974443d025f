package redis_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/login"
)

func TestStore_Check(t *testing.T) {
	t.Parallel()
	limiter := storeAt(connect(t), noon)
	for range 20 {
		require.NoError(t, limiter.Check(t.Context(), "192.0.2.1")) // counts nothing
		require.NoError(t, limiter.Count(t.Context(), "192.0.2.1"))
	}
	err := limiter.Check(t.Context(), "192.0.2.1")
	if p := problem.From(err); !errors.Is(err, login.ErrTooManyRooms) || p.RetryAfter <= 0 || p.RetryAfter > time.Hour {
		t.Errorf("the 21st room: %v, retry after %s", err, p.RetryAfter)
	}
	if err := limiter.Check(t.Context(), "192.0.2.2"); err != nil {
		t.Errorf("another address: %v", err)
	}
}

func TestStore_Touch(t *testing.T) {
	t.Parallel()
	now := noon
	store := storeAt(connect(t), noon)
	for i, tt := range []struct {
		address, session string
		want             string // sessions, with the seconds since they were asked for
	}{
		{"192.0.2.1", "s9", "s9 0"},
		{"192.0.2.1", "s1", "s9 1, s1 0"},
		{"192.0.2.1", "s9", "s9 0, s1 1"}, // keeps its place
		{"192.0.2.2", "s4", "s4 0"},
		{"192.0.2.1", "s5", "s9 2, s1 3, s5 0"},
		{"192.0.2.1", "s6", "s9 3, s1 4, s5 1"}, // three is the most
		{"192.0.2.1", "s5", "s9 4, s1 5, s5 0"},
		{"release", "s9", ""},
		{"192.0.2.1", "s6", "s1 7, s5 2, s6 0"},
	} {
		if tt.address == "release" {
			require.NoError(t, store.Release(t.Context(), "192.0.2.1", tt.session))
			now = now.Add(time.Second)
			continue
		}
		active, err := store.Touch(t.Context(), tt.address, tt.session, 3, now)
		require.NoError(t, err)
		var got []string
		for _, a := range active {
			got = append(got, fmt.Sprint(a.Session, " ", now.Sub(a.AskedAt).Seconds()))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("step %d (-want +got):\n%s", i, diff)
		}
		now = now.Add(time.Second)
	}
}

func TestStore_Touch_by_many_at_once(t *testing.T) {
	t.Parallel()
	store := storeAt(connect(t), noon)
	var all sync.WaitGroup
	var added atomic.Int64
	for i := range 30 {
		all.Go(func() {
			id := fmt.Sprint("s", i)
			active, err := store.Touch(t.Context(), "192.0.2.1", id, 20, noon)
			if err != nil || len(active) > 20 {
				t.Errorf("%d sessions, %v", len(active), err)
			}
			if slices.ContainsFunc(active, func(a login.ActiveSession) bool { return a.Session == id }) {
				added.Add(1)
			}
		})
	}
	all.Wait()
	if added.Load() != 20 {
		t.Errorf("%d of 30 were added, want 20", added.Load())
	}
}
