package parkourmap

import (
	"context"
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
)

func TestParser_parse_ends_waiting_with_its_context(t *testing.T) {
	t.Parallel()
	p := NewParser()
	require.NoError(t, p.slots.Acquire(t.Context(), 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := Submission{Replay: []byte("Map Name: x")}
	if _, _, err := p.parse(ctx, in.Replay, nil, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("parse returned %v, want %v", err, context.Canceled)
	}
}
