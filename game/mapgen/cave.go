package mapgen

import (
	"math"

	"capzone.dev/game/bonkmap"
)

// cave adds the course of VTOL: a tunnel to fly through. Its middle is a sum of two sine waves, and it
// narrows towards the finish.
func (s *sketch) cave() {
	s.has("flying")
	const step = 52.0
	wide, narrow := s.between(86, 100), s.between(54, 66)
	wave := tunnel{
		slow: s.between(70, 125), quick: s.between(24, 52),
		slowPhase: s.between(0, 6), quickPhase: s.between(0, 6), fadeIn: left + 120,
	}
	s.block("wall", left-22, top-22, left, bottom+22)
	s.block("wall", right, top-22, right+22, bottom+22)

	for x := left; x < right-1; x += step {
		a, b := wave.middle(x), wave.middle(x+step)
		share := (x - left) / (right - left)
		gap := wide + (narrow-wide)*share
		deadly := share > 0.2 && share < 0.85 && s.chance(0.28)
		s.rock(x, step, a-gap, b-gap, top-22, deadly && s.chance(0.6))
		s.rock(x, step, a+gap, b+gap, bottom+22, deadly)
		if !deadly && share > 0.15 && share < 0.9 && s.chance(0.3) {
			s.saw(x+step/2, (a+b)/2+s.between(-gap*0.45, gap*0.45), s.between(9, 14))
		}
		s.route += math.Hypot(step, b-a)
	}
	start, end := left+58, right-58
	s.platform(start, wave.middle(start)+34, 84, 14)
	s.spawn(bonkmap.Point{X: start, Y: wave.middle(start) + 16})
	s.platform(end, wave.middle(end)+36, 90, 14)
	s.goal(bonkmap.Point{X: end, Y: wave.middle(end) + 36})
}

// tunnel is the curve of the middle of a cave.
type tunnel struct{ slow, quick, slowPhase, quickPhase, fadeIn float64 }

func (t tunnel) middle(x float64) float64 {
	y := t.slow*math.Sin(t.slowPhase+x/128) + t.quick*math.Sin(t.quickPhase+x/61)
	return rounded(min(max(y, top+140), bottom-140))
}

// rock fills the space between the tunnel's side, from y1 to y2, and the outer edge.
func (s *sketch) rock(x, width, y1, y2, outer float64, deadly bool) {
	const skin, seam = 8.0, 1.5 // slices overlap, so that the sky is not visible between them
	inward := skin
	if outer < y1 {
		inward = -skin
	}
	colour := s.theme.edge
	if deadly {
		colour = s.theme.danger
		s.has("deadly walls")
	}
	s.body("rock", bonkmap.Point{X: x},
		part{shape: polygon(0, y1, width+seam, y2, width+seam, outer, 0, outer), colour: s.theme.ground},
		part{shape: polygon(0, y1, width, y2, width, y2+inward, 0, y1+inward), colour: colour, deadly: deadly,
			ghost: !deadly},
	)
}
