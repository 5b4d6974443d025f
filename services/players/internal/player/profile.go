package player

import (
	"context"
	"time"
)

// Profile is what everybody may see of a player, with what they have. Lists are
// made of profiles, and so it holds nothing else.
type Profile struct {
	ID    string
	Name  string
	Level int
	// Avatar is the key of the avatar image in object storage, empty when there is none.
	Avatar string
	// SkinColor is the base colour of the game skin as #rrggbb, empty when unknown.
	SkinColor  string
	Roles      []string
	Registered bool
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// Maps are those of which the player is the author.
	Maps int64
	// Records are the player's runs that were not removed.
	Records int64
}

// AvatarURL is Player.AvatarURL.
func (p Profile) AvatarURL() string { return avatarURL(p.Avatar) }

// Profiles reads whole profiles, also of placeholders.
type Profiles interface {
	// ProfileByID returns ErrUnknown, also for what is no id at all. The id of a
	// player who was merged is answered with whom they were merged into.
	ProfileByID(ctx context.Context, id string) (Profile, error)
}
