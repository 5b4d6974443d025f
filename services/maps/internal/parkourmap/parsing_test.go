package parkourmap

import (
	"context"
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
)

func TestParseReplay_ends_waiting_with_its_context(t *testing.T) {
	require.NoError(t, parseSlots.Acquire(t.Context(), 1))
	defer parseSlots.Release(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := Submission{Replay: []byte("Map Name: x")}
	if _, _, err := parseReplay(ctx, in.Replay, nil, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("parseReplay returned %v, want %v", err, context.Canceled)
	}
}
