package session

import (
	"context"
	"errors"
)

// Refresh exchanges a refresh token for a new one and returns it with a new access token, which has the player's
// present name, roles and ban. A token that was used longer than Grace ago ends the family. It returns ErrMissing,
// ErrExpired, ErrInvalid or ErrReused, or a problem of kind unavailable, which has used up nothing.
func (s *Service) Refresh(ctx context.Context, presented string) (Grant, error) {
	if presented == "" {
		return Grant{}, ErrMissing
	}
	arrivedAt, hash := s.Now(), hashOf(presented)
	family, err := s.Families.Family(ctx, hash)
	if err != nil {
		return Grant{}, err
	}
	player, err := s.Players.Get(ctx, family.PlayerID)
	switch {
	case errors.Is(err, ErrPlayerUnknown):
		return Grant{}, ErrInvalid
	case err != nil:
		return Grant{}, err
	}
	player = withoutRights(player)
	access, err := s.Signer.Sign(player, family.ID)
	if err != nil {
		return Grant{}, err
	}

	outcome, err := s.Families.Exchange(ctx, hash, func(token TokenState) Exchange {
		// The family is locked: what happened before this moment is committed.
		return exchange(token, arrivedAt, s.Now())
	})
	if err != nil {
		return Grant{}, err
	}
	if outcome.Revoke != "" {
		s.Log.WarnContext(ctx, "refresh token was used twice, its family ends", "player", family.PlayerID)
	}
	if outcome.Refusal != nil {
		return Grant{}, outcome.Refusal
	}
	return Grant{AccessToken: access, RefreshToken: outcome.Raw, Player: player}, nil
}
