package bonkmap

import "strings"

// Mode is a game mode, by the code that maps carry.
type Mode string

// The modes of the game. Football is not a parkour mode, and a map that was
// saved without choosing has NoMode.
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

// ParkourModes lists the modes of parkour in the order in which players are
// shown them.
func ParkourModes() []Mode {
	return []Mode{Classic, Grapple, VTOL, Arrows, DeathArrows, Simple}
}

// ModeNamed finds a mode by its display name, without regard to case, spaces,
// underscores and hyphens.
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

// Code is how maps spell the mode.
func (m Mode) Code() string { return string(m) }

// String is the mode's display name; a code that is not known stands for itself.
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
