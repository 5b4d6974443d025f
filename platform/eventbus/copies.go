package eventbus

import (
	"context"
	"fmt"
	"strings"

	"capzone.dev/platform/event"
)

// ApplyState returns a Handler that decodes states and gives them to apply, which compares versions. A state
// without a valid id or version, or on the subject of another entity, is undecodable.
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

// Copies stores the copies of players and of versions of maps.
type Copies interface {
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
	ApplyMap(ctx context.Context, m event.MapState) error
}

// ApplyCopies returns the handler of the states of players and of versions of maps.
func ApplyCopies(copies Copies) Handler {
	return Route(map[string]Handler{
		event.PlayerStatePrefix: ApplyState(copies.ApplyPlayer), event.MapStatePrefix: ApplyState(copies.ApplyMap),
	})
}
