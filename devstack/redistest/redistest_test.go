package redistest_test

import (
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/redistest"
	"capzone.dev/devstack/require"
)

func TestStart_keys_expire(t *testing.T) {
	client := redistest.Connect(t, redistest.Start(t))
	require.NoError(t, client.Set(t.Context(), "code", "012345", 200*time.Millisecond).Err())
	eventually.WaitFor(t, "the key's end", func() bool { return client.Exists(t.Context(), "code").Val() == 0 })
}

func TestFastForward(t *testing.T) {
	url := redistest.Start(t)
	client := redistest.Connect(t, url)
	require.NoError(t, client.Set(t.Context(), "session", "open", 3*time.Minute).Err())
	redistest.FastForward(t, url, 3*time.Minute)
	if client.Exists(t.Context(), "session").Val() != 0 {
		t.Error("the key outlived its time")
	}
}
