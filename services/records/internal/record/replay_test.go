package record

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestParser_parse_canceled(t *testing.T) {
	t.Parallel()
	p := NewParser()
	if !p.slots.TryAcquire(maxConcurrentParses) {
		t.Fatal("a new parser has no free slots")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.parse(ctx, []byte("Map Name: x"), 100, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
