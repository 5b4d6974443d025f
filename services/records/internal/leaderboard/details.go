package leaderboard

import (
	"context"
	"fmt"
	"strings"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/record"
)

// Details is an active record with what it is compared with, and with the version and the picture of its map.
type Details struct {
	record.RankedRecord
	// RankAtSubmission is the rank that the record had when it was accepted, counted from 1. It is 0 for a record
	// that was no personal best then.
	RankAtSubmission int64
	// PreviousBest and PreviousWorldRecord are the best finish times, in milliseconds, of the player on the map and
	// of the map, among the active records that were accepted before this one. They are 0 where there are none.
	PreviousBest, PreviousWorldRecord int
	// WorldRecord is the map's world record now.
	WorldRecord WorldRecord
	// Above is the row directly above on the leaderboard. Its ID is empty for the first row, and for a record that is no
	// personal best.
	Above OtherRecord
}

// OtherRecord is a record that another one is compared with.
type OtherRecord struct {
	ID         string
	FinishTime int // milliseconds
	Player     record.Player
}

// Details returns an active record with what it is compared with. It returns ErrRecordUnknown.
func (r *Reader) Details(ctx context.Context, id string) (Details, error) {
	if !event.IsID(id) {
		return Details{}, record.ErrRecordUnknown
	}
	return r.Queries.Details(ctx, id)
}

// Preview returns what the picture for a link to the record shows.
func (d Details) Preview() sharecard.Record {
	card := sharecard.Record{
		Kind: "Record", World: d.ID == d.WorldRecord.ID, Player: ball(d.Player), Map: d.Map.Name,
		Time: racetime.Format(d.FinishTime), Medal: string(d.Medal()),
		Picture: sharecard.StoredPicture(d.Map.Picture),
	}
	before := 0
	switch {
	case card.World:
		card.Kind, before = "World record", d.PreviousWorldRecord
	case d.PersonalBest:
		card.Kind, before = "Personal best", d.PreviousBest
	}
	if before > d.FinishTime {
		card.Before = racetime.Format(before)
	}
	var earned []string
	if d.Rank > 0 {
		earned = append(earned, fmt.Sprintf("Rank %d", d.Rank))
	}
	if medal := d.Medal(); medal != racetime.NoMedal {
		earned = append(earned, medal.Title())
	}
	card.Earned = strings.Join(earned, " · ")
	return card
}
