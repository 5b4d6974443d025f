package mapgen

import "strconv"

var (
	mapFirst = []string{
		"Skyline", "Furnace", "Copper", "Moonlit", "Paper", "Static", "Velvet", "Broken", "Hollow", "Amber", "Thunder",
		"Quiet", "Crystal", "Rusty", "Feather", "Gravity", "Ivory", "Wandering", "Glass", "Salty", "Cobalt", "Lantern",
		"Winter", "Pocket", "Ember", "Drifting", "Marble", "Turbine", "Coral", "Shadow", "Sugar", "Granite", "Midnight",
		"Bamboo", "Comet", "Tidal",
	}
	mapSecond = []string{
		"Run", "Climb", "Descent", "Gauntlet", "Steps", "Passage", "Ladder", "Canyon", "Circuit", "Ascent", "Crossing",
		"Spire", "Tunnel", "Garden", "Dash", "Heights", "Labyrinth", "Bridge", "Works", "Valley", "Relay", "Terrace",
		"Drop", "Shaft", "Reef",
	}
	playerFirst = []string{
		"cloud", "river", "moss", "pebble", "night", "copper", "frost", "ember", "quiet", "solar", "tidal", "velvet",
		"rusty", "lucky", "paper", "neon", "amber", "silver", "mango", "cobalt", "sleepy", "pixel", "storm", "maple",
		"ghost", "honey", "turbo", "plum", "wild", "zero", "olive", "coral", "bold", "dusty", "echo", "fern", "jolly",
	}
	playerSecond = []string{
		"step", "fox", "foot", "hop", "lark", "jump", "otter", "spark", "moth", "dash", "wren", "bean", "drift", "toad",
		"fin", "loop", "badger", "kite", "leaf", "spring", "comet", "gecko", "robin", "wave", "crow", "biscuit",
		"panda",
		"bolt", "tern",
	}
)

// MapNames returns how many names MapName returns without a number.
func MapNames() int { return len(mapFirst) * len(mapSecond) }

// MapName returns the n-th name for a map. All names are distinct. The first is "Skyline Run".
func MapName(n int) string {
	first, second, round := spread(n, len(mapFirst), len(mapSecond))
	name := mapFirst[first] + " " + mapSecond[second]
	if round > 0 {
		name += " " + strconv.Itoa(round+1)
	}
	return name
}

// PlayerName returns the n-th name for a player, in lower case and at most 15 characters for n below
// 1000. All names are distinct. The first is "cloudstep".
func PlayerName(n int) string {
	first, second, round := spread(n, len(playerFirst), len(playerSecond))
	name := playerFirst[first] + playerSecond[second]
	if round > 0 {
		name += strconv.Itoa(round + 1)
	}
	return name
}

// spread returns the n-th pair of two lists in a scattered order, and how often all pairs were used
// before. It visits every pair because the number of pairs is not a multiple of the stride.
func spread(n, firsts, seconds int) (first, second, round int) {
	n = max(n, 0)
	pairs := firsts * seconds
	const stride = 631 // a prime, and no divisor of a number of pairs
	at := n % pairs * stride % pairs
	return at % firsts, at / firsts, n / pairs
}
