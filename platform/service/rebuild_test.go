package service

import (
	"errors"
	"testing"

	"capzone.dev/platform/await"
	"capzone.dev/platform/pgtest"
)

func TestOnlyOneRebuildRunsAtATime(t *testing.T) {
	t.Parallel()
	pool := pgtest.OpenPlatform(t)
	nothing := func() error { return nil }
	err := exclusively(t.Context(), pool, func() error {
		if err := exclusively(t.Context(), pool, nothing); !errors.Is(err, errRebuilding) {
			t.Errorf("meanwhile: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The server notices a moment later that the connection has ended.
	await.That(t, "the lock", func() bool { return exclusively(t.Context(), pool, nothing) == nil })
}
