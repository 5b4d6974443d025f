package natsapi

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

// Facts is the stream of facts. It implements dump.Facts.
type Facts struct {
	JetStream jetstream.JetStream
	// Settle is how long the states of the newest facts are waited for.
	Settle time.Duration
}

// Sequence implements dump.Facts. A fact of records is published after its transaction. Those of other services have
// their effect with the states that are published with them, which it waits for.
func (f *Facts) Sequence(ctx context.Context) (uint64, error) {
	stream, err := f.JetStream.Stream(ctx, event.FactsStream.Name)
	if err != nil {
		return 0, fmt.Errorf("stream %s: %w", event.FactsStream.Name, err)
	}
	sequence := stream.CachedInfo().State.LastSeq
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(f.Settle):
		return sequence, nil
	}
}
