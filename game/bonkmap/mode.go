package bonkmap

import "strings"

// Mode is the code of a game mode.
type Mode string

// The modes of the game. Football is not a parkour mode. A map that was saved without a mode has NoMode.
const (
	NoMode      Mode = ""
	Classic     Mode = "b"
	Grapple     Mode = "sp"
	VTOL        Mode = "v"
	Arrows      Mode = "ar"
	DeathArrows Mode = "ard"
	Simple      Mode = "bs"
	Football    Mode = "f"
)

var modeNames = map[Mode]string{
	NoMode:      "Not set",
	Classic:     "Classic",
	Grapple:     "Grapple",
	VTOL:        "VTOL",
	Arrows:      "Arrows",
	DeathArrows: "Death Arrows",
	Simple:      "Simple",
	Football:    "Football",
}

// ParkourModes returns the parkour modes in the order of the menu.
func ParkourModes() []Mode {
	return []Mode{Classic, Grapple, VTOL, Arrows, DeathArrows, Simple}
}

// ModeNamed returns the mode with a display name. Case, spaces, underscores and hyphens are ignored.
func ModeNamed(name string) (Mode, bool) {
	for mode, display := range modeNames {
		if mode != NoMode && bareName(display) == bareName(name) {
			return mode, true
		}
	}
	return NoMode, false
}

var nameFiller = strings.NewReplacer(" ", "", "_", "", "-", "")

func bareName(name string) string { return strings.ToLower(nameFiller.Replace(name)) }

// String returns the mode's display name, for an unknown mode its code.
func (m Mode) String() string {
	if name, known := modeNames[m]; known {
		return name
	}
	return string(m)
}

// Parkour reports whether parkour maps can be played in the mode.
func (m Mode) Parkour() bool {
	switch m {
	case Classic, Grapple, VTOL, Arrows, DeathArrows, Simple:
		return true
	default:
		return false
	}
}
