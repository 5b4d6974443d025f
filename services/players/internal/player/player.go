// Package player is the domain of the players service: who plays, who has
// proved an account, who may do what. One use case a file.
package player

import (
	"bytes"
	"regexp"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// Player is somebody who plays the game: registered after a verified login, or
// a placeholder for the author of a map who has never logged in.
type Player struct {
	ID      string
	Version int64
	Name    string
	// FormerNames are those of players who were merged into this one. Nobody else
	// has them.
	FormerNames []string
	// MergedInto is the id of whom the player was merged into, for good, and
	// empty for everybody else.
	MergedInto string
	Level      int
	// Skin is the game's avatar as JSON, empty when unknown.
	Skin []byte
	// SkinColor is the base colour of the game skin as #rrggbb, empty when unknown.
	SkinColor string
	// Avatar is the key of the avatar image in object storage, empty when there is none.
	Avatar string
	// Roles are in the order in which they were given.
	Roles      []string
	Registered bool
	Banned     bool
	BanReason  string
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Roles that mean more than a badge.
const (
	Admin     = "admin"
	Moderator = "moderator"
)

// HasRole tells whether the player has one of the roles.
func (p Player) HasRole(roles ...string) bool {
	return slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(p.Roles, role) })
}

// AvatarURL is the path of the avatar image on the site, empty when there is
// none: images lie in storage under the names that they are served by.
func (p Player) AvatarURL() string { return avatarURL(p.Avatar) }

func avatarURL(key string) string {
	if key == "" {
		return ""
	}
	return mediaPath + key
}

// mediaPath is where the gateway routes the files of all services.
const mediaPath = "/media/"

// avatarKey is what the key of an avatar image looks like.
var avatarKey = regexp.MustCompile(`^skins/[0-9a-f]{64}\.webp$`)

// IsAvatarKey tells whether key can be the key of an avatar image.
func IsAvatarKey(key string) bool { return avatarKey.MatchString(key) }

// State is what everybody may know about the player.
func (p Player) State() event.PlayerState {
	if p.MergedInto != "" {
		return event.PlayerState{ID: p.ID, Version: p.Version, Removed: true, MergedInto: p.MergedInto}
	}
	return event.PlayerState{
		ID: p.ID, Version: p.Version, Name: p.Name, FormerNames: append([]string(nil), p.FormerNames...), Level: p.Level,
		SkinImageURL: p.AvatarURL(), SkinColor: p.SkinColor,
		Roles: slices.Concat([]string{}, p.Roles), Registered: p.Registered, Banned: p.Banned,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

// Clone returns a copy that shares nothing with p.
func (p Player) Clone() Player {
	p.Skin = slices.Clone(p.Skin)
	p.Roles = slices.Clone(p.Roles)
	p.FormerNames = slices.Clone(p.FormerNames)
	return p
}

// SameAs tells whether an edit that made q of p altered nothing.
func (p Player) SameAs(q Player) bool {
	return bytes.Equal(p.Skin, q.Skin) && slices.Equal(p.Roles, q.Roles) && slices.Equal(p.FormerNames, q.FormerNames) &&
		p.MergedInto == q.MergedInto && p.CreatedAt.Equal(q.CreatedAt) &&
		p.Name == q.Name && p.Level == q.Level && p.SkinColor == q.SkinColor && p.Avatar == q.Avatar &&
		p.Registered == q.Registered && p.Banned == q.Banned && p.BanReason == q.BanReason
}
