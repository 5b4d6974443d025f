package leaderboard_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/records/internal/leaderboard"
	"capzone.dev/services/records/internal/record"
)

func TestDetails_Preview(t *testing.T) {
	t.Parallel()
	const id, other = "01970000-0000-7000-8000-000000000001", "01970000-0000-7000-8000-000000000002"
	medals := racetime.DefaultMedals(40_000)
	picture := record.StoredFile{Bucket: "maps", Key: "maps/a.webp"}
	for _, tt := range []struct {
		name    string
		details leaderboard.Details
		want    sharecard.Record
	}{
		{"a world record", leaderboard.Details{
			RankedRecord: record.RankedRecord{
				Record: record.Record{ID: id, FinishTime: 39_000}, Map: record.Map{Name: "Sky", Medals: medals, Picture: picture},
				Player: record.Player{Name: "Ann", SkinColor: "#8e24aa"}, PersonalBest: true, Rank: 1,
			}, WorldRecord: leaderboard.WorldRecord{ID: id}, PreviousBest: 44_000, PreviousWorldRecord: 41_500,
		}, sharecard.Record{
			Kind: "World record", World: true, Player: sharecard.Ball{Name: "Ann", Color: "#8e24aa"}, Map: "Sky",
			Time: "00:39.00", Before: "00:41.50", Medal: "author", Earned: "Rank 1 · Author medal",
			Picture: sharecard.StoredPicture{Bucket: "maps", Key: "maps/a.webp"},
		}},
		{"a personal best without a medal", leaderboard.Details{
			RankedRecord: record.RankedRecord{
				Record: record.Record{ID: id, FinishTime: 90_000}, Map: record.Map{Name: "Sky", Medals: medals},
				Player: record.Player{Name: "Ann"}, PersonalBest: true, Rank: 12,
			}, WorldRecord: leaderboard.WorldRecord{ID: other}, PreviousBest: 92_000, PreviousWorldRecord: 38_000,
		}, sharecard.Record{
			Kind: "Personal best", Player: sharecard.Ball{Name: "Ann"}, Map: "Sky", Time: "01:30.00", Before: "01:32.00",
			Earned: "Rank 12",
		}},
		{"nothing but a time", leaderboard.Details{
			RankedRecord: record.RankedRecord{
				Record: record.Record{ID: id, FinishTime: 42_000}, Map: record.Map{Name: "Sky"}, Player: record.Player{Name: "Ann"},
			}, WorldRecord: leaderboard.WorldRecord{ID: other}, PreviousBest: 41_000, PreviousWorldRecord: 38_000,
		}, sharecard.Record{Kind: "Record", Player: sharecard.Ball{Name: "Ann"}, Map: "Sky", Time: "00:42.00"}},
	} {
		assert.Equal(t, tt.name, tt.want, tt.details.Preview())
	}
}
