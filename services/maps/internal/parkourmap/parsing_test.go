package parkourmap

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Whoever gives up waiting is let go.
func TestReplaysAreParsedOneAfterTheOther(t *testing.T) {
	for range cap(parsing) {
		done, err := parsing.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer done()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readReplay(ctx, Submission{Replay: []byte("Map Name: x")}, nil, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
