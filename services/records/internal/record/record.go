package record

import (
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/playername"
)

// Record is an accepted finish of a map by a player.
type Record struct {
	// ID is a UUIDv7.
	ID       string
	MapID    string
	PlayerID string
	// FinishTime is in milliseconds, on one of the game's 30 frames a second.
	FinishTime int
	// FinishTimeStamp is when the map was finished, as the replay says.
	FinishTimeStamp time.Time
	// Undated is true when the replay has no time stamp. FinishTimeStamp is then the
	// time of the submission.
	Undated bool
	// ReplayHash is the hexadecimal SHA-256 of the replay's bytes.
	ReplayHash string
	// CreatedAt is when the record was accepted.
	CreatedAt time.Time
}

// Map is the copy of a map.
type Map struct {
	ID string
	// Version is the map's own: a copy is only replaced by a higher one.
	Version int64
	// Removed marks a tombstone, which has no other fields.
	Removed bool
	Name    string
	// GameMapID is the game's own id of the map.
	GameMapID int64
	// Fingerprint is the hexadecimal hash of everything that affects physics.
	Fingerprint string
	// Medals is the zero value when the author has not set any.
	Medals racetime.Medals
}

// Player is the copy of a player.
type Player struct {
	ID string
	// Version is the player's own: a copy is only replaced by a higher one.
	Version int64
	// Removed marks a tombstone, which has no other fields but MergedInto.
	Removed bool
	// MergedInto is the id of the player that this one was merged into, and who has
	// their records. Empty where there is none.
	MergedInto string
	Name       string
	// FormerNames are those of players who were merged into this one.
	FormerNames []string
	// SkinImageURL and SkinColor are empty where there is none.
	SkinImageURL string
	SkinColor    string
	// Registered is false for a placeholder.
	Registered bool
	Banned     bool
}

// IsNamed reports whether the name is or was the player's.
func (p Player) IsNamed(name string) bool {
	return playername.Same(p.Name, name) || playername.OneOf(name, p.FormerNames...)
}

// Entry is a record as it is shown.
type Entry struct {
	Record
	Map    Map
	Player Player
	// PersonalBest is true when the record is the player's row on the leaderboard.
	PersonalBest bool
	// Rank is the row's rank, counted from 1, and 0 for a record that is no personal best.
	Rank int64
}

// Medal returns what the record earns by the map's medal times.
func (e Entry) Medal() racetime.Medal { return e.Map.Medals.Of(e.FinishTime) }

// EntryList is a page of a list.
type EntryList struct {
	Entries []Entry
	// Total counts the whole list.
	Total int64
}

// Page is the part of a list that is asked for.
type Page struct{ Offset, Limit int }

// DefaultPageSize is the limit of a page where none is given.
const DefaultPageSize = 10
