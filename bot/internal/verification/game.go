package verification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/platform/event"
)

// Game opens rooms. Its methods may be called at the same time.
type Game interface {
	// Open opens an unlisted room for two. It returns RetryLaterError where the game refuses
	// rooms for a while, and wraps ErrLimit where a limit of the game is reached.
	Open(ctx context.Context) (GameRoom, error)
	// Check opens a room, enters it as a player's client does, and closes it. Where a player could not use the room, it
	// returns the step that failed with the error.
	Check(ctx context.Context) (failedStep string, err error)
}

// GameRoom is one open room of a Game.
type GameRoom interface {
	// Link is the address at which a player enters the room. It cannot be guessed.
	Link() string
	// Watch reports the room's events to the watcher, in order, from one goroutine at a time,
	// until the room is closed or lost. It is called once, and does not call the watcher itself.
	Watch(watcher Watcher)
	// Say writes a text to the chat and returns nil once it has arrived there.
	Say(ctx context.Context, text string) error
	// Close ends the room. Visitors who are inside are removed and not reported.
	Close(ctx context.Context) error
	// Done is closed when the room has ended.
	Done() <-chan struct{}
}

// Watcher receives the events of a room. Its methods return at once.
type Watcher interface {
	// Joined reports that a visitor entered. It returns the number of the visit, which names
	// the visitor from then on, or 0 to have the visitor removed.
	Joined(v event.Visitor) (visit int64)
	// Left reports that a visitor left.
	Left(visit int64)
	// Renamed reports that a visitor took another name.
	Renamed(visit int64, name string)
	// Lost reports that the room ended although the bot did not close it.
	Lost(reason string)
	// HostChanged reports that the game made another player the host.
	HostChanged(reason string)
}

// RetryLaterError means that the game creates no rooms for some time.
type RetryLaterError struct {
	For   time.Duration
	Cause error
}

func (e RetryLaterError) Error() string {
	return fmt.Sprintf("no rooms for %s: %v", e.For.Round(time.Millisecond), e.Cause)
}

func (e RetryLaterError) Unwrap() error { return e.Cause }

// ErrLimit means that the game allows no more rooms at once, or not as fast.
var ErrLimit = errors.New("a limit of the game is reached")

// The largest values of a visitor.
const (
	MaxLevel = 10_000
	MaxSkin  = 16 << 10 // bytes of JSON
)
