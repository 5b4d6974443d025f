package login

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/session"
)

// Service has the use cases of a login.
type Service struct {
	Sessions Sessions
	Bots     Bots
	Limiter  Limiter
	Players  Players
	Grants   Grants
	Coder    Coder
	// NewID makes the id of a session.
	NewID func() string
	Now   func() time.Time
	Log   *slog.Logger

	// closing are the rooms that closeRoomLater closes.
	closing sync.WaitGroup
}

// Sessions keeps sessions until they are forgotten.
type Sessions interface {
	// Create keeps a new session.
	Create(ctx context.Context, s Session) error
	// Get returns ErrSessionUnknown, or ErrStoreUnavailable.
	Get(ctx context.Context, id string) (Session, error)
	// Change lets change alter the session and keeps the outcome, as if nothing
	// else were happening: change is called again on what somebody else has kept
	// in the meantime, so it must have no other effect. What change returns
	// as an error is returned, and the altered session is kept all the same.
	// Returns the session as kept. Also returns ErrSessionUnknown or ErrStoreUnavailable.
	Change(ctx context.Context, id string, change func(*Session) error) (Session, error)
}

// Bots holds the rooms. Every method gives up when ctx ends, and returns an
// error when the bot does not answer.
type Bots interface {
	// Open has any free bot open a room that lives for lifetime.
	Open(ctx context.Context, session string, lifetime time.Duration) (Room, error)
	// Say has the room's bot say a text. Returns ErrRoomGone when there is no such room.
	Say(ctx context.Context, room Room, text string) error
	// State asks the room's bot who is and who was there.
	State(ctx context.Context, room Room) (event.RoomView, error)
	// Close ends a room after a last text. A room that is gone is closed already.
	Close(ctx context.Context, room Room, text string) error
}

// Limiter counts the rooms that a client address has asked for.
type Limiter interface {
	// Allow returns ErrTooManyRooms (with the time to wait), or ErrStoreUnavailable: what
	// cannot be counted is not allowed.
	Allow(ctx context.Context, address string) error
}

// Players registers whoever has proved an account.
type Players interface {
	// Register returns a problem of kind forbidden for a banned player.
	Register(ctx context.Context, v event.Visitor) (event.PlayerState, error)
}

// Grants begins and ends sessions of the site.
type Grants interface {
	// Start begins a session for a player who has just proved the account. Returns a problem of kind forbidden for
	// a banned player.
	Start(ctx context.Context, player event.PlayerState) (session.Grant, error)
	// End ends the session of a refresh token. One that is empty, unknown or used up has nothing to end.
	End(ctx context.Context, refreshToken string) error
}

// How long a bot may take.
const (
	openTimeout  = 10 * time.Second
	stateTimeout = 2 * time.Second
	sayTimeout   = 3 * time.Second
	closeTimeout = 2 * time.Second
)

// closeRoom ends a room that is of no more use. A room that cannot be closed
// ends by its own lifetime, so a failure only goes into the log.
func (s *Service) closeRoom(ctx context.Context, room Room, text string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := s.Bots.Close(ctx, room, text); err != nil {
		s.Log.WarnContext(ctx, "room was not closed", "room", room.ID, "error", err)
	}
}

// closeRoomLater is closeRoom for who does not wait for it: a browser is not kept
// from its answer by a bot that still says farewell.
func (s *Service) closeRoomLater(ctx context.Context, room Room, text string) {
	s.closing.Go(func() { s.closeRoom(ctx, room, text) })
}

// Wait returns when all rooms are closed that are to be closed. Called when no
// use case runs any more.
func (s *Service) Wait() { s.closing.Wait() }
