package player_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/player"
)

func TestProfile_Preview(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		profile player.Profile
		want    sharecard.Preview
	}{
		{player.Profile{
			Name: "Ann", Level: 12, Registered: true, Roles: []string{"moderator"}, Records: 2, Maps: 1,
			Avatar: "skins/a.webp", SkinColor: "#8e24aa",
		}, sharecard.Preview{
			Kicker: "Player · Level 12 · moderator", Title: "Ann", Lines: []string{"2 records", "1 map"},
			Picture: sharecard.StoredPicture{Key: "skins/a.webp"}, Color: "#8e24aa",
		}},
		{player.Profile{Name: "Bob", Level: 3}, sharecard.Preview{
			Kicker: "Player", Title: "Bob", Lines: []string{"0 records", "0 maps"},
		}},
	} {
		if diff := cmp.Diff(tt.want, tt.profile.Preview()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.profile.Name, diff)
		}
	}
}
