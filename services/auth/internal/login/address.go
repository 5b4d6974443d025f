package login

import (
	"context"
	"errors"
	"time"
)

const (
	// claimAttempts is how often a claim is tried while sessions of the address end.
	claimAttempts = 4
	// openingTime is how long after its claim a session may not be stored yet.
	openingTime = openTimeout + 5*time.Second
)

// claim adds a session to those that its address has under way, and returns how many
// there are besides. Where there are as many as may be, it ends the oldest session
// whose room is still empty. It returns ErrAddressBusy or ErrStoreUnavailable.
func (s *Service) claim(ctx context.Context, address, id string) (others int, err error) {
	for range claimAttempts {
		claims, added, err := s.Addresses.Claim(ctx, address, id)
		if err != nil {
			return 0, err
		}
		live, err := s.releaseEnded(ctx, address, claims)
		if err != nil {
			return 0, err
		}
		if added {
			return len(live), nil
		}
		if len(live) < len(claims) {
			continue
		}
		if replaced, err := s.replaceOldest(ctx, address, live); err != nil || !replaced {
			return 0, errors.Join(err, ErrAddressBusy)
		}
	}
	return 0, ErrAddressBusy
}

// releaseEnded releases the claims whose sessions have ended, and returns the others.
func (s *Service) releaseEnded(ctx context.Context, address string, claims []Claim) (live []Claim, err error) {
	for _, claim := range claims {
		session, err := s.Sessions.Get(ctx, claim.Session)
		isUnknown := errors.Is(err, ErrSessionUnknown)
		switch {
		case err != nil && !isUnknown:
			return nil, err
		case isUnknown && s.Now().Before(claim.At.Add(openingTime)):
			live = append(live, claim) // its room is being opened
		case isUnknown || session.ended(s.Now()):
			s.release(ctx, address, claim.Session)
		default:
			live = append(live, claim)
		}
	}
	return live, nil
}

// replaceOldest ends the oldest session whose room is still empty, and reports whether there was one.
func (s *Service) replaceOldest(ctx context.Context, address string, live []Claim) (bool, error) {
	for _, claim := range live {
		session, err := s.Sessions.Change(ctx, claim.Session, func(session *Session) error {
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
			s.release(ctx, address, claim.Session)
			s.closeRoomLater(ctx, session.Room, "")
			return true, nil
		}
	}
	return false, nil
}

// release removes a session from those of its address. One that stays is found to
// have ended when it is in the way.
func (s *Service) release(ctx context.Context, address, id string) {
	if err := s.Addresses.Release(context.WithoutCancel(ctx), address, id); err != nil {
		s.Log.WarnContext(ctx, "a session was not released from its address", "session", id, "error", err)
	}
}
