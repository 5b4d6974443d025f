package verification

import (
	"context"
	"fmt"
	"time"

	"capzone.dev/platform/event"
)

// Game is where rooms are opened.
type Game interface {
	// Open opens an unlisted room for two. What happens in it is told to the
	// watcher, in order, from one goroutine at a time, until the room is closed
	// or lost. An error means that there is no room; RetryLaterError, that there is none for a while.
	Open(ctx context.Context, watcher Watcher) (GameRoom, error)
}

// RetryLaterError says that a game gives no rooms for some time: its limits are reached,
// or it has refused before and is not to be asked too soon.
type RetryLaterError struct {
	For   time.Duration
	Cause error
}

// Error implements error.
func (e RetryLaterError) Error() string {
	return fmt.Sprintf("no rooms for %s: %v", e.For.Round(time.Millisecond), e.Cause)
}

// Unwrap returns the cause.
func (e RetryLaterError) Unwrap() error { return e.Cause }

// What a visitor may look like, whatever the game says.
const (
	MaxLevel = 10_000
	MaxSkin  = 16 << 10 // bytes of JSON
)

// GameRoom is one open room of a Game.
type GameRoom interface {
	// Link lets its holder into the room, and is what nobody else can guess.
	Link() string
	// Say has the bot say a text in the room.
	Say(ctx context.Context, text string) error
	// Close ends the room. Whoever is inside is put out, unreported.
	Close(ctx context.Context) error
}

// Watcher is told what happens in a room. Its methods return at once.
type Watcher interface {
	// Joined tells that somebody came in. It returns the number of the visit, to
	// be named when they leave, or 0 when nobody may come in any more: then the
	// game puts them out.
	Joined(v event.Visitor) (visit int64)
	// Left tells that a visitor went out.
	Left(visit int64)
	// Renamed tells that a visitor took another name.
	Renamed(visit int64, name string)
	// Lost tells that the room ended against the bot's will.
	Lost(reason string)
}
