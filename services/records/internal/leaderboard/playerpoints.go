package leaderboard

import (
	"context"
	"maps"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

// PlayerPoints are the points of a player with how they are computed.
type PlayerPoints struct {
	Player record.Player
	PlayerStandings
	Total points.Tenths
	// Rank is 0 for a player who is not ranked, for the reason in Missing.
	Rank    int64
	Missing Missing
	// Change is nil for the points of one mode, and for a player who was not ranked a week ago.
	Change *PointsChange
}

// PointsChange is what has changed since the end of a day. The sum of the causes and the rest is Points.
type PointsChange struct {
	Since  time.Time
	Points points.Tenths
	// Places are those won, or lost where negative.
	Places int64
	Causes []PointsCause
	Rest   points.Tenths
}

// PointsCause is a map from which a change comes.
type PointsCause struct {
	points.Cause
	Map record.Map
	// SetSince is true where the personal best is from since then, Gone where the map or the personal best counts no
	// longer.
	SetSince, Gone bool
}

// Player returns the points of a player, on the maps of a mode or on all. It returns ErrModeUnknown or
// ErrPlayerUnknown.
func (r *Rankings) Player(ctx context.Context, playerID, mode string) (PlayerPoints, error) {
	if err := checkMode(mode); err != nil {
		return PlayerPoints{}, err
	}
	player, err := r.Players.Get(ctx, playerID)
	if err != nil {
		return PlayerPoints{}, err
	}
	standings, err := r.Queries.PlayerStandings(ctx, player.ID, mode, r.Thresholds, r.Now())
	if err != nil {
		return PlayerPoints{}, err
	}
	of := PlayerPoints{Player: player, PlayerStandings: standings}
	descending := make([]points.Tenths, len(standings.Maps))
	for i, m := range standings.Maps {
		descending[i] = m.Points
	}
	of.Total = points.Total(descending)
	if of.Total == 0 {
		of.Missing = r.missing(player, standings)
		return of, nil
	}
	if of.Rank, err = r.Queries.PointsPlace(ctx, mode, of.Total); err != nil {
		return PlayerPoints{}, err
	}
	if mode == "" && standings.WeekAgo.Rank > 0 {
		of.Change = r.explain(ctx, of)
	}
	return of, nil
}

// GetPoints answers on event.GetPointsSubject. It returns ErrPlayerUnknown.
func (r *Rankings) GetPoints(ctx context.Context, q event.GetPoints) (event.PlayerPoints, error) {
	of, err := r.Player(ctx, q.PlayerID, "")
	if err != nil {
		return event.PlayerPoints{}, err
	}
	return event.PlayerPoints{Tenths: int64(of.Total), Rank: of.Rank}, nil
}

// explain compares the points of a player with those of a week ago.
func (r *Rankings) explain(ctx context.Context, of PlayerPoints) *PointsChange {
	now, before, rows := map[string]points.Tenths{}, map[string]points.Tenths{}, map[string]MapStanding{}
	for _, m := range of.Maps {
		now[m.Map.ID], before[m.Map.ID], rows[m.Map.ID] = m.Points, m.Points, m
	}
	maps.Copy(before, of.Before)
	change := &PointsChange{
		Since: of.WeekAgo.Day, Points: of.Total - of.WeekAgo.Points, Places: of.WeekAgo.Rank - of.Rank,
	}
	causes, rest := points.Explain(before, now, change.Points)
	change.Rest = rest
	for _, c := range causes {
		row, counts := rows[c.MapID]
		if !counts {
			row.Map, _ = r.Maps.Get(ctx, c.MapID) // only the id of a map that was removed
			row.Map.ID = c.MapID
		}
		change.Causes = append(change.Causes, PointsCause{
			Cause: c, Map: row.Map, Gone: !counts,
			SetSince: counts && !row.SetAt.Before(of.WeekAgo.Day.AddDate(0, 0, 1)),
		})
	}
	return change
}
