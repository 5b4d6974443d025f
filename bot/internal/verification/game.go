package verification

import (
	"context"
	"fmt"
	"time"

	"capzone.dev/platform/event"
)

// Game opens rooms. Its methods may be called at the same time.
type Game interface {
	// Open opens an unlisted room for two. It returns RetryLaterError where there are
	// no rooms for a while, and LimitError where a limit of the game is reached.
	Open(ctx context.Context) (GameRoom, error)
	// Check opens a room, enters it as a player's client does, and closes it.
	// It returns CheckError where a player could not use the room.
	Check(ctx context.Context) error
}

// GameRoom is one open room of a Game.
type GameRoom interface {
	// Link lets its holder into the room. Nobody can guess it.
	Link() string
	// Watch reports to the watcher what happens in the room, in order, from one goroutine
	// at a time, until the room is closed or lost. It is called once,
	// and does not call the watcher itself.
	Watch(watcher Watcher)
	// Say writes a text to the chat and returns nil once it has arrived there.
	Say(ctx context.Context, text string) error
	// Close ends the room. Visitors who are inside are removed and not reported.
	Close(ctx context.Context) error
	// Over is closed when the game has no such room any more.
	Over() <-chan struct{}
}

// Watcher receives what happens in a room. Its methods return at once.
type Watcher interface {
	// Joined reports that a visitor entered. It returns the number of the visit, which
	// names the visitor from then on, or 0 when nobody may enter any more: then the game
	// removes the visitor.
	Joined(v event.Visitor) (visit int64)
	// Left reports that a visitor left.
	Left(visit int64)
	// Renamed reports that a visitor took another name.
	Renamed(visit int64, name string)
	// Lost reports that the room ended against the bot's will.
	Lost(reason string)
	// Taken reports that the game made another player the host.
	Taken(reason string)
}

// RetryLaterError says that a game gives no rooms for some time.
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

// LimitError says that the game gives no more rooms at once, or not as fast.
type LimitError struct{ Cause error }

// Error implements error.
func (e LimitError) Error() string { return fmt.Sprintf("a limit of the game is reached: %v", e.Cause) }

// Unwrap returns the cause.
func (e LimitError) Unwrap() error { return e.Cause }

// CheckError says at which step a player could not use a room.
type CheckError struct {
	Step  string
	Cause error
}

// Error implements error.
func (e CheckError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e CheckError) Unwrap() error { return e.Cause }

// The bounds of what a visitor may look like.
const (
	MaxLevel = 10_000
	MaxSkin  = 16 << 10 // bytes of JSON
)
