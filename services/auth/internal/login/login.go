// Package login is the domain of verification sessions: a player proves to own a game
// account by reading a code in a game room and typing it in on the site.
//
// A session belongs to one browser (which holds a secret in a cookie) and to one room (which a bot holds). Its states:
//
//	pending ──────── a registered player has entered and got the code ──▸ code_provided
//	code_provided ── the right code, from the right browser ──▸ success
//	either ───────── five wrong codes, a closed room, a lost code, no room ──▸ failed
//	either ───────── a second visitor, a changed name, another host ──▸ invalid
//	either ───────── three minutes ──▸ timeout
//
// A session whose room is not open yet waits for others of its address, or in a bot's queue; it is pending, and has a
// position.
//
// The use cases are in request.go (which also has the status), report.go and verify.go.
package login

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

// Logins has the use cases of a login.
type Logins struct {
	Sessions Sessions
	Active   ActiveSessions
	Bots     Bots
	Limiter  Limiter
	Players  Players
	Grants   Grants
	Coder    Coder
	// RoomsPerAddress is how many rooms a client address may have at once. Further logins wait.
	RoomsPerAddress int
	// NewID returns the id of a new session.
	NewID func() string
	Now   func() time.Time
	Log   *slog.Logger

	// background are the calls to bots that no use case waits for.
	background sync.WaitGroup
}

// Bots holds the rooms. Every method gives up when ctx ends, and returns an error when the bot does not answer.
type Bots interface {
	// Open asks a bot for a room, or for a position in its queue. It returns ErrNoBot where no bot accepts logins.
	Open(ctx context.Context, req event.OpenRoom) (event.RoomOpened, error)
	// Say writes a text into the room's chat and returns when it has arrived. It returns
	// ErrRoomGone when there is no such room, and ErrNotDelivered when its tries have failed.
	Say(ctx context.Context, room Room, text string) error
	// State asks the room's bot which visitors are and were in the room.
	State(ctx context.Context, room Room) (event.RoomView, error)
	// Close ends a room after a closing message. Closing a room that is gone does nothing.
	Close(ctx context.Context, room Room, text string) error
}

// Players registers players who have proved an account.
type Players interface {
	// Register returns a problem of kind forbidden for the former name of a banned player.
	Register(ctx context.Context, v event.Visitor) (event.PlayerState, error)
}

// Grants begins and ends sessions of the site.
type Grants interface {
	// Start begins a session for a player who has just proved the account, also for a banned one.
	Start(ctx context.Context, player event.PlayerState) (session.Grant, error)
	// End ends the session of a refresh token. An empty, unknown or used token has nothing to end.
	End(ctx context.Context, refreshToken string) error
}

// The times that a bot may take.
const (
	openTimeout  = 10 * time.Second
	stateTimeout = 2 * time.Second
	// sayTimeout is longer than a bot tries by itself.
	sayTimeout   = 10 * time.Second
	closeTimeout = 5 * time.Second
)

// closeRoom ends a room that is of no more use. A room that cannot be closed
// is closed by its bot when its lifetime is over.
func (s *Logins) closeRoom(ctx context.Context, room Room, text string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := s.Bots.Close(ctx, room, text); err != nil {
		s.Log.WarnContext(ctx, "room was not closed", "room", room.ID, "error", err)
	}
}

// closeRoomLater is closeRoom in the background: a browser does not wait for the bot's closing message.
func (s *Logins) closeRoomLater(ctx context.Context, room Room, text string) {
	s.background.Go(func() { s.closeRoom(ctx, room, text) })
}

// Wait returns when what runs in the background has ended. It is called when no use case runs any more.
func (s *Logins) Wait() { s.background.Wait() }
