package eventbus

import (
	"context"
	"fmt"
	"strings"

	"capzone.dev/platform/event"
)

// ApplyState returns a Handler that decodes states and gives them to apply, which
// compares versions. A state without a valid id or version, or on the subject of
// another entity, is undecodable.
func ApplyState[S event.State](apply func(ctx context.Context, state S) error) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		state, err := event.Decode[S](e)
		if err != nil {
			return Undecodable(err)
		}
		id := subject[strings.LastIndexByte(subject, '.')+1:]
		if !event.IsID(id) || state.Subject() != subject || state.StateVersion() < 1 {
			return Undecodable(fmt.Errorf("message %s on %s has the state of %s in version %d",
				e.ID, subject, state.Subject(), state.StateVersion()))
		}
		return apply(ctx, state)
	}
}

// Route returns a Handler that gives each message to the handler of its subject's
// prefix. A message on another subject is undecodable.
func Route(byPrefix map[string]Handler) Handler {
	return func(ctx context.Context, subject string, e event.Envelope) error {
		for prefix, handle := range byPrefix {
			if strings.HasPrefix(subject, prefix) {
				return handle(ctx, subject, e)
			}
		}
		return Undecodable(fmt.Errorf("message %s is on the unknown subject %s", e.ID, subject))
	}
}
