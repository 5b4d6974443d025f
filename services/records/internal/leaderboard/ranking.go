package leaderboard

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// DefaultRankingPage is how many rows a page of a ranking has where no limit is given.
const DefaultRankingPage = 50

// ParseRanking parses a ranking as the API writes it, in which the month is that of now. Empty are points of all time.
// It returns ErrRankingUnknown or ErrModeUnknown.
func ParseRanking(by, mode, period string, now time.Time) (points.Ranking, error) {
	r := points.Ranking{Period: points.AllTime, Mode: mode, Kind: points.Kind(cmp.Or(by, string(points.ByPoints)))}
	switch r.Kind {
	case points.ByPoints, points.ByWorldRecords, points.ByAuthorMedals, points.ByGoldMedals, points.ByFinished:
	default:
		return points.Ranking{}, ErrRankingUnknown.WithField("by", "unknown",
			"must be points, worldRecords, authorMedals, goldMedals or finished")
	}
	if err := checkMode(mode); err != nil {
		return points.Ranking{}, err
	}
	switch period {
	case "", "all":
	case "month":
		r.Period = points.MonthName(now)
	default:
		return points.Ranking{}, ErrRankingUnknown.WithField("period", "unknown", "must be all or month")
	}
	return r, nil
}

// checkMode returns ErrModeUnknown for what is neither empty nor the display name of a mode.
func checkMode(mode string) error {
	isNamed := func(m bonkmap.Mode) bool { return m.String() == mode }
	if mode != "" && !slices.ContainsFunc(bonkmap.ParkourModes(), isNamed) {
		return ErrModeUnknown.About("mode")
	}
	return nil
}

// RankingQuery asks for rows of a ranking as the API writes it.
type RankingQuery struct {
	By, Mode, Period string
	// Around asks for a player's row with Neighbours rows above and below it, instead of a page.
	Around string
	// IsPaged is true where a part of Page was asked for.
	IsPaged bool
	Page
}

// Reached is what a player has reached, by what rankings are by. What is 0 is left out.
type Reached map[points.Kind]int64

// Points returns the points.
func (r Reached) Points() points.Tenths { return points.Tenths(r[points.ByPoints]) }

// DayRank are the points and the rank of a player at the end of a day.
type DayRank struct {
	Day    time.Time
	Points points.Tenths
	// Rank is 0 while the player was not ranked.
	Rank int64
}

// RankingRow is a row of a ranking.
type RankingRow struct {
	// Rank is counted from 1. Equal values share one.
	Rank   int64
	Player record.Player
	Reached
	// WeekAgo is the zero value for a player who was not ranked a week ago.
	WeekAgo DayRank
}

// RankingPage is a page of a ranking.
type RankingPage struct {
	Rows []RankingRow
	// Total counts the ranking.
	Total  int64
	Offset int64
	// AsOf is when the answer was true: all changes before it are in it.
	AsOf time.Time
}

// MapStanding is a player's row on a map that counts.
type MapStanding struct {
	// Map has the id, the name and the mode.
	Map record.Map
	// RecordID is the player's personal best, which was accepted at SetAt.
	RecordID   string
	SetAt      time.Time
	FinishTime int
	points.Result
	Points points.Tenths
}

// PlayerStandings is what the points of a player are made from.
type PlayerStandings struct {
	// Maps are in the order of their points. It is empty for a player who does not count.
	Maps []MapStanding
	// Counts is true for a player who is ranked and an opponent of others. Hidden is true while the records are hidden.
	Counts, Hidden bool
	// FinishedMaps and Authors count the maps that the player has finished, and their authors.
	FinishedMaps, Authors int
	Reached
	// Modes are those of maps on which the player has points, the mode with the most first.
	Modes []ModePoints
	// Ranked counts the players in the ranking by points.
	Ranked int64
	// Before are the points of maps that have changed since WeekAgo, as they were then.
	Before  map[string]points.Tenths
	WeekAgo DayRank
	AsOf    time.Time
}

// ModePoints are the points of a player on the maps of one mode.
type ModePoints struct {
	Mode   string
	Points points.Tenths
}

// ListedRanking are rows of a ranking.
type ListedRanking struct {
	RankingPage

	Of points.Ranking
	// From and Until are when the month of the ranking begins and ends. They are zero for all time.
	From, Until time.Time
}

// RankingQueries reads points and rankings. The times as of which answers are true are long ago until points were
// computed with the thresholds.
type RankingQueries interface {
	// Ranking returns a page of a ranking at a time. A player without a copy has only the id.
	Ranking(
		ctx context.Context, r points.Ranking, page Page, thresholds points.Thresholds, now time.Time,
	) (RankingPage, error)
	// RowsAbove returns how many rows of a ranking are above a player's, or ErrPlayerUnranked.
	RowsAbove(ctx context.Context, r points.Ranking, playerID string) (int, error)
	// PlayerStandings returns what the points of a player are made from, on the maps of a mode or on all.
	PlayerStandings(
		ctx context.Context, playerID, mode string, thresholds points.Thresholds, now time.Time) (PlayerStandings, error)
	// PointsPlace returns the place of a value in the ranking by points of all time.
	PointsPlace(ctx context.Context, mode string, value points.Tenths) (int64, error)
	// PointsDays returns the newest days of a player in their order. Days that end after asOf are not stored yet.
	PointsDays(ctx context.Context, playerID string, limit int) (days []DayRank, asOf time.Time, err error)
	// MapFinishers returns how many players that count have finished a map, as of a time.
	MapFinishers(
		ctx context.Context, mapID string, thresholds points.Thresholds) (finishers int64, asOf time.Time, err error)
}

// Rankings answers questions about points and rankings.
type Rankings struct {
	Queries    RankingQueries
	Maps       *record.Maps
	Players    record.Players
	Thresholds points.Thresholds
	Now        func() time.Time
}

// Missing is why a player is not in a ranking.
type Missing struct {
	Reason MissingReason
	// Maps and Authors are how many more are needed.
	Maps, Authors int
}

// MissingReason is why a player is not in a ranking.
type MissingReason string

// The reasons.
const (
	NotRegistered MissingReason = "not_registered"
	MissingMaps   MissingReason = "maps"
	// MissingValue is for a player of whom nothing counts for the ranking: who has nothing yet of what it is by, or whose
	// records are hidden, or who is banned. The reason is one, because a ban is not public.
	MissingValue MissingReason = "value"
)

// missing returns why a player is in no ranking, or not in one with a value of 0.
func (r *Rankings) missing(player record.Player, s PlayerStandings) Missing {
	switch {
	case !player.Registered:
		return Missing{Reason: NotRegistered}
	case !s.Counts && !player.Banned && !s.Hidden:
		return Missing{
			Reason:  MissingMaps,
			Maps:    max(r.Thresholds.Maps-s.FinishedMaps, 0),
			Authors: max(r.Thresholds.Authors-s.Authors, 0),
		}
	}
	return Missing{Reason: MissingValue}
}

// List returns a page of a ranking, which is empty past the end, or the rows around a player. It returns
// ErrRankingUnknown, ErrModeUnknown, ErrRankingAround, ErrPlayerUnknown, or ErrPlayerUnranked with a Missing as data.
func (r *Rankings) List(ctx context.Context, q RankingQuery) (list ListedRanking, err error) {
	now := r.Now()
	if list.Of, err = ParseRanking(q.By, q.Mode, q.Period, now); err != nil {
		return list, err
	}
	if list.Of.Period != points.AllTime {
		list.From, list.Until = points.Month(now)
	}
	page := q.Page
	if q.Around != "" {
		if q.IsPaged {
			return list, ErrRankingAround
		}
		if page, err = r.around(ctx, list.Of, q.Around, now); err != nil {
			return list, err
		}
	}
	list.RankingPage, err = r.Queries.Ranking(ctx, list.Of, page, r.Thresholds, now)
	return list, err
}

// around returns the part of a ranking that has a player's row.
func (r *Rankings) around(ctx context.Context, of points.Ranking, playerID string, now time.Time) (Page, error) {
	player, err := r.Players.Get(ctx, playerID)
	if err != nil {
		return Page{}, err
	}
	above, err := r.Queries.RowsAbove(ctx, of, player.ID)
	if errors.Is(err, ErrPlayerUnranked) {
		standings, err := r.Queries.PlayerStandings(ctx, player.ID, of.Mode, r.Thresholds, now)
		if err != nil {
			return Page{}, err
		}
		missing := r.missing(player, standings)
		return Page{}, ErrPlayerUnranked.WithData("missing", map[string]any{
			"reason": missing.Reason, "maps": missing.Maps, "authors": missing.Authors,
		})
	}
	offset := max(above-Neighbours, 0)
	return Page{Offset: offset, Limit: above + Neighbours + 1 - offset}, err
}

// maxPointsDays is how many days of a player are shown.
const maxPointsDays = 3_660

// PlayerDays are the points and ranks of a player by day, in the order of the days.
type PlayerDays struct {
	Player record.Player
	Days   []DayRank
	// AsOf is the end of the last day that is stored.
	AsOf time.Time
}

// Days returns the points and ranks of a player by day. It returns ErrPlayerUnknown.
func (r *Rankings) Days(ctx context.Context, playerID string) (of PlayerDays, err error) {
	if of.Player, err = r.Players.Get(ctx, playerID); err != nil {
		return of, err
	}
	of.Days, of.AsOf, err = r.Queries.PointsDays(ctx, of.Player.ID, maxPointsDays)
	return of, err
}

// MapPoints is what places on a map are worth.
type MapPoints struct {
	// Map gives no points where it is superseded or unranked.
	Map       record.Map
	Finishers int64
	// Places is empty on a map that gives no points.
	Places []points.Place
	AsOf   time.Time
}

// Map returns what places on a map are worth. It returns ErrMapUnknown or ErrMapRemoved.
func (r *Rankings) Map(ctx context.Context, mapID string) (MapPoints, error) {
	m, err := r.Maps.Get(ctx, mapID)
	if err != nil {
		return MapPoints{}, err
	}
	of := MapPoints{Map: m}
	if of.Finishers, of.AsOf, err = r.Queries.MapFinishers(ctx, m.ID, r.Thresholds); err != nil {
		return MapPoints{}, err
	}
	if !m.Superseded && !m.Unranked {
		of.Places = r.Thresholds.Places(of.Finishers)
	}
	return of, nil
}
