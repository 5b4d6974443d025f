package mapgen_test

import (
	"regexp"
	"testing"

	"capzone.dev/e2e/internal/mapgen"
)

func TestPlayerName_and_MapName_are_distinct(t *testing.T) {
	maps, players := map[string]bool{}, map[string]bool{}
	for n := range 2500 {
		maps[mapgen.MapName(n)] = true
		players[mapgen.PlayerName(n)] = true
	}
	if len(maps) != 2500 || len(players) != 2500 {
		t.Errorf("%d names of maps, %d of players", len(maps), len(players))
	}
}

func TestMapName_first(t *testing.T) {
	if mapgen.MapName(0) != "Skyline Run" || mapgen.PlayerName(0) != "cloudstep" {
		t.Errorf("the first names are %q and %q", mapgen.MapName(0), mapgen.PlayerName(0))
	}
}

func TestPlayerName_fits_the_game(t *testing.T) {
	fits := regexp.MustCompile(`^[a-z]{4,13}[0-9]*$`)
	for n := range 1000 {
		if name := mapgen.PlayerName(n); !fits.MatchString(name) || len(name) > 15 {
			t.Errorf("%q does not fit", name)
		}
	}
}
