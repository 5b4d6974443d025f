package record

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestMapCache_parseReplay_canceled(t *testing.T) {
	for range cap(parseSlots) {
		parseSlots <- struct{}{}
		defer func() { <-parseSlots }()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var c mapCache
	if _, err := c.parseReplay(ctx, []byte("Map Name: x"), 100, time.Now()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
