package httpapi

import (
	"time"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

func toWire(e record.Entry) MapRecord {
	createdAt := timeText(e.CreatedAt)
	return MapRecord{
		UnderscoreId: e.ID,
		Player: PlayerRef{
			UnderscoreId: e.PlayerID, Name: e.Player.Name,
			SkinImageUrl: orNull(e.Player.SkinImageURL), SkinColor: orNull(e.Player.SkinColor),
		},
		Map:             MapRef{UnderscoreId: e.MapID, Name: e.Map.Name},
		FinishTime:      int64(e.FinishTime),
		FinishTimeStamp: timeText(e.FinishTimeStamp),
		CreatedAt:       createdAt,
		UpdatedAt:       createdAt, // an accepted record never changes
		Medal:           medal(e),
		Rank:            orNull(e.Rank),
		PersonalBest:    e.PersonalBest,
	}
}

func toSubmitted(o record.Submitted) Submitted {
	return Submitted{
		Record: SubmittedRecord{
			UnderscoreId:    o.ID,
			Player:          o.PlayerID,
			Map:             o.MapID,
			FinishTime:      int64(o.FinishTime),
			FinishTimeStamp: timeText(o.FinishTimeStamp),
			CreatedAt:       timeText(o.CreatedAt),
			UpdatedAt:       timeText(o.CreatedAt),
			Medal:           medal(o.Entry),
			Rank:            orNull(o.Entry.Rank),
			PersonalBest:    o.Entry.PersonalBest,
		},
		Rank:         o.Placement.Rank,
		PersonalBest: o.Placement.PersonalBest,
		PreviousBest: orNull(int64(o.PreviousBest)),
		WorldRecord:  o.WorldRecord(),
	}
}

func medal(e record.Entry) *Medal {
	earned := e.Medal()
	if earned == racetime.NoMedal {
		return nil
	}
	wire := Medal(earned)
	return &wire
}

// timeText returns a time as RFC 3339 in UTC with milliseconds.
func timeText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
