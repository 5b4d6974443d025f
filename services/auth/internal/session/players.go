package session

import (
	"context"

	"capzone.dev/platform/event"
)

// ApplyPlayer stores a newer state of a player. Names and roles reach access tokens at the next
// refresh; a ban ends all sessions of the player at once.
func (s *Service) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return s.Families.ApplyPlayer(ctx, p, s.Now())
}

// RevocationCause returns why the families of a player who is banned or removed are revoked.
func RevocationCause(p event.PlayerState) Cause {
	if p.MergedInto != "" {
		return ByMerge
	}
	return ByBan
}
