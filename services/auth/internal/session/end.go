package session

import "context"

// End ends the session of a refresh token. A token that is empty, unknown or used is no error.
func (s *Service) End(ctx context.Context, presented string) error {
	if presented == "" {
		return nil
	}
	return s.Families.RevokeByToken(ctx, hashOf(presented), ByLogout, s.Now())
}
