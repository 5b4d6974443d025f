package mapgen

import (
	"math/rand/v2"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
)

// Options are the parameters of a map.
type Options struct {
	Seed   uint64
	Mode   bonkmap.Mode // what is not a parkour mode is drawn as Classic
	Name   string       // empty: MapName of the seed
	Author string
	ID     int // the game's own number for the map
}

// Course is a generated map with its description.
type Course struct {
	Map         *bonkmap.Map
	Description string
	Tags        []string // in lower case, at most 24 characters each
	Par         int      // about the time of a good run, in milliseconds, on a frame
}

// Draw draws a map.
func Draw(o Options) Course {
	if !o.Mode.Parkour() {
		o.Mode = bonkmap.Classic
	}
	if o.Name == "" {
		o.Name = MapName(int(o.Seed % uint64(MapNames())))
	}
	s := newSketch(o)
	s.backdrop()
	switch o.Mode {
	case bonkmap.Grapple:
		s.islands()
	case bonkmap.VTOL:
		s.cave()
	case bonkmap.Simple:
		s.hills()
	default: // Classic, Arrows and Death Arrows differ in what stands in the way
		s.tiers()
	}
	return Course{
		Map:         s.finish(),
		Description: s.description(),
		Tags:        s.tags(),
		Par:         racetime.Snap(int(s.route / s.speed() * 1000)),
	}
}

func newSketch(o Options) *sketch {
	random := rand.New(rand.NewPCG(o.Seed, modeSalt(o.Mode)))
	s := &sketch{
		random: random,
		theme:  themes[random.IntN(len(themes))],
		m: &bonkmap.Map{
			Version: bonkmap.Version,
			Settings: bonkmap.Settings{PhysicsQuality: 1, EditorGridPixels: 25, PlayersDontMeet: true,
				RespawnOnDeath: true},
			Name:           o.Name,
			Author:         o.Author,
			Mode:           o.Mode,
			ID:             o.ID,
			Published:      true,
			PixelsPerMetre: 12, DatabaseVersion: 2,
		},
	}
	if o.Author != "" {
		s.m.Contributors = []string{o.Author}
	}
	return s
}

// modeSalt makes the maps of one seed differ in every mode.
func modeSalt(mode bonkmap.Mode) uint64 {
	salt := uint64(0)
	for _, letter := range []byte(mode.Code()) {
		salt = salt<<8 | uint64(letter)
	}
	return salt
}

// speed is about how fast players get along the route, in pixels a second.
func (s *sketch) speed() float64 {
	switch s.m.Mode {
	case bonkmap.Grapple:
		return 62
	case bonkmap.VTOL:
		return 48
	case bonkmap.Simple:
		return 75
	default:
		return 55
	}
}
