package redistest_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/localredis"
	"capzone.dev/devstack/redistest"
)

func TestKeysExpireByThemselves(t *testing.T) {
	client := redistest.Connect(t, redistest.Start(t))
	if err := client.Set(t.Context(), "code", "012345", 200*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	eventually.That(t, "the key's end", func() bool { return client.Exists(t.Context(), "code").Val() == 0 })
}

func TestClockCanBeMoved(t *testing.T) {
	client := redistest.Connect(t, redistest.Start(t))
	if err := client.Set(t.Context(), "session", "open", 3*time.Minute).Err(); err != nil {
		t.Fatal(err)
	}
	redistest.Server(t).FastForward(3 * time.Minute)
	if client.Exists(t.Context(), "session").Val() != 0 {
		t.Error("the key outlived its time")
	}
}

func TestServerFromOutsideGivesEachTestADatabase(t *testing.T) {
	outside, err := localredis.Start(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(outside.Stop)
	t.Setenv("TEST_REDIS_URL", outside.URL())

	first, second := redistest.Connect(t, redistest.Start(t)), redistest.Connect(t, redistest.Start(t))
	if err := first.Set(t.Context(), "name", "cloudstep", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if second.Exists(t.Context(), "name").Val() != 0 {
		t.Error("two tests see each other's keys")
	}
	t.Run("asking for the clock is no failure", func(t *testing.T) {
		redistest.Server(t)
		t.Error("ran against a server whose clock cannot be moved")
	})
}
