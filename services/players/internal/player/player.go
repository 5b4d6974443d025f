// Package player is the domain of the players service: players, logins, roles, bans and merges.
// Each use case has a file.
package player

import (
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Service is the name of the service in the audit log.
const Service = "players"

// Player is a player of the game: registered by a verified login, or a placeholder for the author
// of a map who has never logged in.
type Player struct {
	ID      string
	Version int64
	Name    string
	// FormerNames are the names of players who were merged into this one. No other player has them.
	FormerNames []string
	// MergedInto is the id of the player into whom this one was merged, or empty.
	MergedInto string
	Level      int
	// Skin is the game's avatar as JSON, or empty.
	Skin []byte
	// SkinColor is the base colour of the skin as #rrggbb, or empty.
	SkinColor string
	// Avatar is the key of the avatar image in object storage, or empty.
	Avatar string
	// Roles are in the order in which they were granted.
	Roles      []string
	Registered bool
	Banned     bool
	// Ban is the ban of a banned player, and the zero value for others.
	Ban Ban
	// DeletedAt is when the account was deleted, and zero for others.
	DeletedAt time.Time
	CreatedAt time.Time
	// UpdatedAt is when what the profile shows was last changed.
	UpdatedAt time.Time
}

// Ban is why and until when a player is banned.
type Ban struct {
	// Reason is the moderator's or the operator's, PublicReason what the player is told.
	Reason       string
	PublicReason access.PublicReason
	// Until is when the ban ends by itself, and zero for a ban without an end.
	Until time.Time
	// DecisionID is the moderators' decision that banned the player, or empty.
	DecisionID string
}

// isOver reports whether the time of the ban is over.
func (b Ban) isOver(now time.Time) bool { return !b.Until.IsZero() && !now.Before(b.Until) }

// endsAfter reports whether the ban ends later than another one.
func (b Ban) endsAfter(other Ban) bool {
	return !other.Until.IsZero() && (b.Until.IsZero() || b.Until.After(other.Until))
}

// HasRole reports whether the player has a role.
func (p Player) HasRole(role string) bool { return slices.Contains(p.Roles, role) }

// Identity implements access.Account.
func (p Player) Identity() (id, name string) { return p.ID, p.Name }

// Rights implements access.Account.
func (p Player) Rights() (roles []string, banned, deleted bool) {
	return p.Roles, p.Banned, p.IsDeleted()
}

// AvatarURL returns the path of the avatar image on the site, or "". Images have the same path in object storage.
func (p Player) AvatarURL() string {
	if p.Avatar == "" {
		return ""
	}
	return "/media/" + p.Avatar
}

// State returns the public state of the player, a tombstone for one who was merged.
func (p Player) State() event.PlayerState {
	if p.MergedInto != "" {
		return event.PlayerState{ID: p.ID, Version: p.Version, Removed: true, MergedInto: p.MergedInto}
	}
	var ban *event.Ban
	if p.Banned {
		ban = &event.Ban{Until: p.Ban.Until, PublicReason: p.Ban.PublicReason, DecisionID: p.Ban.DecisionID}
	}
	return event.PlayerState{
		ID: p.ID, Version: p.Version, Name: p.Name, Level: p.Level,
		FormerNames:  append([]string(nil), p.FormerNames...),
		SkinImageURL: p.AvatarURL(), SkinColor: p.SkinColor,
		Roles: slices.Concat([]string{}, p.Roles), Registered: p.Registered, Banned: p.Banned, Ban: ban,
		Deleted:   p.IsDeleted(),
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}
