package leaderboard_test

import (
	"errors"
	"testing"

	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/leaderboard"
)

func TestParseSort(t *testing.T) {
	t.Parallel()
	byTime, updated := string(leaderboard.ByTime), string(leaderboard.ByUpdated)
	for _, tt := range []struct {
		name    string
		by, dir string
		want    leaderboard.Sort
		ok      bool
	}{
		{"nothing printed is newest first", "", "", leaderboard.Newest, true},
		{"updatedAt is newest first", updated, "", leaderboard.Newest, true},
		{"updatedAt desc", updated, "desc", leaderboard.Newest, true},
		{"updatedAt asc", updated, "asc", leaderboard.Sort{By: leaderboard.ByUpdated}, true},
		{"a direction alone", "", "asc", leaderboard.Sort{By: leaderboard.ByUpdated}, true},
		{"finish time is fastest first", byTime, "", leaderboard.Sort{By: leaderboard.ByTime}, true},
		{"finish time asc,asc", byTime, "asc,asc", leaderboard.Sort{By: leaderboard.ByTime}, true},
		{"finish time desc,desc", byTime, "desc,desc", leaderboard.Sort{By: leaderboard.ByTime, Descending: true}, true},
		{"finish time in two directions", byTime, "asc,desc", leaderboard.Sort{}, false},
		{"finish time with one direction", byTime, "asc", leaderboard.Sort{}, false},
		{"updatedAt with two directions", updated, "desc,desc", leaderboard.Sort{}, false},
		{"a direction that is none", updated, "down", leaderboard.Sort{}, false},
		{"a half of a pair", "finishTime", "asc", leaderboard.Sort{}, false},
		{"another case", "UpdatedAt", "", leaderboard.Sort{}, false},
		{"something else", "name", "asc", leaderboard.Sort{}, false},
		{"SQL", "id; drop table records", "", leaderboard.Sort{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := leaderboard.ParseSort(tt.by, tt.dir)
			if !tt.ok {
				if !errors.Is(err, leaderboard.ErrSortUnknown) {
					t.Errorf("ReadSort(%q, %q) = %v, %v; want ErrSortUnknown", tt.by, tt.dir, got, err)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("ReadSort(%q, %q) = %v, %v; want %v", tt.by, tt.dir, got, err, tt.want)
			}
		})
	}
}

func TestSelection_Parse(t *testing.T) {
	t.Parallel()
	const byTime = string(leaderboard.ByTime)
	for _, tt := range []struct {
		selection leaderboard.Selection
		want      error
	}{
		{leaderboard.Selection{}, nil},
		{leaderboard.Selection{MapID: skylineID, SortBy: byTime, SortDir: "asc,asc"}, nil},
		{leaderboard.Selection{MapID: skylineID, SortDir: "asc,asc"}, nil},
		{leaderboard.Selection{MapID: skylineID, SortBy: byTime, SortDir: "desc,desc"}, leaderboard.ErrSortUnknown},
		{leaderboard.Selection{MapID: skylineID, SortBy: "updatedAt", SortDir: "desc"}, leaderboard.ErrSortUnknown},
		{leaderboard.Selection{MapID: skylineID, SortBy: "finishTime", SortDir: "asc"}, leaderboard.ErrSortUnknown},
		{leaderboard.Selection{Around: annID}, leaderboard.ErrAroundInvalid},
		{leaderboard.Selection{MapID: skylineID, Around: annID, IsPaged: true}, leaderboard.ErrAroundInvalid},
		{leaderboard.Selection{MapID: skylineID, Around: annID, Following: true}, leaderboard.ErrFollowingInvalid},
		{leaderboard.Selection{MapID: skylineID, After: "x", Following: true}, leaderboard.ErrAfterInvalid},
		{leaderboard.Selection{MapID: skylineID, PlayerID: annID, After: "x"}, leaderboard.ErrAfterInvalid},
		{leaderboard.Selection{After: "x"}, leaderboard.ErrCursorInvalid},
	} {
		if _, err := tt.selection.Parse(); !errors.Is(err, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.selection, err, tt.want)
		}
	}
}

func TestReader_List_max_offset(t *testing.T) {
	t.Parallel()
	const total = 2_000_000
	for _, tt := range []struct {
		name   string
		player string
		offset int
		want   error
	}{
		{"the first page", "", 0, nil},
		{"the deepest", "", 10_000, nil},
		{"one below", "", 10_001, leaderboard.ErrPageTooDeep},
		{"the last row", "", total - 1, leaderboard.ErrPageTooDeep},
		{"past the end", "", total, nil},
		{"a player's own, however deep", annID, 10_001, nil},
	} {
		b := setup()
		b.list.Total = total
		page, err := b.reader.List(t.Context(), leaderboard.List{PlayerID: tt.player, Sort: leaderboard.Newest,
			Page: leaderboard.Page{Offset: tt.offset, Limit: 10}})
		if !errors.Is(err, tt.want) || err == nil && (page.Total != total || len(page.Records) != 0) {
			t.Errorf("%s: %+v, %v, want %v", tt.name, page, err, tt.want)
		}
		if tt.want != nil && problem.From(err).Data["use"] != "after" {
			t.Errorf("%s: %v does not say what to use", tt.name, err)
		}
		if tt.player == "" && b.deepest > 10_000 {
			t.Errorf("%s: %d rows were passed over", tt.name, b.deepest)
		}
	}
}
