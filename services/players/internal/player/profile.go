package player

import (
	"context"
	"time"
)

// Profile is the public data of a player with totals, as in lists.
type Profile struct {
	ID    string
	Name  string
	Level int
	// Avatar is the key of the avatar image in object storage, or empty.
	Avatar string
	// SkinColor is the base colour of the game skin as #rrggbb, empty when unknown.
	SkinColor  string
	Roles      []string
	Registered bool
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// Maps is the number of maps of which the player is the author.
	Maps int64
	// Records is the number of the player's records that were not removed.
	Records int64
}

// AvatarURL returns the path of the avatar image, or "". See Player.AvatarURL.
func (p Profile) AvatarURL() string { return avatarURL(p.Avatar) }

// Profiles reads profiles, also of placeholders.
type Profiles interface {
	// GetProfile returns a profile, for a merged player that of the player merged into. It returns
	// ErrUnknown, also for an invalid id.
	GetProfile(ctx context.Context, id string) (Profile, error)
}
