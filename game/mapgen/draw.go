package mapgen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

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

// Course is a generated map with its description and tags.
type Course struct {
	Map         *bonkmap.Map
	Description string
	Tags        []string // in lower case, at most 24 characters each
	Par         int      // about a good finish time, in milliseconds, on a frame
}

// Draw generates a map from the seed. The same options always give the same map.
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
	default: // Classic, Arrows and Death Arrows differ in their obstacles
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

// modeSalt is combined with the seed, so that its maps differ between modes.
func modeSalt(mode bonkmap.Mode) uint64 {
	salt := uint64(0)
	for _, letter := range []byte(mode.Code()) {
		salt = salt<<8 | uint64(letter)
	}
	return salt
}

// speed is about the speed of players along the route, in pixels a second.
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

var openings = map[bonkmap.Mode][]string{
	bonkmap.Classic: {"Jump, roll and bounce your way up.", "A proper old-school course.",
		"Every jump is doable, honest."},
	bonkmap.Grapple: {"Swing from anchor to anchor.", "Let go at the top of the arc, not after.",
		"Touch as little ground as you can."},
	bonkmap.VTOL: {"Mind your thrust, it only gets tighter.", "Fly slow, then fly it again fast.",
		"A tunnel that does not forgive."},
	bonkmap.Arrows: {"Aim while you run.", "The rotors are your friends if you time them.",
		"Shoot, jump, shoot again."},
	bonkmap.DeathArrows: {"Use the cover.", "One arrow is all it takes.", "Peek, wait, go."},
	bonkmap.Simple: {"Easy to finish, hard to finish fast.", "Made for your first record.",
		"Momentum is everything here."},
}

var closings = []string{
	"The last jump is the best one.", "There is a faster line through the middle.",
	"Made in one evening, tested for a week.", "Beat my time and tell me how.", "Thanks to everybody who tested it.",
	"No shortcuts left, I think.", "The start decides your run.",
	"Take the high road.", "Author time is generous.", "Better with headphones.",
}

// description returns a text such as a map's author writes.
func (s *sketch) description() string {
	open := openings[s.m.Mode]
	sentences := []string{open[s.random.IntN(len(open))]}
	if dangers := s.dangers(); len(dangers) > 0 {
		sentences = append(sentences, fmt.Sprintf("Watch out for the %s.", strings.Join(dangers, " and the ")))
	}
	return strings.Join(append(sentences, closings[s.random.IntN(len(closings))]), " ")
}

// dangers returns at most two of the dangerous traits of the course.
func (s *sketch) dangers() []string {
	var dangers []string
	for _, trait := range []string{"saws", "spikes", "deadly walls", "pillars", "rotors", "lava"} {
		if slices.Contains(s.traits, trait) && len(dangers) < 2 {
			dangers = append(dangers, trait)
		}
	}
	return dangers
}

// tags returns three to five tags: the scene, traits of the course, and a random one.
func (s *sketch) tags() []string {
	styles := []string{"speedrun", "precision", "flow", "short", "hard", "beginner", "tricky", "fun"}
	tags := []string{string(s.scene), styles[s.random.IntN(len(styles))]}
	if s.chance(0.5) {
		tags = append(tags, s.theme.name)
	}
	for _, i := range s.random.Perm(len(s.traits)) {
		if len(tags) < 5 {
			tags = append(tags, s.traits[i])
		}
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}
