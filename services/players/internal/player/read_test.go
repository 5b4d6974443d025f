package player_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/sharecard"
	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestParseSort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		by, direction string
		want          player.Sort
		err           error
	}{
		{"", "", player.Sort{By: player.ByName}, nil},
		{"", "desc", player.Sort{By: player.ByName, Descending: true}, nil},
		{"name", "asc", player.Sort{By: player.ByName}, nil},
		{"level", "desc", player.Sort{By: player.ByLevel, Descending: true}, nil},
		{"createdAt", "", player.Sort{By: player.ByCreated, Descending: true}, nil},
		{"level", "asc", player.Sort{By: player.ByLevel}, nil},
		{"updatedAt", "desc", player.Sort{By: player.ByUpdated, Descending: true}, nil},
		{"Name", "", player.Sort{}, player.ErrSortUnknown},
		{"roles", "", player.Sort{}, player.ErrSortUnknown},
		{"name", "up", player.Sort{}, player.ErrSortUnknown},
		{"name", "DESC", player.Sort{}, player.ErrSortUnknown},
	} {
		if got, err := player.ParseSort(tt.by, tt.direction); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ParseSort(%q, %q) = %+v, %v; want %+v, %v", tt.by, tt.direction, got, err, tt.want, tt.err)
		}
	}
}

func TestReader_Search_term_too_long(t *testing.T) {
	t.Parallel()
	reader := player.Reader{Players: playertest.Open(t)}
	for length, want := range map[int]error{64: nil, 65: player.ErrTermTooLong} {
		page := player.Search{Name: strings.Repeat("ä", length), Sort: player.Sort{By: player.ByName}, Limit: 12}
		if _, _, err := reader.Search(t.Context(), page); !errors.Is(err, want) {
			t.Errorf("a term of %d characters returned %v, want %v", length, err, want)
		}
	}
}

// What is no id is an unknown player everywhere.
func TestReader_unknown_player(t *testing.T) {
	t.Parallel()
	store := playertest.Open(t)
	reader := player.Reader{Players: store}
	moderator := player.Moderator{Players: store, Now: time.Now}
	for _, id := range []string{"0198c2f4-0000-7000-8000-000000000000", "", "1", "'; drop table players; --", "\x00"} {
		for name, err := range map[string]error{
			"GetPlayer":  second(reader.GetPlayer(t.Context(), event.GetPlayer{ID: id})),
			"GetProfile": second(reader.GetProfile(t.Context(), id)),
			"Moderate":   second(moderator.Moderate(t.Context(), moderation(access.UnbanPlayer, id, byOperator("why")))),
			"Delete":     second(deleterAt(store, noon).Delete(t.Context(), byOperator("why"), id)),
			"Resolve":    second(deleterAt(store, noon).Resolve(t.Context(), id)),
		} {
			if !errors.Is(err, player.ErrUnknown) {
				t.Errorf("%s of %q returned %v", name, id, err)
			}
		}
	}
	if _, err := operatorOf(store).Grant(t.Context(), "nobody", "artist"); !errors.Is(err, player.ErrUnknown) {
		t.Errorf("Grant by a name returned %v", err)
	}
	assert.Equal(t, "what is left", playertest.Left{}, store.Left())
}

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
