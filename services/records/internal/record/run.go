package record

import (
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
)

// Run is one finished try on a map.
type Run struct {
	// ID is a UUIDv7.
	ID       string
	MapID    string
	PlayerID string
	// FinishTime is in milliseconds, on one of the game's 30 frames a second.
	FinishTime int
	// FinishTimeStamp is when the run was made, as its replay says.
	FinishTimeStamp time.Time
	// ReplayHash is the hexadecimal SHA-256 of the replay's bytes.
	ReplayHash string
	// CreatedAt is when the run was accepted.
	CreatedAt time.Time
}

// Map is the copy of a map.
type Map struct {
	ID string
	// Version is the map's own: a copy takes only what is newer.
	Version int64
	// Removed marks a tombstone, which has nothing else.
	Removed bool
	Name    string
	// BonkDBID is the game's own id of the map.
	BonkDBID int64
	// Fingerprint is the hexadecimal hash of everything that affects physics.
	Fingerprint string
	// Medals is the zero value when the author has not set any.
	Medals racetime.Medals
}

// Player is the copy of a player.
type Player struct {
	ID string
	// Version is the player's own: a copy takes only what is newer.
	Version int64
	// Removed marks a tombstone, which has nothing else but MergedInto.
	Removed bool
	// MergedInto is the id of whom a player who is no more was merged into. Their
	// runs are that one's.
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

// IsNamed tells whether the name is or was the player's.
func (p Player) IsNamed(name string) bool {
	return playername.Same(p.Name, name) || playername.OneOf(name, p.FormerNames...)
}

// Entry is a run as it is shown.
type Entry struct {
	Run
	Map    Map
	Player Player
	// PersonalBest is true when the run is the player's row on the leaderboard.
	PersonalBest bool
	// Rank is the row's place, counted from 1, and 0 where it is not told.
	Rank int64
}

// Medal is what the run earns by the map's medal times of today.
func (e Entry) Medal() racetime.Medal { return e.Map.Medals.Of(e.FinishTime) }

// MapOf reads what the map's owner tells of it.
func MapOf(s event.MapState) Map {
	if s.Removed {
		return Map{ID: s.ID, Version: s.Version, Removed: true}
	}
	m := Map{ID: s.ID, Version: s.Version, Name: s.Name, BonkDBID: s.BonkDBID, Fingerprint: s.Fingerprint}
	if s.Medals != nil {
		m.Medals = racetime.Medals{
			Author: int(s.Medals.Author), Gold: int(s.Medals.Gold), Silver: int(s.Medals.Silver), Bronze: int(s.Medals.Bronze),
		}
	}
	return m
}

// PlayerOf reads what the player's owner tells of them.
func PlayerOf(s event.PlayerState) Player {
	if s.Removed {
		return Player{ID: s.ID, Version: s.Version, Removed: true, MergedInto: s.MergedInto}
	}
	return Player{
		ID: s.ID, Version: s.Version, Name: s.Name, FormerNames: s.FormerNames, SkinImageURL: s.SkinImageURL, SkinColor: s.SkinColor,
		Registered: s.Registered, Banned: s.Banned,
	}
}
