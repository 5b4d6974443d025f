package leaderboard_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestSelectPlayed(t *testing.T) {
	t.Parallel()
	id := func(name string) string { return fmt.Sprintf("01970000-0000-7000-8000-0000000000%x", name) }
	names := map[string]string{}
	var played []leaderboard.Progress
	for _, m := range []struct {
		name   string
		medals racetime.Medals
		time   int
		rank   int64
	}{
		{"f", medals, 70_000, 9},
		{"e", medals, 61_800, 4}, // 3 % more than bronze
		{"d", medals, 61_801, 5},
		{"c", medals, 42_401, 2},
		{"b", medals, 42_400, 1},
		{"a", medals, 40_000, 3},
		{"h", racetime.Medals{}, 50_000, 4},
		{"g", racetime.Medals{}, 90_000, 1},
	} {
		names[id(m.name)] = m.name
		played = append(played, leaderboard.Progress{MapID: id(m.name), Medals: m.medals, FinishTime: m.time, Rank: m.rank})
	}
	for _, tt := range []struct {
		filter     event.ProgressFilter
		order      event.ProgressOrder
		descending bool
		want       []string
	}{
		{"", "", false, []string{"a", "b", "c", "d", "e", "f", "g", "h"}},
		{event.Played, "", false, []string{"a", "b", "c", "d", "e", "f", "g", "h"}},
		{event.BelowGold, "", false, []string{"c", "d", "e", "f"}},
		{event.BelowAuthor, "", false, []string{"b", "c", "d", "e", "f"}},
		{event.NotFirst, "", false, []string{"a", "c", "d", "e", "f", "h"}},
		{event.Near, "", false, []string{"c", "e"}},
		// Those with the author medal or without medals have no next one.
		{"", event.ByNextMedal, false, []string{"c", "e", "d", "b", "f"}},
		{"", event.ByNextMedal, true, []string{"f", "b", "d", "e", "c"}},
		{event.NotFirst, event.ByNextMedal, false, []string{"c", "e", "d", "f"}},
		{"", event.ByRank, false, []string{"b", "g", "c", "a", "e", "h", "d", "f"}},
		{"", event.ByRank, true, []string{"f", "d", "e", "h", "a", "c", "b", "g"}},
		{event.Near, event.ByRank, true, []string{"e", "c"}},
	} {
		t.Run(fmt.Sprintf("%s by %s, descending %v", tt.filter, tt.order, tt.descending), func(t *testing.T) {
			t.Parallel()
			found, err := leaderboard.SelectPlayed(played,
				event.FindPlayed{Filter: tt.filter, Order: tt.order, Descending: tt.descending})
			require.NoError(t, err)
			var got []string
			for i := 0; i < len(found.MapIDs); i += 16 {
				b := found.MapIDs[i : i+16]
				got = append(got, names[fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])])
			}
			assert.Equal(t, "maps", tt.want, got, cmpopts.EquateEmpty())
		})
	}
}

// manyPlayed answers with as many maps as are asked for.
type manyPlayed struct{ leaderboard.AnswerQueries }

func (manyPlayed) PlayedMaps(_ context.Context, _ string, limit int) (event.IDs, error) {
	return make(event.IDs, 16*limit), nil
}

func (manyPlayed) Played(_ context.Context, _ string, _ leaderboard.Ranks, limit int) ([]leaderboard.Progress, error) {
	return make([]leaderboard.Progress, limit), nil
}

type anyPlayer struct{}

func (anyPlayer) Get(_ context.Context, id string) (record.Player, error) {
	return record.Player{ID: id}, nil
}

// An answer with more maps would not fit into a message.
func TestAnswers_FindPlayed_too_many(t *testing.T) {
	t.Parallel()
	r := leaderboard.Answers{Queries: manyPlayed{}, Players: anyPlayer{}}
	for _, q := range []event.FindPlayed{
		{}, {Filter: event.Played}, {Filter: event.BelowGold}, {Filter: event.NotFirst}, {Order: event.ByRank},
	} {
		q.PlayerID = "01970000-0000-7000-8000-000000000001"
		if _, err := r.FindPlayed(t.Context(), q); !errors.Is(err, leaderboard.ErrTooManyPlayed) {
			t.Errorf("%+v: error %v", q, err)
		}
	}
}
