package leaderboard

import (
	"context"
	"slices"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

// AnswerQueries reads what other services ask for.
type AnswerQueries interface {
	// FindFinish returns the id of the record of a finish, removed or not, or an empty one.
	FindFinish(ctx context.Context, q event.FindFinish) (event.FoundFinish, error)
	// PassedPlayers returns which of the players an active record has passed, as event.PassedPlayers, or
	// ErrRecordUnknown.
	PassedPlayers(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error)
	// MapPlayers returns at most limit players with a personal best on a map, in the order of their ids, that come after
	// an id.
	MapPlayers(ctx context.Context, mapID, after string, limit int) ([]string, error)
	// PlayedMaps returns the ids of maps on which a player has a personal best, also of removed ones, in their order. Of
	// more than limit it returns any.
	PlayedMaps(ctx context.Context, playerID string, limit int) (event.IDs, error)
	// Played returns where a player stands on the maps on which the player has a personal best, without removed ones:
	// Progress with MapID, Medals, FinishTime and Rank. Of more than limit it returns any.
	Played(ctx context.Context, playerID string, ranks Ranks, limit int) ([]Progress, error)
	// InspectRecord returns a record, removed or not, as event.InspectedRecord, or ErrRecordUnknown.
	InspectRecord(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error)
}

// Answers answers the requests of other services.
type Answers struct {
	Queries AnswerQueries
	Maps    *record.Maps
	Players record.Players
}

// FindFinish answers on event.FindFinishSubject.
func (a *Answers) FindFinish(ctx context.Context, q event.FindFinish) (event.FoundFinish, error) {
	return a.Queries.FindFinish(ctx, q)
}

// FindPassed answers on event.FindPassedSubject. It returns ErrPlayersInvalid or ErrRecordUnknown.
func (a *Answers) FindPassed(ctx context.Context, q event.FindPassed) (event.PassedPlayers, error) {
	isMalformed := func(id string) bool { return !event.IsID(id) }
	if len(q.PlayerIDs) > event.MaxRequestedPlayers || slices.ContainsFunc(q.PlayerIDs, isMalformed) {
		return event.PassedPlayers{}, ErrPlayersInvalid
	}
	if !event.IsID(q.RecordID) {
		return event.PassedPlayers{}, record.ErrRecordUnknown
	}
	passed, err := a.Queries.PassedPlayers(ctx, q.RecordID, q.PlayerIDs)
	return event.PassedPlayers{Passed: passed}, err
}

// ListPlayers answers on event.ListPlayersSubject. It returns ErrPlayersInvalid, ErrMapUnknown, ErrMapRemoved or a
// problem of kind unavailable.
func (a *Answers) ListPlayers(ctx context.Context, q event.ListPlayers) (event.ListedPlayers, error) {
	if isInvalidID(q.After) {
		return event.ListedPlayers{}, ErrPlayersInvalid
	}
	if _, err := a.Maps.Get(ctx, q.MapID); err != nil {
		return event.ListedPlayers{}, err
	}
	players, err := a.Queries.MapPlayers(ctx, q.MapID, q.After, event.MaxRequestedPlayers)
	return event.ListedPlayers{PlayerIDs: players}, err
}

// InspectRecord answers on event.InspectRecordSubject. It returns ErrRecordUnknown.
func (a *Answers) InspectRecord(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error) {
	if !event.IsID(q.RecordID) {
		return event.InspectedRecord{}, record.ErrRecordUnknown
	}
	return a.Queries.InspectRecord(ctx, q)
}
