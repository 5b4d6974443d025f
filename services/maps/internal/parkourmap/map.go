package parkourmap

import (
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

// Map is a map of the catalogue.
type Map struct {
	// ID is a UUIDv7.
	ID string
	// Version is raised by one at each change that others copy.
	Version int64
	// BonkDBID is the game's own id of the map.
	BonkDBID      int64
	Name          string
	Mode          bonkmap.Mode
	AuthorID      string
	SubmittedByID string
	Description   string
	Tags          []string
	// Medals is nil when the author has not set any.
	Medals       *racetime.Medals
	Contributors []string
	// RemixOf is nil when the map is nobody's remix.
	RemixOf *Remix
	// Fingerprint is the hexadecimal hash of everything that affects physics.
	Fingerprint string
	Files       FileKeys
	CreatedAt   time.Time
	UpdatedAt   time.Time
	// Removed is true for a map that an operator took down.
	Removed bool
}

// Remix credits the map that another was made from.
type Remix struct {
	BonkDBID     int64
	Name, Author string
}

// FileKeys are where a map's files lie in the bucket. A removed map has no pictures.
type FileKeys struct{ Image, Thumbnail, Replay string }

// Player is the copy of a player whom maps name.
type Player struct {
	ID string
	// Version is the player's own: a copy takes only what is newer.
	Version int64
	// Removed marks a tombstone.
	Removed bool
	// MergedInto is the id of whom a player who is no more was merged into. Their
	// maps are that one's.
	MergedInto string
	Name       string
	// FormerNames are those of players who were merged into this one.
	FormerNames []string
	// SkinImageURL and SkinColor are empty where there is none.
	SkinImageURL string
	SkinColor    string
	Banned       bool
}

// PlayerOf is the copy of a player whose state was told.
func PlayerOf(s event.PlayerState) Player {
	return Player{
		ID: s.ID, Version: s.Version, Removed: s.Removed, MergedInto: s.MergedInto, Name: s.Name, FormerNames: s.FormerNames,
		SkinImageURL: s.SkinImageURL, SkinColor: s.SkinColor, Banned: s.Banned,
	}
}

// Entry is a map as the catalogue shows it.
type Entry struct {
	Map
	Author, SubmittedBy Player
	// Records counts the runs on the map that were not removed.
	Records int64
}

// State is what other services are told of the map.
func (m Map) State() event.MapState {
	if m.Removed {
		return event.MapState{ID: m.ID, Version: m.Version, Removed: true}
	}
	state := event.MapState{
		ID:            m.ID,
		Version:       m.Version,
		Name:          m.Name,
		BonkDBID:      m.BonkDBID,
		GameMode:      m.Mode.String(),
		AuthorID:      m.AuthorID,
		SubmittedByID: m.SubmittedByID,
		Fingerprint:   m.Fingerprint,
		CreatedAt:     m.CreatedAt,
		UpdatedAt:     m.UpdatedAt,
	}
	if m.Medals != nil {
		state.Medals = &event.Medals{
			Author: int64(m.Medals.Author), Gold: int64(m.Medals.Gold),
			Silver: int64(m.Medals.Silver), Bronze: int64(m.Medals.Bronze),
		}
	}
	return state
}
