package player_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/player"
)

func TestProfile_Preview(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		profile player.Profile
		points  event.PlayerPoints
		want    sharecard.Preview
	}{
		{player.Profile{
			Name: "Ann", Level: 12, Registered: true, Roles: []string{"moderator"}, Records: 2, Maps: 1,
			Avatar: "skins/a.webp", SkinColor: "#8e24aa",
		}, event.PlayerPoints{Tenths: 19_254, Rank: 9}, sharecard.Preview{
			Kicker: "Player · Level 12 · moderator", Title: "Ann",
			Lines:   []string{"Rank 9 · 1925.4 points", "2 records", "1 map"},
			Picture: sharecard.StoredPicture{Key: "skins/a.webp"}, Color: "#8e24aa",
		}},
		{player.Profile{Name: "Bob", Level: 3}, event.PlayerPoints{}, sharecard.Preview{Kicker: "Player", Title: "Bob",
			Lines: []string{"0 records", "0 maps"}}},
	} {
		if diff := cmp.Diff(tt.want, tt.profile.Preview(tt.points)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.profile.Name, diff)
		}
	}
}
