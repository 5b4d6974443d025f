package record_test

import (
	"errors"
	"testing"

	"capzone.dev/services/records/internal/points"
	"capzone.dev/services/records/internal/record"
)

func TestParseSort(t *testing.T) {
	t.Parallel()
	byTime, updated := string(record.ByTime), string(record.ByUpdated)
	for _, tt := range []struct {
		name    string
		by, dir string
		want    record.Sort
		ok      bool
	}{
		{"nothing printed is newest first", "", "", record.Newest, true},
		{"updatedAt is newest first", updated, "", record.Newest, true},
		{"updatedAt desc", updated, "desc", record.Newest, true},
		{"updatedAt asc", updated, "asc", record.Sort{By: record.ByUpdated}, true},
		{"a direction alone", "", "asc", record.Sort{By: record.ByUpdated}, true},
		{"finish time is fastest first", byTime, "", record.Sort{By: record.ByTime}, true},
		{"finish time asc,asc", byTime, "asc,asc", record.Sort{By: record.ByTime}, true},
		{"finish time desc,desc", byTime, "desc,desc", record.Sort{By: record.ByTime, Descending: true}, true},
		{"finish time in two directions", byTime, "asc,desc", record.Sort{}, false},
		{"finish time with one direction", byTime, "asc", record.Sort{}, false},
		{"updatedAt with two directions", updated, "desc,desc", record.Sort{}, false},
		{"a direction that is none", updated, "down", record.Sort{}, false},
		{"a half of a pair", "finishTime", "asc", record.Sort{}, false},
		{"another case", "UpdatedAt", "", record.Sort{}, false},
		{"something else", "name", "asc", record.Sort{}, false},
		{"SQL", "id; drop table records", "", record.Sort{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := record.ParseSort(tt.by, tt.dir)
			if !tt.ok {
				if !errors.Is(err, record.ErrSortUnknown) {
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

func TestCheckLeaderboardSort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		by, dir string
		ok      bool
	}{
		{"", "", true},
		{"finishTime,finishTimeStamp", "asc,asc", true},
		{"finishTime,finishTimeStamp", "", true},
		{"", "asc,asc", true},
		{"finishTime,finishTimeStamp", "desc,desc", false},
		{"updatedAt", "desc", false},
		{"finishTime", "asc", false},
	} {
		err := record.CheckLeaderboardSort(tt.by, tt.dir)
		if tt.ok && err != nil || !tt.ok && !errors.Is(err, record.ErrSortUnknown) {
			t.Errorf("sortBy %q, sortDir %q: %v, want ok %v", tt.by, tt.dir, err, tt.ok)
		}
	}
}

func TestParseRanking(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		by, mode, period string
		want             record.Ranking
		ok               bool
	}{
		{"", "", "", record.Ranking{Kind: points.ByPoints}, true},
		{"finished", "Grapple", "month", record.Ranking{Kind: points.ByFinished, Mode: "Grapple", OfMonth: true}, true},
		{"worldRecords", "", "all", record.Ranking{Kind: points.ByWorldRecords}, true},
		{"level", "", "", record.Ranking{}, false},
		{"", "Hoverboard", "", record.Ranking{}, false},
		{"", "Football", "", record.Ranking{}, false},
		{"", "\xff\x00", "", record.Ranking{}, false},
		{"", "", "year", record.Ranking{}, false},
	} {
		got, err := record.ParseRanking(tt.by, tt.mode, tt.period)
		if got != tt.want || (err == nil) != tt.ok || err != nil &&
			!errors.Is(err, record.ErrRankingUnknown) && !errors.Is(err, record.ErrModeUnknown) {
			t.Errorf("by %q, mode %q, period %q: %+v, %v", tt.by, tt.mode, tt.period, got, err)
		}
	}
}
