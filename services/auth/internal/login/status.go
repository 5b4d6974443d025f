package login

import "context"

// Status returns the status of a session to the browser that asked for it.
// It returns ErrSessionUnknown, ErrNotThisBrowser or ErrStoreUnavailable.
func (s *Service) Status(ctx context.Context, sessionID string, held Key) (Status, error) {
	session, err := s.getOwn(ctx, sessionID, held)
	if err != nil {
		return Status{}, err
	}
	return session.Status(s.Now()), nil
}

// getOwn returns a session for the browser that it belongs to.
func (s *Service) getOwn(ctx context.Context, sessionID string, held Key) (Session, error) {
	session, err := s.Sessions.Get(ctx, sessionID)
	if err != nil {
		return Session{}, err
	}
	if held.SessionID != sessionID || !session.heldBy(held.Secret) {
		return Session{}, ErrNotThisBrowser
	}
	return session, nil
}
