package bonkmap_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
)

func TestMode(t *testing.T) {
	cases := []struct {
		code, name string
		parkour    bool
	}{
		{"b", "Classic", true},
		{"sp", "Grapple", true},
		{"v", "VTOL", true},
		{"ar", "Arrows", true},
		{"ard", "Death Arrows", true},
		{"bs", "Simple", true},
		{"f", "Football", false},
		{"", "Not set", false},
		{"xyz", "xyz", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			mode := bonkmap.Mode(c.code)
			if mode.String() != c.name || mode.Parkour() != c.parkour {
				t.Errorf("%q is %q, parkour %t", c.code, mode, mode.Parkour())
			}
		})
	}
}

func TestParkourModes(t *testing.T) {
	var names []string
	for _, mode := range bonkmap.ParkourModes() {
		names = append(names, mode.String())
	}
	want := []string{"Classic", "Grapple", "VTOL", "Arrows", "Death Arrows", "Simple"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestModeNamed(t *testing.T) {
	cases := []struct {
		name string
		mode bonkmap.Mode
		ok   bool
	}{
		{"Classic", bonkmap.Classic, true},
		{"death arrows", bonkmap.DeathArrows, true},
		{"DEATH_ARROWS", bonkmap.DeathArrows, true},
		{"vtol", bonkmap.VTOL, true},
		{"Football", bonkmap.Football, true},
		{"Not set", bonkmap.NoMode, false},
		{"Hoverboard", bonkmap.NoMode, false},
		{"", bonkmap.NoMode, false},
	}
	for _, c := range cases {
		if mode, ok := bonkmap.ModeNamed(c.name); mode != c.mode || ok != c.ok {
			t.Errorf("ModeNamed(%q) = %q, %t", c.name, mode, ok)
		}
	}
}
