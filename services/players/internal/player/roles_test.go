package player_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/services/players/internal/player"
)

func TestParseRoles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, in string
		want     []string
		err      error
	}{
		{"are trimmed and in lower case", `[" Admin ","VALIDATOR"]`, []string{"admin", "validator"}, nil},
		{"keep their order", `["b","a"]`, []string{"b", "a"}, nil},
		{"may be badges of any script, with spaces, digits and hyphens", `["Übungsleiter","map-maker 2"]`,
			[]string{"übungsleiter", "map-maker 2"}, nil},
		{"may be none", `[]`, []string{}, nil},
		{"may be ten", `["a","b","c","d","e","f","g","h","i","j"]`, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i",
			"j"}, nil},
		{"are at most ten", `["a","b","c","d","e","f","g","h","i","j","k"]`, nil, player.ErrTooManyRoles},
		{"have 24 characters", `["` + strings.Repeat("ä", 24) + `"]`, []string{strings.Repeat("ä", 24)}, nil},
		{"have no more", `["` + strings.Repeat("ä", 25) + `"]`, nil, player.ErrRoleInvalid},
		{"are not empty", `[" "]`, nil, player.ErrRoleInvalid},
		{"have no other signs", `["<b>"]`, nil, player.ErrRoleInvalid},
		{"have no line breaks", `["a\nb"]`, nil, player.ErrRoleInvalid},
		{"have single spaces", `["a  b"]`, nil, player.ErrRoleInvalid},
		{"have no NUL", `["a\u0000"]`, nil, player.ErrRoleInvalid},
		{"are not listed twice", `["admin","Admin"]`, nil, player.ErrRoleTwice},
		{"are a list", `"admin"`, nil, player.ErrRolesUnreadable},
		{"are no null", `null`, nil, player.ErrRolesUnreadable},
		{"are strings", `[1]`, nil, player.ErrRolesUnreadable},
		{"are JSON", `admin`, nil, player.ErrRolesUnreadable},
		{"are not missing", ``, nil, player.ErrRolesUnreadable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := player.ParseRoles(tt.in)
			if !errors.Is(err, tt.err) {
				t.Fatalf("ParseRoles(%s) returned the error %v, want %v", tt.in, err, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ParseRoles(%s) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}
