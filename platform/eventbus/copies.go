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

// ApplyPlayers is ApplyState for players. A state with an invalid MergedInto is undecodable.
func ApplyPlayers(apply func(ctx context.Context, p event.PlayerState) error) Handler {
	return ApplyState[event.PlayerState](func(ctx context.Context, p event.PlayerState) error {
		if p.MergedInto != "" && !event.IsID(p.MergedInto) {
			return Undecodable(fmt.Errorf("player %s is merged into %q", p.ID, p.MergedInto))
		}
		return apply(ctx, p)
	})
}

// Copies stores the copies of players and of versions of maps.
type Copies interface {
	ApplyPlayer(ctx context.Context, p event.PlayerState) error
	ApplyMap(ctx context.Context, m event.MapState) error
}

// ApplyCopies returns the handler of the states of players and of versions of maps. An author that is no id is left
// out, and of a tombstone all but its version.
func ApplyCopies(copies Copies) Handler {
	return Route(map[string]Handler{
		event.PlayerStatePrefix: ApplyPlayers(copies.ApplyPlayer),
		event.MapStatePrefix: ApplyState[event.MapState](func(ctx context.Context, m event.MapState) error {
			return copies.ApplyMap(ctx, known(m))
		}),
	})
}

func known(m event.MapState) event.MapState {
	switch {
	case m.Removed:
		return event.MapState{ID: m.ID, Version: m.Version, Removed: true}
	case !event.IsID(m.AuthorID):
		m.AuthorID = ""
	}
	return m
}
