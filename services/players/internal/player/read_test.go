package player_test

import (
	"errors"
	"strings"
	"testing"

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
