package player_test

import (
	"errors"
	"strings"
	"testing"

	"capzone.dev/services/players/internal/player"
	"capzone.dev/services/players/internal/playertest"
)

func TestReadSort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		by, dir    string
		sort       player.Sort
		descending bool
		err        error
	}{
		{"", "", player.ByName, false, nil},
		{"", "desc", player.ByName, true, nil},
		{"name", "asc", player.ByName, false, nil},
		{"level", "desc", player.ByLevel, true, nil},
		{"createdAt", "", player.ByCreated, true, nil},
		{"level", "asc", player.ByLevel, false, nil},
		{"updatedAt", "desc", player.ByUpdated, true, nil},
		{"Name", "", "", false, player.ErrSortUnknown},
		{"roles", "", "", false, player.ErrSortUnknown},
		{"name", "up", "", false, player.ErrSortUnknown},
		{"name", "DESC", "", false, player.ErrSortUnknown},
	} {
		sort, descending, err := player.ReadSort(tt.by, tt.dir)
		if sort != tt.sort || descending != tt.descending || !errors.Is(err, tt.err) {
			t.Errorf("ReadSort(%q, %q) = %q, %v, %v; want %q, %v, %v",
				tt.by, tt.dir, sort, descending, err, tt.sort, tt.descending, tt.err)
		}
	}
}

func TestDirectory_Search_term_too_long(t *testing.T) {
	t.Parallel()
	directory := player.Directory{Searcher: playertest.Open(t)}
	for length, want := range map[int]error{64: nil, 65: player.ErrTermTooLong} {
		query := player.Query{Name: strings.Repeat("ä", length), Sort: player.ByName, Limit: 12}
		if _, _, err := directory.Search(t.Context(), query); !errors.Is(err, want) {
			t.Errorf("a term of %d characters returned %v, want %v", length, err, want)
		}
	}
}
