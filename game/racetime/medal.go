package racetime

// Medal is what a finish time earns on a map.
type Medal string

// The medals, best first.
const (
	Author  Medal = "author"
	Gold    Medal = "gold"
	Silver  Medal = "silver"
	Bronze  Medal = "bronze"
	NoMedal Medal = ""
)

// Medals are the slowest times, in milliseconds, that earn each medal of a map. The zero value is a
// map without medals.
type Medals struct{ Author, Gold, Silver, Bronze int }

// DefaultMedals returns medal times for an author time: gold is 1.06 times as long, silver 1.2 and
// bronze 1.5, each rounded up to a whole millisecond. It computes with integers, because 1.06 has
// no exact float: in floating point, the gold time of 50 ms would be 54 instead of 53.
func DefaultMedals(author int) Medals {
	return Medals{
		Author: author,
		Gold:   ceilDiv(author*106, 100),
		Silver: ceilDiv(author*6, 5),
		Bronze: ceilDiv(author*3, 2),
	}
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// Snapped returns the medals with each time moved to its nearest frame.
func (m Medals) Snapped() Medals {
	return Medals{Author: Snap(m.Author), Gold: Snap(m.Gold), Silver: Snap(m.Silver), Bronze: Snap(m.Bronze)}
}

// Ordered reports whether no medal is harder to earn than the one above it.
func (m Medals) Ordered() bool {
	return m.Author <= m.Gold && m.Gold <= m.Silver && m.Silver <= m.Bronze
}

// Of returns the best medal that a finish time earns.
func (m Medals) Of(ms int) Medal {
	switch {
	case m == Medals{}:
		return NoMedal
	case ms <= m.Author:
		return Author
	case ms <= m.Gold:
		return Gold
	case ms <= m.Silver:
		return Silver
	case ms <= m.Bronze:
		return Bronze
	default:
		return NoMedal
	}
}
