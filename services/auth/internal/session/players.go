package session

import (
	"context"

	"capzone.dev/platform/event"
)

// TakePlayer takes in what the players service says of a player. New names and
// roles reach access tokens at the next refresh; a ban ends all sessions now.
func (s *Service) TakePlayer(ctx context.Context, p event.PlayerState) error {
	return s.Copies.TakePlayer(ctx, p, s.Now())
}
