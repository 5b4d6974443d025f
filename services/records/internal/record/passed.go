package record

import (
	"context"
	"slices"

	"capzone.dev/platform/event"
)

// FindPassed answers on event.FindPassedSubject. It returns ErrPlayersInvalid or ErrRecordUnknown.
func (r *Reader) FindPassed(ctx context.Context, q event.FindPassed) (event.PassedPlayers, error) {
	isMalformed := func(id string) bool { return !event.IsID(id) }
	if len(q.PlayerIDs) > event.MaxRequestedPlayers || slices.ContainsFunc(q.PlayerIDs, isMalformed) {
		return event.PassedPlayers{}, ErrPlayersInvalid
	}
	if !event.IsID(q.RecordID) {
		return event.PassedPlayers{}, ErrRecordUnknown
	}
	passed, err := r.Queries.PassedPlayers(ctx, q.RecordID, q.PlayerIDs)
	return event.PassedPlayers{Passed: passed}, err
}

// ListPlayers answers on event.ListPlayersSubject. It returns ErrPlayersInvalid, ErrMapUnknown or ErrMapRemoved, or a
// problem of kind unavailable if the map is not known here and its owner does not answer.
func (r *Reader) ListPlayers(ctx context.Context, q event.ListPlayers) (event.ListedPlayers, error) {
	if isInvalidID(q.After) {
		return event.ListedPlayers{}, ErrPlayersInvalid
	}
	if _, err := r.Maps.Get(ctx, q.MapID); err != nil {
		return event.ListedPlayers{}, err
	}
	players, err := r.Queries.MapPlayers(ctx, q.MapID, q.After, event.MaxRequestedPlayers)
	return event.ListedPlayers{PlayerIDs: players}, err
}
