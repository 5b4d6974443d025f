package natsapi

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/platform/event"
)

const (
	// settleFor is longer than the state of a change is published after its fact.
	settleFor = 15 * time.Second
	// copiesTimeout bounds the wait for the copies.
	copiesTimeout = 5 * time.Minute
	copiesPoll    = 250 * time.Millisecond
)

// Facts is the stream of facts. It implements dump.Facts.
type Facts struct {
	JetStream jetstream.JetStream
	// Settle is how long the states of the newest facts are waited for, settleFor if it is 0.
	Settle time.Duration
}

// Sequence implements dump.Facts. A fact of records is published after its transaction. Those of other services
// have their effect with the states that are published with them, so it waits until the copies have all states up to
// a moment after the newest fact.
func (f *Facts) Sequence(ctx context.Context) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, copiesTimeout)
	defer cancel()
	sequence, err := f.last(ctx, event.FactsStream)
	if err != nil {
		return 0, err
	}
	settle := f.Settle
	if settle == 0 {
		settle = settleFor
	}
	if err := wait(ctx, settle); err != nil {
		return 0, err
	}
	state, err := f.last(ctx, event.StateStream)
	if err != nil {
		return 0, err
	}
	for {
		isApplied, err := f.isApplied(ctx, state)
		if err != nil {
			return 0, err
		}
		if isApplied {
			return sequence, nil
		}
		if err := wait(ctx, copiesPoll); err != nil {
			return 0, fmt.Errorf("the copies are behind: %w", err)
		}
	}
}

// last returns the sequence of the newest message of a stream.
func (f *Facts) last(ctx context.Context, s event.Stream) (uint64, error) {
	stream, err := f.JetStream.Stream(ctx, s.Name)
	if err != nil {
		return 0, fmt.Errorf("stream %s: %w", s.Name, err)
	}
	return stream.CachedInfo().State.LastSeq, nil
}

// isApplied reports whether the copies have all states up to a sequence.
func (f *Facts) isApplied(ctx context.Context, sequence uint64) (bool, error) {
	copies := event.RecordsCopies
	consumer, err := f.JetStream.Consumer(ctx, copies.Stream, copies.Name)
	if err != nil {
		return false, fmt.Errorf("consumer %s: %w", copies.Name, err)
	}
	info := consumer.CachedInfo()
	return info.AckFloor.Stream >= sequence || info.NumPending == 0 && info.NumAckPending == 0, nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
