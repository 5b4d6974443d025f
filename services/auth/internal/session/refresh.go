package session

import (
	"context"
	"errors"
)

// Refresh exchanges a refresh token for a new one and returns it with a new access token, which has
// the player's present name and roles. A token that was used before ends the family, unless it gets
// a sibling (see TokenState.use). It returns ErrMissing, ErrExpired, ErrInvalid, ErrReused or
// ErrEnded, or a problem of kind unavailable, which has used up nothing.
func (s *Service) Refresh(ctx context.Context, presented string) (Grant, error) {
	if presented == "" {
		return Grant{}, ErrMissing
	}
	arrivedAt, hash := s.Now(), hashOf(presented)
	playerID, err := s.Families.PlayerID(ctx, hash)
	if err != nil {
		return Grant{}, err
	}
	player, err := s.Players.Get(ctx, playerID)
	switch {
	case errors.Is(err, ErrPlayerUnknown):
		return Grant{}, ErrInvalid
	case err != nil:
		return Grant{}, err
	case player.Banned:
		return Grant{}, ErrEnded
	}
	access, err := s.Signer.Sign(player)
	if err != nil {
		return Grant{}, err
	}

	var raw string
	var refusal error
	err = s.Families.Exchange(ctx, hash, func(token TokenState) Decision {
		// The family is locked: what happened before this moment is committed.
		now := s.Now()
		var next Token
		raw, next = newToken(now)
		switch token.use(arrivedAt) {
		case rotate:
			return Decision{Next: &next, Rotate: true}
		case sibling:
			return Decision{Next: &next}
		case expired:
			refusal = ErrExpired
		case reused:
			s.Log.WarnContext(ctx, "refresh token was used twice, its family ends",
				"family", token.Family.ID, "player", playerID)
			refusal = ErrReused
			return Decision{Revoke: ByReuse, RevokeAt: now}
		case invalid:
			refusal = ErrInvalid
		}
		return Decision{}
	})
	if err != nil {
		return Grant{}, err
	}
	if refusal != nil {
		return Grant{}, refusal
	}
	return Grant{AccessToken: access, RefreshToken: raw, Player: player}, nil
}
