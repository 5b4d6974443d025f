package login

import (
	"cmp"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// Times and numbers of a verification session.
const (
	// Lifetime is how long a player has from the room's link to the code.
	Lifetime = 3 * time.Minute
	// StatusRetention is how long the status stays readable after the lifetime.
	StatusRetention = 10 * time.Minute
	// MaxTries is how many codes may be tried in one session.
	MaxTries = 5

	// roomGrace is how much longer the room may stay open than the session lives,
	// so that a session ends by its own clock and not by the room's.
	roomGrace = 5 * time.Second
	// maxSeen bounds what one room can make a session remember.
	maxSeen = 64
	// telling is how long the process that made a code may take to have it said.
	// After that it is taken for dead, and nobody knows the code.
	telling = 20 * time.Second
)

// Session is one attempt to prove a game account: a browser, a room, and what
// is known to have happened in the room. What is known only grows, so that
// reports may come twice and in any order: once two orders have told the same,
// they have led to the same.
type Session struct {
	ID string
	// Browser is the SHA-256 of the secret in the browser's cookie.
	Browser Digest
	Room    Room
	// State and Reason are as last written. Status knows about the time, too.
	State  State
	Reason Reason

	CreatedAt time.Time
	ExpiresAt time.Time

	// Seen are all who ever entered the room, in the order of their visits.
	Seen []Visitor
	// GuestTold is the visit of the newest guest who was told that an account is
	// needed, 0 when nobody was.
	GuestTold int64
	// Code is nil until a code was made.
	Code *Code
	// Tries counts the codes that were tried.
	Tries int
}

// Room is where a session takes place.
type Room struct {
	Bot  string
	ID   string
	Link string
}

// Visitor is somebody who entered the room. Visits are numbered as they begin.
type Visitor struct {
	Visit int64
	Name  string
	Guest bool
}

// Code is what is known of the six digits.
type Code struct {
	// MAC is all that is kept of the digits.
	MAC []byte
	// Owner is who the code is said to.
	Owner  Visitor
	MadeAt time.Time
	// Said is true once the bot has said it.
	Said bool
}

// ForgetAt is when the session is no longer readable.
func (s *Session) ForgetAt() time.Time { return s.ExpiresAt.Add(StatusRetention) }

// ended tells whether nothing can happen to the session any more.
func (s *Session) ended(now time.Time) bool { return s.State.final() || !now.Before(s.ExpiresAt) }

// end ends a session that has not ended.
func (s *Session) end(state State, reason Reason) { s.State, s.Reason = state, reason }

// note takes in what a bot reported. It does nothing once the session has ended.
func (s *Session) note(r event.RoomReport, now time.Time) {
	if s.ended(now) {
		return
	}
	switch r.Kind {
	case event.RoomClosed:
		s.end(Failed, RoomClosed)
	case event.RoomLost:
		s.end(Failed, RoomLost)
	case event.RoomRenamed:
		s.end(Invalid, Renamed)
	case event.RoomJoined, event.RoomLeft:
		// Who left has been there, also where the report of it is still on its way.
		if r.Visitor != nil {
			s.see(*r.Visitor)
		}
	}
}

// see adds a visitor to those who were seen, and voids the session where
// somebody entered who may not: a second player, or anybody after the player.
// A guest who came before does no harm as long as the code is said when only
// the player is there.
func (s *Session) see(v event.Visitor) {
	if slices.ContainsFunc(s.Seen, func(seen Visitor) bool { return seen.Visit == v.Visit }) {
		return
	}
	s.Seen = append(slices.Clone(s.Seen), Visitor{Visit: v.Visit, Name: v.Name, Guest: v.Guest})
	slices.SortFunc(s.Seen, func(a, b Visitor) int { return cmp.Compare(a.Visit, b.Visit) })
	player := slices.IndexFunc(s.Seen, isPlayer)
	if player >= 0 && player < len(s.Seen)-1 || len(s.Seen) > maxSeen {
		s.end(Invalid, SecondVisitor)
	}
}

// compare takes in what the bot answered about the room, and ends the session
// where that is not as it must be: the room open, nobody renamed, and nobody
// inside but the player.
func (s *Session) compare(view event.RoomView) {
	if !view.Open {
		s.end(Failed, RoomClosed)
		return
	}
	for _, v := range view.Seen {
		s.see(v)
	}
	for _, v := range view.Present {
		s.see(v)
	}
	if view.Renamed && !s.State.final() {
		s.end(Invalid, Renamed)
	}
}

// player is the one registered player who was seen.
func (s *Session) player() (Visitor, bool) {
	if i := slices.IndexFunc(s.Seen, isPlayer); i >= 0 {
		return s.Seen[i], true
	}
	return Visitor{}, false
}

// wantsCode tells whether there is a player to say a code to.
func (s *Session) wantsCode() bool {
	_, ok := s.player()
	return ok && s.Code == nil
}

// untoldGuest returns the newest visit where only guests have come and that one
// has not been told, else 0.
func (s *Session) untoldGuest() int64 {
	if _, ok := s.player(); ok || len(s.Seen) == 0 {
		return 0
	}
	if newest := s.Seen[len(s.Seen)-1].Visit; newest > s.GuestTold {
		return newest
	}
	return 0
}

// giveCode gives the session its code, if the player, and nobody else, is in
// the room to hear it. A session has at most one code.
func (s *Session) giveCode(mac []byte, view event.RoomView, now time.Time) {
	if s.ended(now) || s.Code != nil {
		return
	}
	s.compare(view)
	owner, ok := s.player()
	if !ok || s.State.final() || len(view.Present) != 1 || view.Present[0].Visit != owner.Visit {
		return
	}
	s.Code = &Code{MAC: mac, Owner: owner, MadeAt: now}
}

// said says that the bot has said the code.
func (s *Session) said(now time.Time) {
	if s.ended(now) || s.Code == nil {
		return
	}
	code := *s.Code
	code.Said = true
	s.Code = &code
	s.State = CodeProvided
}

// abandonCode ends a session whose code nobody has said and nobody can say.
func (s *Session) abandonCode(now time.Time) {
	if !s.ended(now) && s.Code != nil && !s.Code.Said {
		s.end(Failed, NotSaid)
	}
}

// countTry counts a code that is about to be compared.
// Returns ErrSessionOver or ErrNoCodeYet.
func (s *Session) countTry(now time.Time) error {
	switch {
	case s.ended(now):
		return s.over(now)
	case s.Code == nil:
		return ErrNoCodeYet
	case s.Tries >= MaxTries:
		// The last try is being judged at this moment, and has the word.
		return ErrCodeWrong.WithData("triesLeft", 0)
	}
	s.Tries++
	return nil
}

// returnTry takes back a try whose code was right, but which could not succeed
// for reasons that are not the player's.
func (s *Session) returnTry() {
	if s.Tries > 0 {
		s.Tries--
	}
}

// confirm takes in what the bot answered about the room when the right code was
// given. Nobody but the code's owner may have heard it, nor the owner be
// another than the one it was made for. The owner may have left.
// Returns ErrSessionOver.
func (s *Session) confirm(view event.RoomView, now time.Time) (event.Visitor, error) {
	if s.ended(now) || s.Code == nil {
		return event.Visitor{}, s.over(now)
	}
	owner := s.Code.Owner
	at := slices.IndexFunc(view.Seen, func(v event.Visitor) bool { return v.Visit == owner.Visit })
	s.compare(view)
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

// succeed consumes the session. Of several who try only one gets nil, the
// others ErrSessionOver.
func (s *Session) succeed(now time.Time) error {
	if s.ended(now) {
		return s.over(now)
	}
	s.end(Success, Proven)
	return nil
}

// over is ErrSessionOver with the sentence of how the session ended.
func (s *Session) over(now time.Time) error {
	return ErrSessionOver.WithMessage("%s", s.Status(now).Message)
}

func isPlayer(v Visitor) bool { return !v.Guest }
