package session

import "context"

// End logs a browser out: the family of its refresh token ends. A token that is
// missing, unknown or used up has nothing to end, and that is fine.
func (s *Service) End(ctx context.Context, presented string) error {
	if presented == "" {
		return nil
	}
	return s.Families.RevokeToken(ctx, hashOf(presented), ByLogout, s.Now())
}
