package player_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/player"
)

func TestProfile_Preview(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		profile player.Profile
		points  event.PlayerPoints
		want    sharecard.Player
	}{
		{player.Profile{Records: 2, Maps: 1, Player: player.Player{
			Name: "Ann", Level: 12, Registered: true, Roles: []string{"moderator"},
			Avatar: "skins/a.webp", SkinColor: "#8e24aa",
		}}, event.PlayerPoints{Tenths: 19_254, Rank: 9}, sharecard.Player{
			Ball: sharecard.Ball{Name: "Ann", Color: "#8e24aa"}, Title: "Level 12 · moderator",
			Numbers: []sharecard.Number{
				{Value: "9", Noun: "rank"}, {Value: "1925.4", Noun: "points"},
				{Value: "2", Noun: "records"}, {Value: "1", Noun: "map"},
			},
			Avatar: sharecard.StoredPicture{Key: "skins/a.webp"},
		}},
		{player.Profile{Player: player.Player{Name: "Bob", Level: 3}}, event.PlayerPoints{}, sharecard.Player{
			Ball:    sharecard.Ball{Name: "Bob"},
			Numbers: []sharecard.Number{{Value: "0", Noun: "records"}, {Value: "0", Noun: "maps"}},
		}},
	} {
		assert.Equal(t, tt.profile.Name, tt.want, tt.profile.Preview(tt.points))
	}
}
