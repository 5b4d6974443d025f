package parkourmap

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestParseReplay_endsWaitingWithItsContext(t *testing.T) {
	if err := parseSlots.Acquire(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	defer parseSlots.Release(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := Submission{Replay: []byte("Map Name: x")}
	if _, _, err := parseReplay(ctx, in.Replay, nil, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("parseReplay returned %v, want %v", err, context.Canceled)
	}
}
