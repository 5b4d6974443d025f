package login

import (
	"context"
	"errors"
	"fmt"
	"time"

	"capzone.dev/platform/event"
)

// Ticket is what a browser gets for a session.
type Ticket struct {
	SessionID string
	// RoomLink is empty while the session waits for its room.
	RoomLink string
	// Position is the number of logins before this one while it waits.
	Position int
	// RemainingLifetime is how long the session still lives, or may wait for its room.
	RemainingLifetime time.Duration
	// Key is what the browser's cookie has to hold from now on, for KeyTTL.
	Key    Key
	KeyTTL time.Duration
}

// Key names a session and proves that this browser asked for it.
type Key struct {
	SessionID string
	Secret    string
}

// Request asks for a room for the browser at address, or returns the session that this browser has already, so that a
// reload opens no second room. Where the address has as many rooms as it may, the login waits for one of them. It
// returns ErrTooManyRooms, ErrAddressBusy, ErrNoRoom, ErrNoBot or ErrStoreUnavailable.
func (s *Logins) Request(ctx context.Context, browserKey Key, address string) (Ticket, error) {
	if ticket, ok, err := s.resume(ctx, browserKey); err != nil || ok {
		return ticket, err
	}
	if err := s.Limiter.Check(ctx, address); err != nil {
		return Ticket{}, err
	}
	id, secret := s.NewID(), newSecret()
	before, err := s.join(ctx, address, id)
	if err != nil {
		return Ticket{}, err
	}
	session, err := s.create(ctx, id, secret, address, before)
	if err != nil {
		s.release(ctx, address, id)
		return Ticket{}, err
	}
	s.Log.InfoContext(ctx, "login begins", "session", id, "room", session.Room.ID, "position", session.Position)
	return ticketOf(&session, Key{SessionID: id, Secret: secret}, s.Now()), nil
}

// resume finds the live session of a browser.
func (s *Logins) resume(ctx context.Context, browserKey Key) (Ticket, bool, error) {
	if browserKey.SessionID == "" {
		return Ticket{}, false, nil
	}
	session, err := s.Sessions.Get(ctx, browserKey.SessionID)
	switch {
	case errors.Is(err, ErrSessionUnknown):
		return Ticket{}, false, nil
	case err != nil:
		return Ticket{}, false, err
	case !session.heldBy(browserKey.Secret), session.ended(s.Now()):
		return Ticket{}, false, nil
	}
	session, err = s.proceed(ctx, session)
	return ticketOf(&session, browserKey, s.Now()), true, err
}

// create stores a session, with a room where fewer logins of the address are before it than it may have rooms.
func (s *Logins) create(ctx context.Context, id, secret, address string, before int) (Session, error) {
	now := s.Now()
	session := Session{
		ID: id, Browser: digest(secret), Address: address, Position: before,
		State: Pending, Reason: Waiting, CreatedAt: now, ExpiresAt: now.Add(NetworkTimeout),
	}
	if before < s.RoomsPerAddress {
		opened, err := s.open(ctx, id, before)
		if err != nil {
			return Session{}, err
		}
		session.assign(opened, s.Now())
	}
	if err := s.Sessions.Create(ctx, session); err != nil {
		if session.Room.ID != "" {
			s.closeRoom(ctx, session.Room, textUnneeded)
		}
		return Session{}, err
	}
	return session, nil
}

// open asks a bot for the room of a session whose address has others. It returns ErrNoRoom or ErrNoBot.
func (s *Logins) open(ctx context.Context, id string, others int) (event.RoomOpened, error) {
	openCtx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	lifetime := (Lifetime + roomGrace).Milliseconds()
	opened, err := s.Bots.Open(openCtx, event.OpenRoom{Session: id, Lifetime: lifetime, Held: others})
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, ErrNoBot) {
		return opened, err
	}
	return event.RoomOpened{}, ErrNoRoom.Wrap(fmt.Errorf("open a room: %w", err))
}

func ticketOf(s *Session, key Key, now time.Time) Ticket {
	keyTTL := s.ForgetAt().Sub(now)
	if s.Link == "" {
		keyTTL += Lifetime // which begins when the room is open
	}
	return Ticket{
		SessionID: s.ID, RoomLink: s.Link, Position: s.Position,
		RemainingLifetime: s.ExpiresAt.Sub(now), Key: key, KeyTTL: keyTTL,
	}
}

// Status returns the status of a session to the browser that asked for it. The request also advances a login that
// waits for its room. It returns ErrSessionUnknown, ErrNotThisBrowser or ErrStoreUnavailable.
func (s *Logins) Status(ctx context.Context, sessionID string, browserKey Key) (Status, error) {
	session, err := s.getOwn(ctx, sessionID, browserKey)
	if err == nil {
		session, err = s.proceed(ctx, session)
	}
	if err != nil {
		return Status{}, err
	}
	return session.Status(s.Now()), nil
}

// getOwn returns a session for the browser that it belongs to.
func (s *Logins) getOwn(ctx context.Context, sessionID string, browserKey Key) (Session, error) {
	session, err := s.Sessions.Get(ctx, sessionID)
	if err != nil {
		return Session{}, err
	}
	if browserKey.SessionID != sessionID || !session.heldBy(browserKey.Secret) {
		return Session{}, ErrNotThisBrowser
	}
	return session, nil
}
