package record

import (
	"context"

	"capzone.dev/platform/event"
)

// Details is an active record with what it is compared with. Of the map, it also has the version and the picture.
type Details struct {
	RankedRecord
	// RankAtSubmission is the rank that the record had when it was accepted, counted from 1. It is 0 for a record
	// that was no personal best then, and for one from before ranks were stored.
	RankAtSubmission int64
	// PreviousBest and PreviousWorldRecord are the best finish times, in milliseconds, of the player on the map and
	// of the map, among the active records that were accepted before this one. They are 0 where there are none.
	PreviousBest, PreviousWorldRecord int
	// WorldRecord is the map's world record now.
	WorldRecord WorldRecord
}

// Details returns an active record with what it is compared with. It returns ErrRecordUnknown.
func (r *Reader) Details(ctx context.Context, id string) (Details, error) {
	if !event.IsID(id) {
		return Details{}, ErrRecordUnknown
	}
	details, err := r.Queries.Details(ctx, id)
	if err != nil {
		return Details{}, err
	}
	names := r.newNames()
	names.fill(ctx, &details.RankedRecord)
	details.WorldRecord.Player = names.player(ctx, details.WorldRecord.Player)
	return details, nil
}
