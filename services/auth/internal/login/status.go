package login

import "context"

// Status tells the browser that asked for a session how it stands.
// Returns ErrSessionUnknown, ErrNotThisBrowser or ErrStoreUnavailable.
func (s *Service) Status(ctx context.Context, sessionID string, held Key) (Status, error) {
	session, err := s.mine(ctx, sessionID, held)
	if err != nil {
		return Status{}, err
	}
	return session.Status(s.Now()), nil
}

// mine reads a session for the browser that it belongs to.
func (s *Service) mine(ctx context.Context, sessionID string, held Key) (Session, error) {
	session, err := s.Sessions.Get(ctx, sessionID)
	if err != nil {
		return Session{}, err
	}
	if held.SessionID != sessionID || !session.heldBy(held.Secret) {
		return Session{}, ErrNotThisBrowser
	}
	return session, nil
}
