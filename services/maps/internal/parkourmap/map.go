// Package parkourmap is the domain of the maps service: how a map is submitted, who may submit
// it, how it is found, how it is edited, and how moderators and operators correct or remove it.
// Each use case declares beside it the small interfaces that it needs.
package parkourmap

import (
	"cmp"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
)

// Service is the name of the service in the audit log.
const Service = "maps"

// Map is one version of a map of the game.
type Map struct {
	// ID is a UUIDv7.
	ID string
	// Version is raised by one at each change of State.
	Version int64
	// GameMapID is the game's own id of the map, which all of its versions have.
	GameMapID int64
	// MapVersion counts the versions of a map of the game from 1.
	MapVersion int
	// Superseded is true while a newer version exists that is not removed.
	Superseded bool
	// Unranked is true while moderators have unranked the version: its records give no points.
	Unranked bool
	// UnrankedReason is the public reason of the decision that unranked the version, and empty where an operator has.
	UnrankedReason access.PublicReason
	Name           string
	Mode           bonkmap.Mode
	AuthorID       string
	SubmittedByID  string
	Description    string
	Tags           []string
	// Medals is nil where the author has not set any.
	Medals       *racetime.Medals
	Contributors []string
	// RemixOf is nil where the map is not a remix.
	RemixOf *Remix
	// Fingerprint is the hexadecimal hash of everything that affects physics.
	Fingerprint string
	Files       FileKeys
	CreatedAt   time.Time
	// UpdatedAt is when the map was submitted the last time, got another author, was edited, or lost the texts of an
	// author whose account was deleted. Each of these raises it, so that an edit of an older reading is recognised.
	UpdatedAt time.Time
	// RemovedAt is when the map was removed, and zero for a map on the site.
	RemovedAt time.Time
	// DrawingDue is true for a map that the service draws in the background.
	DrawingDue bool
}

// IsRemoved reports whether the map is removed from the site.
func (m Map) IsRemoved() bool { return !m.RemovedAt.IsZero() }

// Remix names the map that another map was made from.
type Remix struct {
	GameMapID    int64
	Name, Author string
}

// FileKeys are the keys of a map's files in the bucket. A removed map keeps its files.
type FileKeys struct {
	// Image and Thumbnail are the uploaded image, empty where the map's picture is its drawing.
	Image, Thumbnail string
	Replay           string
	// Drawing is the drawing as SVG, Picture and PictureThumbnail are the same as WebP. All are
	// empty where the map is not drawn yet.
	Drawing, Picture, PictureThumbnail string
	// PictureBucket is where other services read Picture.
	PictureBucket string
}

// Entry is a map as the site shows it.
type Entry struct {
	Map
	Author, SubmittedBy Player
	// Records is the number of records on the map that are not removed.
	Records int64
	// WorldRecord is nil on a map without records.
	WorldRecord *WorldRecord
}

// WorldRecord is the best record on a map.
type WorldRecord struct {
	ID         string
	FinishTime int64 // milliseconds
	Player     Player
}

// State returns the map's state event: what other services need of a map, which is everything
// public but tags, description, contributors, remix and uploaded images (see docs/events.md).
func (m Map) State() event.MapState {
	if m.IsRemoved() {
		return event.MapState{ID: m.ID, Version: m.Version, Removed: true}
	}
	return event.MapState{
		ID: m.ID, Version: m.Version, Name: m.Name, GameMapID: m.GameMapID, GameMode: m.Mode.String(),
		AuthorID: m.AuthorID, SubmittedByID: m.SubmittedByID, Fingerprint: m.Fingerprint,
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
		MapVersion: m.MapVersion, Superseded: m.Superseded, Unranked: m.Unranked,
		UnrankedReason: string(m.UnrankedReason),
		PictureBucket:  m.Files.PictureBucket, PictureKey: m.Files.Picture,
		Medals: (*event.Medals)(m.Medals),
	}
}

// Preview returns what the picture for a link to the map shows.
func (e Entry) Preview() sharecard.Map {
	card := sharecard.Map{
		Name: e.Name, Author: e.Author.Name, Mode: e.Mode.String(),
		Picture: sharecard.StoredPicture{Key: cmp.Or(e.Files.Picture, e.Files.Image)},
	}
	if e.MapVersion > 1 || e.Superseded {
		card.Version = e.MapVersion
	}
	if w := e.WorldRecord; w != nil {
		card.Time = racetime.Format(int(w.FinishTime))
		card.Holder = sharecard.Ball{Name: w.Player.Name, Color: w.Player.SkinColor}
	}
	return card
}
