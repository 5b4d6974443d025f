package leaderboard

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

// Progress is where a player stands on one version of a map.
type Progress struct {
	MapID  string
	Medals racetime.Medals
	// RecordID is the player's personal best, and empty where there is none. FinishTime and Rank are zero then.
	RecordID   string
	FinishTime int
	Rank       int64 // 0 also where it was not asked for
	// WorldRecord is the finish time of the map's world record, and 0 where there is none.
	WorldRecord int
	// PlayedOlderVersion is true when the player has no personal best on this version and one on an older one.
	PlayedOlderVersion bool
}

// Medal returns the medal of the personal best.
func (p Progress) Medal() racetime.Medal {
	if p.FinishTime == 0 {
		return racetime.NoMedal
	}
	return p.Medals.Of(p.FinishTime)
}

// NextMedal returns the next better medal than that of the personal best, and its slowest time. Without a personal
// best it is the map's easiest medal. It returns NoMedal where there is no better one.
func (p Progress) NextMedal() (medal racetime.Medal, slowest int) {
	if p.FinishTime == 0 {
		return p.Medals.Next(p.Medals.Bronze + 1)
	}
	return p.Medals.Next(p.FinishTime)
}

// MaxProgressMaps is the largest number of maps in one question for progress.
const MaxProgressMaps = 100

// ParseProgressMaps parses the ids of maps, separated by commas. Each id is returned once, in the order of the text.
// It returns ErrProgressMaps for an empty text, for what is no id, and for more than MaxProgressMaps.
func ParseProgressMaps(text string) ([]string, error) {
	var ids []string
	for id := range strings.SplitSeq(text, ",") {
		id = strings.ToLower(strings.TrimSpace(id))
		switch {
		case !event.IsID(id):
			return nil, ErrProgressMaps.WithField("maps", "no_ids", "must be ids of maps, separated by commas")
		case slices.Contains(ids, id):
			continue
		case len(ids) == MaxProgressMaps:
			return nil, ErrProgressMaps.WithField("maps", "too_many", "must be at most "+strconv.Itoa(MaxProgressMaps)+" ids")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Progress returns where a player stands on maps, in the order of the ids, without removed maps and those that are not
// known here.
func (r *Reader) Progress(ctx context.Context, playerID string, mapIDs []string) ([]Progress, error) {
	player, err := r.Players.Get(ctx, playerID)
	if err != nil {
		return nil, err
	}
	return r.Queries.Progress(ctx, player.ID, mapIDs)
}
