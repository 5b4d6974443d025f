package session

import (
	"context"
	"fmt"

	"capzone.dev/platform/event"
)

// Start begins a session for a player who has just proved the account. The one
// that the browser had until now, if any, ends: nobody holds its token any more.
// Returns ErrBanned.
func (s *Service) Start(ctx context.Context, player event.PlayerState, held string) (Grant, error) {
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
	if err := s.End(ctx, held); err != nil {
		s.Log.WarnContext(ctx, "the browser's earlier session goes on", "player", player.ID, "error", err)
	}
	return Grant{AccessToken: access, RefreshToken: raw, Player: player}, nil
}
