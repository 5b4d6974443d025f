package player

import "context"

// Profile is a player with what they have.
type Profile struct {
	Player
	// Maps are those of which the player is the author.
	Maps int64
	// Records are the player's runs that were not removed.
	Records int64
}

// Profiles reads whole profiles, also of placeholders.
type Profiles interface {
	// ProfileByID returns ErrUnknown, also for what is no id at all. The id of a
	// player who was merged is answered with whom they were merged into.
	ProfileByID(ctx context.Context, id string) (Profile, error)
}
