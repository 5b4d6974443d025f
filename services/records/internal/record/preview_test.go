package record_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/racetime"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/record"
)

func TestDetails_Preview(t *testing.T) {
	t.Parallel()
	const id, other = "01970000-0000-7000-8000-000000000001", "01970000-0000-7000-8000-000000000002"
	medals := racetime.DefaultMedals(40_000)
	picture := record.StoredFile{Bucket: "maps", Key: "maps/a.webp"}
	for _, tt := range []struct {
		name    string
		details record.Details
		want    sharecard.Preview
	}{
		{"a world record", record.Details{
			RankedRecord: record.RankedRecord{
				Record: record.Record{ID: id, FinishTime: 39_000}, Map: record.Map{Name: "Sky", Medals: medals, Picture: picture},
				Player: record.Player{Name: "Ann"}, PersonalBest: true, Rank: 1,
			}, WorldRecord: record.WorldRecord{ID: id},
		}, sharecard.Preview{
			Kicker: "World record", Title: "Ann", Feature: "00:39.00", Lines: []string{"Sky", "Rank 1 · Author medal"},
			Picture: sharecard.StoredPicture{Bucket: "maps", Key: "maps/a.webp"},
		}},
		{"a personal best without a medal", record.Details{
			RankedRecord: record.RankedRecord{
				Record: record.Record{ID: id, FinishTime: 90_000}, Map: record.Map{Name: "Sky", Medals: medals},
				Player: record.Player{Name: "Ann"}, PersonalBest: true, Rank: 12,
			}, WorldRecord: record.WorldRecord{ID: other},
		}, sharecard.Preview{Kicker: "Personal best", Title: "Ann", Feature: "01:30.00", Lines: []string{"Sky", "Rank 12"}}},
		{"nothing but a time", record.Details{
			RankedRecord: record.RankedRecord{
				Record: record.Record{ID: id, FinishTime: 42_000}, Map: record.Map{Name: "Sky"}, Player: record.Player{Name: "Ann"},
			}, WorldRecord: record.WorldRecord{ID: other},
		}, sharecard.Preview{Kicker: "Record", Title: "Ann", Feature: "00:42.00", Lines: []string{"Sky"}}},
	} {
		if diff := cmp.Diff(tt.want, tt.details.Preview()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCompared_Preview(t *testing.T) {
	t.Parallel()
	ann, bob := record.Player{Name: "Ann"}, record.Player{Name: "Bob"}
	for _, tt := range []struct {
		score   record.Score
		feature string
		lines   []string
	}{
		{record.Score{}, "0 : 0", []string{"0 maps in common"}},
		{record.Score{Losses: 1}, "0 : 1", []string{"1 map in common"}},
		{record.Score{Wins: 12, Losses: 7, Ties: 1}, "12 : 7", []string{"20 maps in common", "1 tie"}},
		{record.Score{Ties: 2}, "0 : 0", []string{"2 maps in common", "2 ties"}},
	} {
		want := sharecard.Preview{Kicker: "Comparison", Title: "Ann vs. Bob", Feature: tt.feature, Lines: tt.lines}
		got := record.Compared{First: ann, Second: bob, Score: tt.score}.Preview()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.score, diff)
		}
	}
}
