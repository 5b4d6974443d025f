package verification

import (
	"context"

	"capzone.dev/platform/event"
)

// Game is where rooms are opened.
type Game interface {
	// Open opens an unlisted room for two. What happens in it is told to the
	// watcher, in order, from one goroutine at a time, until the room is closed
	// or lost. An error means that there is no room.
	Open(ctx context.Context, watcher Watcher) (GameRoom, error)
}

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
