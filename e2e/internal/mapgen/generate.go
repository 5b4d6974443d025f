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
	Mode   bonkmap.Mode // what is not a parkour mode is generated as Classic
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

// Generate generates a map from the seed. The same options always give the same map.
func Generate(o Options) Course {
	if !o.Mode.Parkour() {
		o.Mode = bonkmap.Classic
	}
	if o.Name == "" {
		o.Name = MapName(int(o.Seed % uint64(MapNames())))
	}
	random := rand.New(rand.NewPCG(o.Seed, modeSalt(o.Mode)))
	s := &sketch{
		random: random,
		theme:  themes[random.IntN(len(themes))],
		m: &bonkmap.Map{
			Version: bonkmap.Version, Name: o.Name, Author: o.Author, Mode: o.Mode, ID: o.ID, Published: true,
			Settings: bonkmap.Settings{
				PhysicsQuality: 1, EditorGridPixels: 25, PlayersDontMeet: true, RespawnOnDeath: true,
			},
			PixelsPerMetre: 12, DatabaseVersion: 2,
		},
	}
	if o.Author != "" {
		s.m.Contributors = []string{o.Author}
	}
	s.backdrop()
	s.tiers()
	return Course{
		Map:         s.finish(),
		Description: s.description(),
		Tags:        s.tags(),
		Par:         racetime.Snap(int(s.route / speed * 1000)),
	}
}

// modeSalt is combined with the seed, so that its maps differ between modes.
func modeSalt(mode bonkmap.Mode) uint64 {
	salt := uint64(0)
	for _, letter := range []byte(mode) {
		salt = salt<<8 | uint64(letter)
	}
	return salt
}

// speed is about the speed of players along the route, in pixels a second.
const speed = 55

var openings = map[bonkmap.Mode]string{
	bonkmap.Classic:     "Jump, roll and bounce your way up.",
	bonkmap.Grapple:     "Swing from anchor to anchor.",
	bonkmap.VTOL:        "Mind your thrust, it only gets tighter.",
	bonkmap.Arrows:      "Aim while you run.",
	bonkmap.DeathArrows: "Use the cover. One arrow is all it takes.",
	bonkmap.Simple:      "Easy to finish, hard to finish fast.",
}

var closings = []string{
	"The last jump is the best one.", "There is a faster line through the middle.",
	"Made in one evening, tested for a week.", "Beat my time and tell me how.", "No shortcuts left, I think.",
}

// description returns a text such as a map's author writes. It names at most two of the dangers.
func (s *sketch) description() string {
	sentences := []string{openings[s.m.Mode]}
	dangers := slices.DeleteFunc([]string{"saws", "spikes", "rotors", "lava"}, func(danger string) bool {
		return !slices.Contains(s.traits, danger)
	})
	if len(dangers) > 0 {
		dangers = dangers[:min(2, len(dangers))]
		sentences = append(sentences, fmt.Sprintf("Watch out for the %s.", strings.Join(dangers, " and the ")))
	}
	return strings.Join(append(sentences, closings[s.random.IntN(len(closings))]), " ")
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
