package leaderboard

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
)

// Ranks says which ranks AnswerQueries.Played computes. A rank costs far more than a time.
type Ranks int

// The ranks of personal bests that are computed. Others are 0.
const (
	NoRanks Ranks = iota
	// FirstRank is rank 1.
	FirstRank
	AllRanks
)

// nearPercent is by how much a time may be slower than the next medal to be near it.
const nearPercent = 3

// playedFilters report whether the personal best of a map is what a filter selects.
var playedFilters = map[event.ProgressFilter]func(Progress) bool{
	"":           func(Progress) bool { return true },
	event.Played: func(Progress) bool { return true },
	event.BelowGold: func(p Progress) bool {
		return p.Medals != racetime.Medals{} && p.FinishTime > p.Medals.Gold
	},
	event.BelowAuthor: func(p Progress) bool {
		return p.Medals != racetime.Medals{} && p.FinishTime > p.Medals.Author
	},
	event.NotFirst: func(p Progress) bool { return p.Rank != 1 },
	event.Near: func(p Progress) bool {
		next, slowest := p.NextMedal()
		return next != racetime.NoMedal && 100*(p.FinishTime-slowest) <= nearPercent*slowest
	},
}

// playedOrders return what played maps are sorted by, and whether a map has it.
var playedOrders = map[event.ProgressOrder]func(Progress) (value int64, ok bool){
	"": func(Progress) (int64, bool) { return 0, true },
	event.ByNextMedal: func(p Progress) (int64, bool) {
		next, slowest := p.NextMedal()
		if next == racetime.NoMedal {
			return 0, false
		}
		return int64(p.FinishTime - slowest), true
	},
	event.ByRank: func(p Progress) (int64, bool) { return p.Rank, true },
}

// FindPlayed answers on event.FindPlayedSubject. It returns ErrPlayedUnknown, ErrPlayerUnknown, ErrTooManyPlayed or a
// problem of kind unavailable.
func (a *Answers) FindPlayed(ctx context.Context, q event.FindPlayed) (event.PlayedMaps, error) {
	if playedFilters[q.Filter] == nil || playedOrders[q.Order] == nil {
		return event.PlayedMaps{}, ErrPlayedUnknown
	}
	player, err := a.Players.Get(ctx, q.PlayerID) // the id in a token may be that of a player who was merged since
	if err != nil {
		return event.PlayedMaps{}, err
	}
	ranks := NoRanks
	switch {
	case q.Order == event.ByRank:
		ranks = AllRanks
	case q.Filter == event.NotFirst:
		ranks = FirstRank
	case q.Order == "" && (q.Filter == "" || q.Filter == event.Played): // no personal best decides
		ids, err := a.Queries.PlayedMaps(ctx, player.ID, event.MaxPlayedMaps+1)
		if err == nil && len(ids) > 16*event.MaxPlayedMaps {
			err = ErrTooManyPlayed
		}
		return event.PlayedMaps{MapIDs: ids}, err
	}
	played, err := a.Queries.Played(ctx, player.ID, ranks, event.MaxPlayedMaps+1)
	switch {
	case err != nil:
		return event.PlayedMaps{}, err
	case len(played) > event.MaxPlayedMaps:
		return event.PlayedMaps{}, ErrTooManyPlayed
	}
	return SelectPlayed(played, q)
}

// SelectPlayed returns the maps that the filter selects, in the order of event.PlayedMaps. The filter and the order are
// known ones.
func SelectPlayed(played []Progress, q event.FindPlayed) (found event.PlayedMaps, err error) {
	type sorted struct {
		id    string
		value int64
	}
	matches, valueOf := playedFilters[q.Filter], playedOrders[q.Order]
	var selected []sorted
	for _, p := range played {
		value, ok := valueOf(p)
		if !ok || !matches(p) {
			continue
		}
		if q.Descending {
			value = -value
		}
		selected = append(selected, sorted{p.MapID, value})
	}
	slices.SortFunc(selected, func(a, b sorted) int {
		return cmp.Or(cmp.Compare(a.value, b.value), strings.Compare(a.id, b.id))
	})
	found.MapIDs = make(event.IDs, 0, 16*len(selected))
	for _, m := range selected {
		if found.MapIDs, err = found.MapIDs.Append(m.id); err != nil {
			return event.PlayedMaps{}, fmt.Errorf("id of a map: %w", err)
		}
	}
	return found, nil
}
