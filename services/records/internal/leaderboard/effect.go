package leaderboard

import (
	"context"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// RemovalEffects are what the removal of a record would change. They are the zero value for a record that does not
// count: a removed one, one of a hidden player, or one on a removed map.
type RemovalEffects struct {
	// MovedUp is how many players would move up a place.
	MovedUp int64
	// NextBest is true where another record of the player would take the record's place on the leaderboard.
	NextBest bool
	// WorldRecord is true for the map's world record now, and Successor is the record that would be it then, nil where
	// there is none.
	WorldRecord bool
	Successor   *OtherRecord
	// Restoration is what the restoration of a removed record would change, and nil for one that is not removed.
	Restoration *RestorationEffects
}

// RestorationEffects are what the restoration of a record would change. They are the zero value for one that would not
// count: of a hidden player, or on a removed map.
type RestorationEffects struct {
	// Rank is the place on the leaderboard that the record would have, and 0 for a record that would be no personal best.
	Rank int64
	// MovedDown is how many players would move down a place.
	MovedDown int64
	// WorldRecord is true for a record that would be the map's world record, and Present is the one that is it now, nil
	// where there is none.
	WorldRecord bool
	Present     *OtherRecord
}

// HidingEffects are what hiding a player would change, or for a hidden player, what showing the player would.
type HidingEffects struct {
	Hidden  bool
	Records int64
	// Maps is on how many leaderboards the player is.
	Maps int64
	// WorldRecords is how many maps would have another world record or none, of which GivenBack would have one of another
	// player. For a hidden player, WorldRecords is how many world records the player would have again, of which GivenBack
	// are another player's now.
	WorldRecords, GivenBack int64
}

// MapEffects are what the removal of a map would change, or for a removed map, what its restoration would.
type MapEffects struct {
	Removed          bool
	Records, Players int64
	// Medals are not counted of a removed map.
	Medals event.MedalCounts
}

// EffectsQueries count what decisions would change.
type EffectsQueries interface {
	// RemovalEffects returns ErrRecordUnknown.
	RemovalEffects(ctx context.Context, recordID string) (RemovalEffects, error)
	HidingEffects(ctx context.Context, playerID string) (HidingEffects, error)
	// MapEffects returns ErrMapUnknown.
	MapEffects(ctx context.Context, mapID string) (MapEffects, error)
	// CountMedals returns how many players have each medal as their best one by the medal times, without one player.
	CountMedals(ctx context.Context, mapID string, medals racetime.Medals, without string) (event.MedalCounts, error)
}

// Effects says what decisions of moderators would change. All methods return access.ErrForbidden for others.
type Effects struct {
	Queries EffectsQueries
	Players record.Players
}

// OfRemoval is for the removal of a record. It returns ErrRecordUnknown.
func (e *Effects) OfRemoval(ctx context.Context, by access.Actor, recordID string) (RemovalEffects, error) {
	if err := e.authorize(ctx, by); err != nil {
		return RemovalEffects{}, err
	}
	if !event.IsID(recordID) {
		return RemovalEffects{}, record.ErrRecordUnknown
	}
	return e.Queries.RemovalEffects(ctx, recordID)
}

// OfHiding is for hiding a player, or whom the player was merged into. It returns ErrPlayerUnknown, or a problem of
// kind unavailable.
func (e *Effects) OfHiding(ctx context.Context, by access.Actor, playerID string) (HidingEffects, error) {
	if err := e.authorize(ctx, by); err != nil {
		return HidingEffects{}, err
	}
	player, err := e.Players.Get(ctx, playerID)
	if err != nil {
		return HidingEffects{}, err
	}
	return e.Queries.HidingEffects(ctx, player.ID)
}

// OfMap is for the removal of a map. It returns ErrMapUnknown.
func (e *Effects) OfMap(ctx context.Context, by access.Actor, mapID string) (MapEffects, error) {
	if err := e.authorize(ctx, by); err != nil {
		return MapEffects{}, err
	}
	if !event.IsID(mapID) {
		return MapEffects{}, record.ErrMapUnknown
	}
	return e.Queries.MapEffects(ctx, mapID)
}

func (e *Effects) authorize(ctx context.Context, by access.Actor) error {
	_, _, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadEffects, e.Players.Get)
	return err
}

// CountMedals answers event.CountMedalsSubject.
func (e *Effects) CountMedals(ctx context.Context, req event.CountMedals) (event.MedalCounts, error) {
	if !event.IsID(req.MapID) || !event.IsID(req.WithoutPlayerID) {
		return event.MedalCounts{}, record.ErrMapUnknown
	}
	return e.Queries.CountMedals(ctx, req.MapID, racetime.Medals(req.Medals), req.WithoutPlayerID)
}
