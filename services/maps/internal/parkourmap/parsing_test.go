package parkourmap

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Whoever gives up waiting is let go.
func TestReplaysAreParsedOneAfterTheOther(t *testing.T) { //nolint:paralleltest // takes all places
	for range cap(parsing) {
		parsing <- struct{}{}
		defer func() { <-parsing }()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readReplay(ctx, Submission{Replay: []byte("Map Name: x")}, nil, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
