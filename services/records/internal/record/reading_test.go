package record

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Whoever gives up waiting is let go.
func TestReplaysWaitForEachOther(t *testing.T) {
	for range cap(reading) {
		done, err := reading.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer done()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var c courses
	if _, _, err := c.readReplay(ctx, []byte("Map Name: x"), 100, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
