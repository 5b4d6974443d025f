package event

import "time"

// Subject prefixes of states. The entity's id follows.
const (
	PlayerStatePrefix = "state.v1.player."
	MapStatePrefix    = "state.v1.map."
	MapStatsPrefix    = "state.v1.mapstats."
	PlayerStatsPrefix = "state.v1.playerstats."
)

// PlayerState is what other services need of a player. Owned by players.
type PlayerState struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
	// Removed marks a tombstone: only ID, Version and MergedInto count.
	Removed bool `json:"removed,omitempty"`
	// MergedInto is set on the tombstone of a player who was merged into another: whatever names the one means the
	// other, who may have been merged again.
	MergedInto string `json:"mergedInto,omitempty"`
	Name       string `json:"name"`
	// FormerNames are those of players who were merged into this one, until another account logs in under them.
	FormerNames []string `json:"formerNames,omitempty"`
	Level       int      `json:"level"`
	// SkinImageURL is the path of the avatar image, empty when there is none.
	SkinImageURL string `json:"skinImageUrl,omitempty"`
	// SkinColor is the base colour of the game skin as #rrggbb, empty when unknown.
	SkinColor string   `json:"skinColor,omitempty"`
	Roles     []string `json:"roles"`
	// Registered is false for a placeholder: a map's author who has never logged in.
	Registered bool      `json:"registered"`
	Banned     bool      `json:"banned,omitempty"`
	CreatedAt  time.Time `json:"createdAt"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

// Subject implements State.
func (s PlayerState) Subject() string { return PlayerStatePrefix + s.ID }

// StateVersion implements State.
func (s PlayerState) StateVersion() int64 { return s.Version }

// Rights implements access.Account.
func (s PlayerState) Rights() (roles []string, banned bool) { return s.Roles, s.Banned }

// Medals are the finish times that earn a medal, in milliseconds.
type Medals struct {
	Author int64 `json:"author"`
	Gold   int64 `json:"gold"`
	Silver int64 `json:"silver"`
	Bronze int64 `json:"bronze"`
}

// MapState is what other services need of a map. Owned by maps.
type MapState struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
	// Removed marks a tombstone: only ID and Version count.
	Removed bool   `json:"removed,omitempty"`
	Name    string `json:"name"`
	// GameMapID is the game's own id of the map.
	GameMapID int64 `json:"bonkDbId"`
	// GameMode is a display name: Classic, Grapple, VTOL, Arrows, Death Arrows, Simple.
	GameMode string `json:"gameMode"`
	AuthorID string `json:"authorId"`
	// SubmittedByID is the player who submitted the map: the author or a validator.
	SubmittedByID string `json:"submittedById"`
	// Fingerprint is the hexadecimal hash of everything in the map that affects physics.
	Fingerprint string `json:"fingerprint"`
	// MapVersion counts the versions of a map of the game from 1. In older messages it is 0, which means 1.
	MapVersion int `json:"mapVersion,omitempty"`
	// Superseded is true while a newer version exists: searches and totals leave this one out.
	Superseded bool `json:"superseded,omitempty"`
	// PictureKey is the drawing of the map, WebP of 1200×630 pixels, in PictureBucket of the maps service. Both are
	// empty where the map is not drawn yet.
	PictureBucket string `json:"pictureBucket,omitempty"`
	PictureKey    string `json:"pictureKey,omitempty"`
	// Medals is nil when the author has not set any.
	Medals    *Medals   `json:"medals,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Subject implements State.
func (s MapState) Subject() string { return MapStatePrefix + s.ID }

// StateVersion implements State.
func (s MapState) StateVersion() int64 { return s.Version }

// MapStats are the totals of one map, absolute. Owned by records.
type MapStats struct {
	MapID   string `json:"mapId"`
	Version int64  `json:"version"`
	// Records is the number of records that are not removed.
	Records int64 `json:"records"`
	// WorldRecord is nil on a map without records.
	WorldRecord *WorldRecord `json:"worldRecord,omitempty"`
}

// WorldRecord is the fastest record of a map that is not removed; of equally fast ones the one that was accepted first.
type WorldRecord struct {
	RecordID   string `json:"recordId"`
	PlayerID   string `json:"playerId"`
	FinishTime int64  `json:"finishTime"` // milliseconds
	// At is when it became the world record.
	At time.Time `json:"at"`
}

// Subject implements State.
func (s MapStats) Subject() string { return MapStatsPrefix + s.MapID }

// StateVersion implements State.
func (s MapStats) StateVersion() int64 { return s.Version }

// PlayerStats are the totals of one player, absolute. Owned by records.
type PlayerStats struct {
	PlayerID string `json:"playerId"`
	Version  int64  `json:"version"`
	// Records is the number of records that are not removed.
	Records int64 `json:"records"`
}

// Subject implements State.
func (s PlayerStats) Subject() string { return PlayerStatsPrefix + s.PlayerID }

// StateVersion implements State.
func (s PlayerStats) StateVersion() int64 { return s.Version }
