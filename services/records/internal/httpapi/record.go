package httpapi

import (
	"cmp"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

func toWire(r record.RankedRecord) MapRecord {
	createdAt := httpserve.TimeText(r.CreatedAt)
	return MapRecord{
		UnderscoreId:      r.ID,
		Player:            playerRef(r.Player),
		Map:               mapRef(r.Map),
		FinishTime:        int64(r.FinishTime),
		FinishTimeStamp:   httpserve.TimeText(r.FinishTimeStamp),
		CreatedAt:         createdAt,
		UpdatedAt:         createdAt, // what is shown of an accepted record never changes
		Medal:             httpserve.OrNull(Medal(r.Medal())),
		Rank:              httpserve.OrNull(r.Rank),
		Of:                r.Of,
		PersonalBest:      r.PersonalBest,
		IsWorldRecord:     r.IsWorldRecord,
		EqualsWorldRecord: r.EqualsWorldRecord,
	}
}

func gap(g *record.Gap) *RecordGap {
	if g == nil {
		return nil
	}
	return &RecordGap{ToAbove: int64(g.ToAbove), ToFirst: int64(g.ToFirst)}
}

// givenPoints returns a record's points, or nil while too few players have finished the map for it to give any.
func givenPoints(p *points.Tenths) *float64 {
	if p == nil || *p == 0 {
		return nil
	}
	return new(p.Float())
}

// unknownName is shown for a map or a player without a copy.
const unknownName = "Unknown"

func mapRef(m record.Map) MapRef {
	return MapRef{UnderscoreId: m.ID, Name: cmp.Or(m.Name, unknownName)}
}

func playerRef(p record.Player) PlayerRef {
	return PlayerRef{
		UnderscoreId: p.ID, Name: cmp.Or(p.Name, unknownName),
		SkinImageUrl: httpserve.OrNull(p.SkinImageURL), SkinColor: httpserve.OrNull(p.SkinColor),
	}
}

// keysOfRecords returns the keys of the players and maps of records. The rank of a record changes with its map.
func keysOfRecords(records []record.RankedRecord) []httpserve.SurrogateKey {
	keys := make([]httpserve.SurrogateKey, 0, 2*len(records))
	for i, r := range records {
		if i == 0 || r.MapID != records[i-1].MapID {
			keys = append(keys, httpserve.MapKey(r.MapID))
		}
		keys = append(keys, httpserve.PlayerKey(r.PlayerID))
	}
	return keys
}
