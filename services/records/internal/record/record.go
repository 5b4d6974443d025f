// Package record is the domain of records: how a record is submitted and ranked, and how a
// moderator removes one. Package leaderboard reads them.
//
// A record is a player's accepted finish of a map, with its replay. Every accepted record is kept. A map's leaderboard
// has one row for each player, their personal best: the fastest of their records, and of equally fast ones the one that
// was accepted first. Rows are ordered by finish time, then by the replay's time stamp, then by id, so that no two rows
// share a rank.
//
// A record is active unless it or its map is removed, or its player is hidden. The totals
// of a map, of a player and of the site count active records. What was removed or hidden
// and comes back leaves everything as if that had never happened.
//
// A world record is a record that is strictly faster than all active records of its map
// that were accepted before it. An equal time equals the world record.
//
// The package knows nothing of HTTP, SQL, NATS or object storage. Each use case declares the interfaces that it needs.
package record

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/services/records/internal/points"
)

// Service is the name of the service in the audit log.
const Service = "records"

// Record is an accepted finish of a map by a player.
type Record struct {
	// ID is a UUIDv7.
	ID       string
	MapID    string
	PlayerID string
	// FinishTime is in milliseconds, on one of the game's 30 frames a second.
	FinishTime int
	// FinishTimeStamp is when the map was finished, according to the replay.
	FinishTimeStamp time.Time
	// Undated is true when the replay has no time stamp, or one that is ahead of the clock. FinishTimeStamp is then
	// the time of the submission.
	Undated bool
	// ReplayHash is the hexadecimal SHA-256 of the replay's bytes.
	ReplayHash string
	// CreatedAt is when the record was accepted.
	CreatedAt time.Time
}

// DuplicateProblem returns why a record is refused for which FindDuplicate has found an existing one: ErrReplayCopied
// if that one is another player's, else ErrReplayExists. Both carry the _id of the existing record.
func (r Record) DuplicateProblem(existing Record) error {
	if r.ReplayHash == existing.ReplayHash || r.PlayerID == existing.PlayerID {
		return ErrReplayExists.WithData("_id", existing.ID)
	}
	return ErrReplayCopied.WithData("_id", existing.ID)
}

// Map is the copy of a map.
type Map struct {
	ID string
	// Version is the map's own: a copy is only replaced by a higher one.
	Version int64
	// Removed marks a map that is not shown. The other fields are those from before, as far as they are known.
	Removed bool
	Name    string
	// Mode is the display name of the game's mode.
	Mode string
	// GameMapID is the game's own id of the map, and MapVersion is which of its versions it is, counted from 1.
	GameMapID  int64
	MapVersion int
	// Superseded is true when there is a newer version that is not removed.
	Superseded bool
	// Unranked is true while moderators have unranked the map: its records give no points.
	Unranked bool
	// UnrankedReason is the public reason of the decision, and empty where an operator has unranked the map.
	UnrankedReason access.PublicReason
	// AuthorID is the author's.
	AuthorID string
	// Fingerprint is the hexadecimal hash of everything that affects physics.
	Fingerprint string
	// Medals is the zero value when the author has not set any.
	Medals racetime.Medals
	// Picture is where the drawn picture is stored, and the zero value where there is none.
	Picture StoredFile
}

// StoredFile names a file in the object storage.
type StoredFile struct{ Bucket, Key string }

// Player is the copy of a player.
type Player = event.PlayerState

// RankedRecord is a record as it is shown.
type RankedRecord struct {
	Record
	Map    Map
	Player Player
	// PersonalBest is true when the record is the player's row on the leaderboard.
	PersonalBest bool
	// Rank is the row's rank, counted from 1, and 0 for a record that is no personal best.
	Rank int64
	// Of is how many rows the leaderboard has.
	Of int64
	// Gap is nil except on a leaderboard, and nil there for its first row.
	Gap *Gap
	// Points are those of the player on the map, and nil except on the leaderboard of a map that counts, for players that
	// count. They are 0 where too few have finished the map.
	Points *points.Tenths
	// IsWorldRecord is true for the map's world record now, and EqualsWorldRecord for another record of the same time.
	IsWorldRecord, EqualsWorldRecord bool
}

// Medal returns what the record earns by the map's medal times.
func (r RankedRecord) Medal() racetime.Medal { return r.Map.Medals.Of(r.FinishTime) }

// Gap is by how many milliseconds a row of a leaderboard is slower than others. Equal times have a gap of 0.
type Gap struct{ ToAbove, ToFirst int }

// MapCopies stores the copies of maps.
type MapCopies interface {
	// Map returns the copy of a map, also a tombstone, or ErrMapUnknown.
	Map(ctx context.Context, id string) (Map, error)
	// MapVersion returns the copy of the version of a game's map that has the fingerprint and is not removed, or
	// ErrMapUnknown.
	MapVersion(ctx context.Context, gameMapID int64, fingerprint string) (Map, error)
	// ApplyMap stores the map if its version is higher than the copy's. A tombstone clears the map's leaderboard and
	// subtracts its records from all totals; a later state that is none brings all of it back.
	ApplyMap(ctx context.Context, m Map) error
}

// MapOwner is the service that owns maps. It also returns removed maps.
type MapOwner interface {
	// Map returns a map, ErrMapUnknown, or a problem of kind unavailable.
	Map(ctx context.Context, id string) (Map, error)
	// MapVersion returns the version of a game's map that has the fingerprint. If none has it, it returns the newest
	// version that is not removed, or else the newest one. Its errors are those of Map.
	MapVersion(ctx context.Context, gameMapID int64, fingerprint string) (Map, error)
}

// Maps finds maps in the copies, and asks the owner for a map whose copy has not arrived. Its
// method Get finds a map by id. It returns ErrMapUnknown or ErrMapRemoved, or a problem of kind
// unavailable if there is no copy and the owner does not answer.
type Maps struct {
	*lookup.Lookup[Map]
	copies MapCopies
	owner  MapOwner
}

// NewMaps returns the maps in copies, which belong to owner.
func NewMaps(copies MapCopies, owner MapOwner) *Maps {
	return &Maps{&lookup.Lookup[Map]{
		Load:  copies.Map,
		Apply: copies.ApplyMap,
		Ask:   owner.Map,
		Header: func(m Map) lookup.Header {
			return lookup.Header{ID: m.ID, Version: m.Version, Removed: m.Removed}
		},
		ErrUnknown: ErrMapUnknown,
		ErrRemoved: ErrMapRemoved,
	}, copies, owner}
}

// Version returns the version of a game's map that has the fingerprint. If none has it, it returns another version:
// the newest one. Its errors are those of Get.
func (m *Maps) Version(ctx context.Context, gameMapID int64, fingerprint string) (Map, error) {
	if gameMapID <= 0 {
		return Map{}, ErrMapUnknown
	}
	return m.Find(ctx,
		func(ctx context.Context) (Map, error) { return m.copies.MapVersion(ctx, gameMapID, fingerprint) },
		func(ctx context.Context) (Map, error) { return m.owner.MapVersion(ctx, gameMapID, fingerprint) })
}

// getAlsoRemoved is Get, but returns a removed map with what is known of it. Of one whose tombstone came first, nothing
// but the id is known.
func (m *Maps) getAlsoRemoved(ctx context.Context, id string) (Map, error) {
	found, err := m.Get(ctx, id)
	if errors.Is(err, ErrMapRemoved) {
		return m.copies.Map(ctx, id)
	}
	return found, err
}

// Placement is what a new record has changed on its map's leaderboard.
type Placement struct {
	// PlayerID is the record's player, or whom they were merged into meanwhile.
	PlayerID string
	// Active is false for a first record on a removed map or of a hidden player, which has changed nothing.
	Active bool
	// Rank is the rank of the player's best after the submission, counted from 1.
	Rank int64
	// PersonalBest is true when the submitted record is the player's best now.
	PersonalBest bool
	// PreviousBest is the finish time that the player had before, in milliseconds, and 0 when there was none.
	PreviousBest int
	// WorldRecord is true when the record is strictly faster than all before it, and EqualsWorldRecord when it is as
	// fast as the fastest of them.
	WorldRecord, EqualsWorldRecord bool
	// Overtook lists the players who lost one of the first event.TopPlaces to the record, best first.
	Overtook []event.MovedPlayer
	// PreviousWorldRecord is the world record that the record has broken, nil where it has broken none.
	PreviousWorldRecord *event.WorldRecord
}

// Passed returns the ids of the players who lost one of the first event.TopPlaces or the world record to the record.
func (p Placement) Passed() (ids []string) {
	for _, moved := range p.Overtook {
		ids = append(ids, moved.PlayerID)
	}
	if w := p.PreviousWorldRecord; w != nil && w.PlayerID != p.PlayerID && !slices.Contains(ids, w.PlayerID) {
		ids = append(ids, w.PlayerID)
	}
	return ids
}

// LeaderboardState is what decides about a new record. It is read under the lock of the record's map.
type LeaderboardState struct {
	MapRemoved, PlayerDeleted, PlayerBanned, PlayerHidden bool
	// MapRestoring is true while the leaderboard of a removed map is made again.
	MapRestoring bool
	// FinishExists is true when a record on any version of the map has the finish time and the time stamp, and for an
	// undated record also when a record of the player on the map has the finish time.
	FinishExists bool
	// PreviousBest is the finish time of the player's best, in milliseconds, and 0 where there is none.
	PreviousBest int
	// WorldRecord is the map's world record, nil where there is none.
	WorldRecord *event.WorldRecord
	Top         Top
}

// Place returns what a new record changes, without the rank. It returns access.ErrDeleted, ErrSubmitterBanned,
// ErrMapRemoved, ErrPlayerHidden or ErrReplayExists, and for a first record ErrMapRestoring.
func (s LeaderboardState) Place(a Accepted) (Placement, error) {
	switch {
	case s.PlayerDeleted && !a.First:
		return Placement{}, access.ErrDeleted
	case s.PlayerBanned && !a.First:
		return Placement{}, ErrSubmitterBanned
	case s.MapRemoved && !a.First:
		return Placement{}, ErrMapRemoved
	case s.PlayerHidden && !a.First:
		return Placement{}, ErrPlayerHidden
	case s.FinishExists && !a.First:
		return Placement{}, ErrReplayExists
	case s.MapRestoring:
		return Placement{}, ErrMapRestoring
	case s.MapRemoved, s.PlayerHidden:
		return Placement{PlayerID: a.Record.PlayerID}, nil
	}
	finishTime := a.Record.FinishTime
	// A world record is stored by the trigger add_world_record of the table records, which has the same rule.
	p := Placement{
		PlayerID:     a.Record.PlayerID,
		Active:       true,
		PersonalBest: s.PreviousBest == 0 || finishTime < s.PreviousBest,
		PreviousBest: s.PreviousBest,
		WorldRecord:  true,
	}
	if s.WorldRecord != nil {
		p.WorldRecord = int64(finishTime) < s.WorldRecord.FinishTime
		p.EqualsWorldRecord = int64(finishTime) == s.WorldRecord.FinishTime
	}
	if p.WorldRecord {
		p.PreviousWorldRecord = s.WorldRecord
	}
	if p.PersonalBest {
		p.Overtook = s.Top.Moved(s.Top.With(a.Record), a.Record.PlayerID)
	}
	return p, nil
}
