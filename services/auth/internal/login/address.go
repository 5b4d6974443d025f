package login

import (
	"context"
	"errors"
	"time"
)

const (
	// reserveAttempts is how often a reservation is tried while sessions of the address end.
	reserveAttempts = 4
	// openingTime is how long after its reservation a session may not be stored yet.
	openingTime = openTimeout + 5*time.Second
)

// reserve adds a session to those that its address has under way, and returns how many
// there are besides. Where there are as many as may be, it ends the oldest session
// whose room is still empty. It returns ErrAddressBusy or ErrStoreUnavailable.
func (s *Service) reserve(ctx context.Context, address, id string) (others int, err error) {
	for range reserveAttempts {
		active, added, err := s.Active.Reserve(ctx, address, id)
		if err != nil {
			return 0, err
		}
		live, err := s.releaseEnded(ctx, address, active)
		if err != nil {
			return 0, err
		}
		if added {
			return len(live), nil
		}
		if len(live) < len(active) {
			continue
		}
		if replaced, err := s.replaceOldest(ctx, address, live); err != nil || !replaced {
			return 0, errors.Join(err, ErrAddressBusy)
		}
	}
	return 0, ErrAddressBusy
}

// releaseEnded releases the reservations whose sessions have ended, and returns the others.
func (s *Service) releaseEnded(
	ctx context.Context, address string, active []Reservation,
) (live []Reservation, err error) {
	for _, reserved := range active {
		session, err := s.Sessions.Get(ctx, reserved.Session)
		isUnknown := errors.Is(err, ErrSessionUnknown)
		switch {
		case err != nil && !isUnknown:
			return nil, err
		case isUnknown && s.Now().Before(reserved.At.Add(openingTime)):
			live = append(live, reserved) // its room is being opened
		case isUnknown || session.ended(s.Now()):
			s.release(ctx, address, reserved.Session)
		default:
			live = append(live, reserved)
		}
	}
	return live, nil
}

// replaceOldest ends the oldest session whose room is still empty, and reports whether there was one.
func (s *Service) replaceOldest(ctx context.Context, address string, live []Reservation) (bool, error) {
	for _, reserved := range live {
		session, err := s.Sessions.Change(ctx, reserved.Session, func(session *Session) error {
			session.replace(s.Now())
			return nil
		})
		if errors.Is(err, ErrSessionUnknown) {
			continue // its room is being opened
		}
		if err != nil {
			return false, err
		}
		if session.ended(s.Now()) {
			s.release(ctx, address, reserved.Session)
			s.closeRoomLater(ctx, session.Room, "")
			return true, nil
		}
	}
	return false, nil
}

// release removes a session from those of its address. One that stays is found to
// have ended when it is in the way.
func (s *Service) release(ctx context.Context, address, id string) {
	if err := s.Active.Release(context.WithoutCancel(ctx), address, id); err != nil {
		s.Log.WarnContext(ctx, "a session was not released from its address", "session", id, "error", err)
	}
}
