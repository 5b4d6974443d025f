package session

import (
	"context"
	"fmt"

	"capzone.dev/platform/event"
)

// Start begins a session of a player who has just proved the account. It returns ErrBanned for a
// player who is banned or removed.
func (s *Service) Start(ctx context.Context, player event.PlayerState) (Grant, error) {
	if player.Banned || player.Removed {
		return Grant{}, ErrBanned
	}
	access, err := s.Signer.Sign(player)
	if err != nil {
		return Grant{}, err
	}
	raw, token := newToken(s.Now())
	if err := s.Families.Start(ctx, Family{ID: s.NewID(), PlayerID: player.ID}, token, player); err != nil {
		return Grant{}, fmt.Errorf("start a session: %w", err)
	}
	return Grant{AccessToken: access, RefreshToken: raw, Player: player}, nil
}
