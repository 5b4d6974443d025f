package login

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Ticket is what a browser gets for a session.
type Ticket struct {
	SessionID string
	RoomLink  string
	// Left is how long the session still lives.
	Left time.Duration
	// Key is what the browser's cookie has to hold from now on, and for how long.
	Key    Key
	KeyFor time.Duration
}

// Key names a session and proves that this browser asked for it.
type Key struct {
	SessionID string
	Secret    string
}

// Request opens a room for the browser at address, or answers with the session
// that this browser has already, so that a reload opens no second room. Returns
// ErrTooManyRooms, ErrNoRoom or ErrStoreUnavailable.
func (s *Service) Request(ctx context.Context, held Key, address string) (Ticket, error) {
	if ticket, ok, err := s.resume(ctx, held); err != nil || ok {
		return ticket, err
	}
	if err := s.Limiter.Allow(ctx, address); err != nil {
		return Ticket{}, err
	}
	id, secret := s.NewID(), newSecret()
	room, err := s.openRoom(ctx, id)
	if err != nil {
		return Ticket{}, err
	}
	now := s.Now()
	session := Session{
		ID: id, Browser: digest(secret), Room: room,
		State: Pending, Reason: Waiting,
		CreatedAt: now, ExpiresAt: now.Add(Lifetime),
	}
	if err := s.Sessions.Create(ctx, session); err != nil {
		s.closeRoom(ctx, room, textGone)
		return Ticket{}, err
	}
	s.Log.InfoContext(ctx, "login begins", "session", id, "room", room.ID)
	return ticketOf(&session, Key{SessionID: id, Secret: secret}, now), nil
}

// resume finds the live session of a browser.
func (s *Service) resume(ctx context.Context, held Key) (Ticket, bool, error) {
	if held.SessionID == "" {
		return Ticket{}, false, nil
	}
	session, err := s.Sessions.Get(ctx, held.SessionID)
	if errors.Is(err, ErrSessionUnknown) {
		return Ticket{}, false, nil
	}
	if err != nil {
		return Ticket{}, false, err
	}
	now := s.Now()
	if !session.heldBy(held.Secret) || session.ended(now) {
		return Ticket{}, false, nil
	}
	return ticketOf(&session, held, now), true, nil
}

func (s *Service) openRoom(ctx context.Context, session string) (Room, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	room, err := s.Bots.Open(ctx, session, Lifetime+roomGrace)
	if err != nil {
		return Room{}, ErrNoRoom.Wrap(fmt.Errorf("open a room: %w", err))
	}
	return room, nil
}

func ticketOf(s *Session, key Key, now time.Time) Ticket {
	return Ticket{
		SessionID: s.ID, RoomLink: s.Room.Link, Left: s.ExpiresAt.Sub(now),
		Key: key, KeyFor: s.ForgetAt().Sub(now),
	}
}
