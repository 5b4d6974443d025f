package mapgen

import (
	"fmt"
	"slices"
	"strings"

	"capzone.dev/game/bonkmap"
)

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
	"The last jump is the best one.", "There is a faster line through the middle.", "Made in one evening, tested for a week.",
	"Beat my time and tell me how.", "Thanks to everybody who tested it.", "No shortcuts left, I think.", "The start decides your run.",
	"Take the high road.", "Author time is generous.", "Better with headphones.",
}

// description is what the map's author could have written.
func (s *sketch) description() string {
	open := openings[s.m.Mode]
	sentences := []string{open[s.random.IntN(len(open))]}
	if dangers := s.dangers(); len(dangers) > 0 {
		sentences = append(sentences, fmt.Sprintf("Watch out for the %s.", strings.Join(dangers, " and the ")))
	}
	return strings.Join(append(sentences, closings[s.random.IntN(len(closings))]), " ")
}

// dangers are at most two of what the course has.
func (s *sketch) dangers() []string {
	var dangers []string
	for _, trait := range []string{"saws", "spikes", "deadly walls", "pillars", "rotors", "lava"} {
		if slices.Contains(s.traits, trait) && len(dangers) < 2 {
			dangers = append(dangers, trait)
		}
	}
	return dangers
}

// tags are three to five: what the scene is, what the course has, how it feels.
func (s *sketch) tags() []string {
	feel := []string{"speedrun", "precision", "flow", "short", "hard", "beginner", "tricky", "fun"}
	tags := []string{string(s.scene), feel[s.random.IntN(len(feel))]}
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
