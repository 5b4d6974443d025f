package login

import (
	"cmp"
	"context"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// Times and numbers of a verification session.
const (
	// Lifetime is how long a player has from the room's link to the code.
	Lifetime = 3 * time.Minute
	// QueueTimeout is how long a session waits in a bot's queue. Bots give up earlier, and report it.
	QueueTimeout = 90 * time.Second
	// NetworkTimeout is how long a session waits for others of its address.
	NetworkTimeout = 15 * time.Minute
	// StatusRetention is how long the status stays readable after the lifetime.
	StatusRetention = 10 * time.Minute
	// MaxTries is how many codes may be tried in one session.
	MaxTries = 5

	// roomGrace is how much longer the room may stay open than the session lives,
	// so that a session ends by its own clock and not by the room's.
	roomGrace = 5 * time.Second
	// maxSeen bounds what one room can make a session remember.
	maxSeen = 64
)

// Session is one attempt to prove a game account: a browser, a room, and what
// is known to have happened in the room. What is known only grows, so that
// reports may come twice and in any order: the same reports lead to the same session. It is stored as JSON.
type Session struct {
	ID string `json:"-"`
	// Browser is the SHA-256 of the secret in the browser's cookie.
	Browser []byte `json:"browser"`
	// Address is the client's, by which its rooms are counted.
	Address string `json:"address"`
	// Room is embedded because its fields are stored beside the others.
	Room
	// OpeningAt is when a bot was asked for the room of a login that waited, while there is no answer.
	OpeningAt time.Time `json:"openingAt,omitzero"`
	// Position is the number of logins before this one while it waits for its room: of its address or, as of
	// the report of number PositionReport, in the bot's queue.
	Position       int   `json:"place,omitempty"`
	PositionReport int64 `json:"placeReport,omitempty"`
	// State and Reason are as last written. Status regards the time, too.
	State  State  `json:"state"`
	Reason Reason `json:"reason"`

	CreatedAt time.Time `json:"createdAt"`
	ExpiresAt time.Time `json:"expiresAt"`

	// Seen are all visitors who ever entered the room, without their skins, in the order of their visits.
	Seen []event.Visitor `json:"seen,omitempty"`
	// GuestNotified is the visit of the newest guest who was asked to log in to an account, 0 for none.
	GuestNotified int64 `json:"guestTold,omitempty"`
	// Code is nil until a code was made.
	Code *Code `json:"code,omitempty"`
	// Tries counts the codes that were tried.
	Tries int `json:"tries,omitempty"`
}

// Room is the room of a session.
type Room struct {
	Bot string `json:"bot"`
	// ID is empty while the session waits for others of its address.
	ID string `json:"room"`
	// Link is empty while the session waits for its room.
	Link string `json:"link"`
}

func roomOf(opened event.RoomOpened) Room { return Room{opened.Bot, opened.Room, opened.Link} }

// Sessions stores sessions until they are forgotten.
type Sessions interface {
	// Create stores a new session.
	Create(ctx context.Context, s Session) error
	// Get returns ErrSessionUnknown, or ErrStoreUnavailable.
	Get(ctx context.Context, id string) (Session, error)
	// Change calls change with the session, stores the result and returns it, atomically: where another
	// caller has stored something in the meantime, change is called again with that, so it must have no
	// other effect. An error of change is returned, and the result is stored all the same. It also returns
	// ErrSessionUnknown or ErrStoreUnavailable.
	Change(ctx context.Context, id string, change func(*Session) error) (Session, error)
}

// ForgetAt is when the session is no longer readable.
func (s *Session) ForgetAt() time.Time { return s.ExpiresAt.Add(StatusRetention) }

// ended reports whether nothing can happen to the session any more.
func (s *Session) ended(now time.Time) bool { return s.State.final() || !now.Before(s.ExpiresAt) }

// end ends a session that has not ended.
func (s *Session) end(state State, reason Reason) { s.State, s.Reason = state, reason }

// opened gives a session that waited the link of its room. Its lifetime begins now.
func (s *Session) opened(link string, now time.Time) {
	if s.ended(now) || s.Link != "" {
		return
	}
	s.Link, s.Position = link, 0
	s.ExpiresAt = now.Add(Lifetime)
}

// beginOpening stores the position of a session that waits for others of its address. It reports whether the caller has
// to ask a bot for the room: it is the session's turn, and no other caller has begun.
func (s *Session) beginOpening(before int, isTurn bool, now time.Time) bool {
	if s.ended(now) || s.Room.ID != "" {
		return false
	}
	s.Position = before
	if !isTurn || now.Before(s.OpeningAt.Add(openingTime)) {
		return false
	}
	s.OpeningAt = now
	return true
}

// assign gives a session the room, or the position in a queue, with which a bot has answered. The zero RoomOpened is no
// answer.
func (s *Session) assign(opened event.RoomOpened, now time.Time) {
	s.OpeningAt = time.Time{}
	if s.ended(now) || s.Room.ID != "" || opened.Room == "" {
		return
	}
	s.Room, s.Position, s.ExpiresAt = roomOf(opened), opened.Position, now.Add(QueueTimeout)
	if opened.Link != "" {
		s.ExpiresAt = now.Add(Lifetime)
	}
}

// giveUp ends a session whose browser asks no more, unless a visitor has entered its room. It reports whether it did.
func (s *Session) giveUp(now time.Time) bool {
	if s.ended(now) || len(s.Seen) > 0 {
		return false
	}
	s.end(Failed, GivenUp)
	return true
}

// apply applies a report of a bot. It does nothing once the session has ended.
func (s *Session) apply(r event.RoomReport, now time.Time) {
	if s.ended(now) {
		return
	}
	switch r.Kind {
	case event.RoomQueued:
		if s.Link == "" && r.Number > s.PositionReport {
			s.Position, s.PositionReport = r.Position, r.Number
		}
	case event.RoomReady: // the link is asked for
	case event.RoomClosed:
		s.end(Failed, RoomClosed)
	case event.RoomLost:
		if s.Link == "" {
			s.end(Failed, NoRoom)
			return
		}
		s.end(Failed, RoomLost)
	case event.RoomTaken:
		s.end(Invalid, HostChanged)
	case event.RoomRenamed:
		s.end(Invalid, Renamed)
	case event.RoomJoined, event.RoomLeft:
		// A visitor who left was there, also where the report of the entry is still on its way.
		if r.Visitor != nil {
			s.addVisitor(*r.Visitor)
		}
	}
}

// addVisitor adds a visitor to those who were seen, and voids the session if a second player has
// entered, or any visitor after the player. A guest before the player is allowed, because the code
// is delivered only when the player is alone in the room.
func (s *Session) addVisitor(v event.Visitor) {
	if slices.ContainsFunc(s.Seen, func(seen event.Visitor) bool { return seen.Visit == v.Visit }) {
		return
	}
	v.Skin = nil
	s.Seen = append(slices.Clone(s.Seen), v)
	slices.SortFunc(s.Seen, func(a, b event.Visitor) int { return cmp.Compare(a.Visit, b.Visit) })
	player := slices.IndexFunc(s.Seen, isPlayer)
	if player >= 0 && player < len(s.Seen)-1 || len(s.Seen) > maxSeen {
		s.end(Invalid, SecondVisitor)
	}
}

// reconcile applies what the bot answered about the room, and ends the session where that is not as it must be: the
// room open, no name changed, and only the player inside.
func (s *Session) reconcile(view event.RoomView) {
	if !view.Open {
		s.end(Failed, RoomClosed)
		return
	}
	for _, v := range view.Seen {
		s.addVisitor(v)
	}
	for _, v := range view.Present {
		s.addVisitor(v)
	}
	if view.Renamed && !s.State.final() {
		s.end(Invalid, Renamed)
	}
}

// player returns the one registered player who was seen.
func (s *Session) player() (event.Visitor, bool) {
	if i := slices.IndexFunc(s.Seen, isPlayer); i >= 0 {
		return s.Seen[i], true
	}
	return event.Visitor{}, false
}

// wantsCode reports whether there is a player who has no code yet.
func (s *Session) wantsCode() bool {
	_, ok := s.player()
	return ok && s.Code == nil
}

// unnotifiedGuest returns the newest visit if only guests have entered and this one was not asked
// yet to log in to an account, else 0.
func (s *Session) unnotifiedGuest() int64 {
	if _, ok := s.player(); ok || len(s.Seen) == 0 {
		return 0
	}
	if newest := s.Seen[len(s.Seen)-1].Visit; newest > s.GuestNotified {
		return newest
	}
	return 0
}

// confirm applies what the bot answered about the room when the right code was given, and returns the code's owner as
// seen there. No other visitor may have read the code. The owner may have left. It returns ErrSessionOver.
func (s *Session) confirm(view event.RoomView, now time.Time) (event.Visitor, error) {
	if s.ended(now) || s.Code == nil {
		return event.Visitor{}, s.over(now)
	}
	owner := s.Code.Owner
	at := slices.IndexFunc(view.Seen, func(v event.Visitor) bool { return v.Visit == owner.Visit })
	s.reconcile(view)
	switch {
	case s.State.final():
		return event.Visitor{}, s.over(now)
	case at < 0 || view.Seen[at].Guest || view.Seen[at].Name != owner.Name,
		slices.ContainsFunc(view.Present, func(v event.Visitor) bool { return v.Visit != owner.Visit }):
		s.end(Invalid, SecondVisitor)
		return event.Visitor{}, s.over(now)
	}
	return view.Seen[at], nil
}

// succeed consumes the session. One of several callers gets nil, the others ErrSessionOver.
func (s *Session) succeed(now time.Time) error {
	if s.ended(now) {
		return s.over(now)
	}
	s.end(Success, LoggedIn)
	return nil
}

// over returns ErrSessionOver with the sentence of how the session ended.
func (s *Session) over(now time.Time) error {
	status := s.Status(now)
	return ErrSessionOver.WithMessage("login."+string(status.Reason), status.Message)
}

func isPlayer(v event.Visitor) bool { return !v.Guest }
