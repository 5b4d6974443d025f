package leaderboard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/record"
)

// CommonMap is a map on which two players have personal bests.
type CommonMap struct {
	Map           record.Map
	First, Second CommonRecord
}

// CommonRecord is the personal best of one of the players.
type CommonRecord struct {
	ID string
	// FinishTime is in milliseconds.
	FinishTime int
}

// Difference is by how many milliseconds the first player is slower. It is negative where the first player leads.
func (m CommonMap) Difference() int { return m.First.FinishTime - m.Second.FinishTime }

// Score counts the maps that two players have in common, from the first player's side.
type Score struct{ Wins, Losses, Ties int }

func (s *Score) add(m CommonMap) {
	switch d := m.Difference(); {
	case d < 0:
		s.Wins++
	case d > 0:
		s.Losses++
	default:
		s.Ties++
	}
}

// ModeScore is the score on the maps of a mode. Mode is empty for maps whose mode is not known.
type ModeScore struct {
	Mode string
	Score
}

// ComparisonOrder is what the maps of a comparison are sorted by.
type ComparisonOrder string

// What the maps of a comparison can be sorted by.
const (
	Closest ComparisonOrder = "closest"
	Biggest ComparisonOrder = "biggest"
)

// ParseComparisonOrder returns Closest for an empty text, and ErrSortUnknown for an unknown order.
func ParseComparisonOrder(text string) (ComparisonOrder, error) {
	switch order := ComparisonOrder(text); order {
	case "":
		return Closest, nil
	case Closest, Biggest:
		return order, nil
	default:
		return "", ErrSortUnknown.WithField("sortBy", "unknown", "must be closest or biggest")
	}
}

// Comparison asks for what two players have in common.
type Comparison struct {
	FirstID, SecondID string
	Order             ComparisonOrder
	// BehindBelow leaves only maps on which the first player is slower by less than so many milliseconds. Nil for all.
	BehindBelow *int
	Page
}

// Compared is a page of the maps that two players have in common.
type Compared struct {
	First, Second record.Player
	// Score and Modes count all common maps, also those that the page leaves out. Modes are in the order of their names.
	Score Score
	Modes []ModeScore
	Maps  []CommonMap
	// Total counts the maps of all pages.
	Total int64
}

// Compare returns a page of the maps that two players have in common. It also returns ErrBehindBelow or ErrSamePlayer.
func (r *Reader) Compare(ctx context.Context, q Comparison) (Compared, error) {
	if q.BehindBelow != nil && *q.BehindBelow < 1 {
		return Compared{}, ErrBehindBelow
	}
	first, err := r.Players.Get(ctx, q.FirstID)
	if err != nil {
		return Compared{}, err
	}
	second, err := r.Players.Get(ctx, q.SecondID)
	if err != nil {
		return Compared{}, err
	}
	if first.ID == second.ID {
		return Compared{}, ErrSamePlayer
	}
	common, err := r.Queries.CommonMaps(ctx, first.ID, second.ID)
	if err != nil {
		return Compared{}, err
	}
	compared := NewCompared(common, q)
	compared.First, compared.Second = first, second
	return compared, nil
}

// NewCompared counts, sorts and pages the maps that two players have in common.
func NewCompared(common []CommonMap, q Comparison) Compared {
	var compared Compared
	modes := map[string]*ModeScore{}
	var shown []CommonMap
	for _, m := range common {
		compared.Score.add(m)
		if modes[m.Map.Mode] == nil {
			modes[m.Map.Mode] = &ModeScore{Mode: m.Map.Mode}
		}
		modes[m.Map.Mode].add(m)
		if d := m.Difference(); q.BehindBelow == nil || d > 0 && d < *q.BehindBelow {
			shown = append(shown, m)
		}
	}
	for _, mode := range slices.Sorted(maps.Keys(modes)) {
		compared.Modes = append(compared.Modes, *modes[mode])
	}
	slices.SortFunc(shown, func(a, b CommonMap) int {
		order := cmp.Compare(abs(a.Difference()), abs(b.Difference()))
		if q.Order == Biggest {
			order = -order
		}
		return cmp.Or(order, strings.Compare(a.Map.ID, b.Map.ID))
	})
	compared.Total = int64(len(shown))
	shown = shown[min(q.Offset, len(shown)):]
	compared.Maps = shown[:min(q.Limit, len(shown))]
	return compared
}

// Preview returns what the picture for a link to the comparison shows.
func (c Compared) Preview() sharecard.Comparison {
	line := "1 map in common"
	if maps := c.Score.Wins + c.Score.Losses + c.Score.Ties; maps != 1 {
		line = fmt.Sprintf("%d maps in common", maps)
	}
	switch c.Score.Ties {
	case 0:
	case 1:
		line += " · 1 tie"
	default:
		line += fmt.Sprintf(" · %d ties", c.Score.Ties)
	}
	return sharecard.Comparison{
		First: ball(c.First), Second: ball(c.Second), Wins: c.Score.Wins, Losses: c.Score.Losses, Line: line,
	}
}

func ball(p record.Player) sharecard.Ball { return sharecard.Ball{Name: p.Name, Color: p.SkinColor} }

func abs(n int) int { return max(n, -n) }
