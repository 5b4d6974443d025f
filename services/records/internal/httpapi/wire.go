package httpapi

import (
	"capzone.dev/game/racetime"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/record"
)

func toWire(e record.Entry) MapRecord {
	createdAt := httpserve.TimeText(e.CreatedAt)
	return MapRecord{
		UnderscoreId: e.ID,
		Player: PlayerRef{
			UnderscoreId: e.PlayerID, Name: e.Player.Name,
			SkinImageUrl: httpserve.OrNull(e.Player.SkinImageURL), SkinColor: httpserve.OrNull(e.Player.SkinColor),
		},
		Map:             MapRef{UnderscoreId: e.MapID, Name: e.Map.Name},
		FinishTime:      int64(e.FinishTime),
		FinishTimeStamp: httpserve.TimeText(e.FinishTimeStamp),
		CreatedAt:       createdAt,
		UpdatedAt:       createdAt, // an accepted record never changes
		Medal:           medal(e),
		Rank:            httpserve.OrNull(e.Rank),
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
			FinishTimeStamp: httpserve.TimeText(o.FinishTimeStamp),
			CreatedAt:       httpserve.TimeText(o.CreatedAt),
			UpdatedAt:       httpserve.TimeText(o.CreatedAt),
			Medal:           medal(o.Entry),
			Rank:            httpserve.OrNull(o.Entry.Rank),
			PersonalBest:    o.Entry.PersonalBest,
		},
		Rank:         o.Placement.Rank,
		PersonalBest: o.Placement.PersonalBest,
		PreviousBest: httpserve.OrNull(int64(o.PreviousBest)),
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
