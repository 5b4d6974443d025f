package login

import (
	"context"
	"errors"
	"slices"
	"time"
)

const (
	// givenUpAfter is the age of the browser's last request from which a login counts as given up. A login page asks every
	// 3 seconds.
	givenUpAfter = 10 * time.Second
	// openingTime is how long it may take until a session is stored and its room is known.
	openingTime = openTimeout + 5*time.Second
	// waitersPerRoom bounds the logins of an address: so many for each room that it may have at once.
	waitersPerRoom = 32
)

// ActiveSessions stores which sessions each client address has under way.
type ActiveSessions interface {
	// Touch records that a session's browser asks for it at a time, and returns the sessions of the address in the order
	// of their arrival. A new session comes last. It is not added where the address has the number most of sessions
	// already. It returns ErrStoreUnavailable.
	Touch(ctx context.Context, address, session string, most int, at time.Time) ([]ActiveSession, error)
	// Release removes a session from those of an address.
	Release(ctx context.Context, address, session string) error
}

// ActiveSession is a session that an address has under way.
type ActiveSession struct {
	Session string
	AskedAt time.Time
}

// Limiter counts the rooms of a client address that a visitor has entered, or that were given up.
type Limiter interface {
	// Check returns ErrTooManyRooms (with the time to wait), or ErrStoreUnavailable: what cannot be counted is not
	// allowed.
	Check(ctx context.Context, address string) error
	// Count returns ErrStoreUnavailable.
	Count(ctx context.Context, address string) error
}

// join adds a session to those of its address, and returns how many there are before it. It returns ErrAddressBusy or
// ErrStoreUnavailable.
func (s *Logins) join(ctx context.Context, address, id string) (before int, err error) {
	for range 2 { // logins that have ended or were given up make room
		active, err := s.Active.Touch(ctx, address, id, waitersPerRoom*s.RoomsPerAddress, s.Now())
		if err != nil {
			return 0, err
		}
		before, err := s.countBefore(ctx, address, id, active)
		joined := slices.ContainsFunc(active, func(a ActiveSession) bool { return a.Session == id })
		if err != nil || joined {
			return before, err
		}
	}
	return 0, ErrAddressBusy
}

// proceed notes that a session's browser asks for it. It asks a bot for the room of a login that waited for others of
// its address, when its turn has come; where no bot gives one, the next request tries again.
func (s *Logins) proceed(ctx context.Context, session Session) (Session, error) {
	if session.ended(s.Now()) {
		return session, nil
	}
	active, err := s.Active.Touch(ctx, session.Address, session.ID, waitersPerRoom*s.RoomsPerAddress, s.Now())
	if err != nil || session.Room.ID != "" {
		return session, err
	}
	before, err := s.countBefore(ctx, session.Address, session.ID, active)
	if err != nil {
		return session, err
	}
	isTurn := false
	session, err = s.Sessions.Change(ctx, session.ID, func(stored *Session) error {
		isTurn = stored.beginOpening(before, before < s.RoomsPerAddress, s.Now())
		return nil
	})
	if err != nil || !isTurn {
		return session, err
	}
	opened, openErr := s.open(ctx, session.ID, before)
	session, err = s.Sessions.Change(context.WithoutCancel(ctx), session.ID, func(stored *Session) error {
		stored.assign(opened, s.Now())
		return nil
	})
	if openErr != nil {
		s.Log.WarnContext(ctx, "no room was opened for a login that waited", "session", session.ID, "error", openErr)
	} else if room := roomOf(opened); err != nil || session.Room.ID != room.ID {
		s.closeRoomLater(ctx, room, textUnneeded)
	}
	return session, err
}

// countBefore returns how many logins of an address are before a session, and releases those that are over.
func (s *Logins) countBefore(ctx context.Context, address, id string, active []ActiveSession) (before int, err error) {
	for _, a := range active {
		if a.Session == id {
			return before, nil
		}
		over, err := s.isOver(ctx, a)
		if err != nil {
			return 0, err
		}
		if over {
			s.release(ctx, address, a.Session)
			continue
		}
		before++
	}
	return before, nil
}

// isOver reports whether a login has ended. It ends one that was given up, unless a visitor has entered its room, and
// counts the room among those of the hour.
func (s *Logins) isOver(ctx context.Context, a ActiveSession) (bool, error) {
	silent := s.Now().Sub(a.AskedAt)
	session, err := s.Sessions.Get(ctx, a.Session)
	switch {
	case errors.Is(err, ErrSessionUnknown):
		return silent >= openingTime, nil
	case err != nil:
		return false, err
	case session.ended(s.Now()):
		return true, nil
	case silent < givenUpAfter:
		return false, nil
	}
	givenUp := false
	session, err = s.Sessions.Change(ctx, a.Session, func(stored *Session) error {
		givenUp = stored.giveUp(s.Now())
		return nil
	})
	if err != nil || !givenUp {
		return session.ended(s.Now()), err
	}
	if session.Link != "" {
		s.countRoom(ctx, session)
	}
	if session.Room.ID != "" {
		s.closeRoomLater(ctx, session.Room, "")
	}
	return true, nil
}

// countRoom counts a room among those of its address in an hour. Where it cannot be counted, that is logged only.
func (s *Logins) countRoom(ctx context.Context, session Session) {
	if err := s.Limiter.Count(context.WithoutCancel(ctx), session.Address); err != nil {
		s.Log.WarnContext(ctx, "a room was not counted for its address", "session", session.ID, "error", err)
	}
}

// release removes a session from those of its address. One that cannot be removed is released by a later countBefore.
func (s *Logins) release(ctx context.Context, address, id string) {
	if err := s.Active.Release(context.WithoutCancel(ctx), address, id); err != nil {
		s.Log.WarnContext(ctx, "an ended login still counts for its address", "session", id, "error", err)
	}
}
