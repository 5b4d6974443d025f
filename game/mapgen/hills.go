package mapgen

import (
	"math"

	"capzone.dev/game/bonkmap"
)

// hills adds the course of Simple: rolling ground with gaps in it and platforms above.
func (s *sketch) hills() {
	s.has("relaxed")
	const step = 40.0
	s.block("wall", left-22, top-22, left, bottom+22)
	s.block("wall", right, top-22, right+22, bottom+22)
	s.lava(left, right, bottom, 22)

	high, phase := s.between(40, 75), s.between(0, 6)
	climb := s.between(60, 150)
	surface := func(x float64) float64 {
		share := (x - left) / (right - left)
		return rounded(170 - climb*share + high*math.Sin(phase+x/95)*min(1, 4*share, 4*(1-share)))
	}
	gap := 5 + s.random.IntN(3)
	for i, x := 0, left; x < right-1; i, x = i+1, x+step {
		s.route += step
		if i%gap == gap-1 && x < right-140 {
			s.has("gaps")
			if s.chance(0.6) {
				s.platform(x+step/2, surface(x)-s.between(46, 64), 52, 12)
			}
			continue
		}
		s.hill(x, step, surface(x), surface(x+step))
		s.above(x, surface(x))
	}
	s.spawn(bonkmap.Point{X: left + 44, Y: surface(left+44) - 22})
	s.platform(right-56, surface(right-56)-8, 100, 26)
	s.goal(bonkmap.Point{X: right - 58, Y: surface(right-56) - 8})
}

// hill adds a slice of the ground with grass on it.
func (s *sketch) hill(x, width, y1, y2 float64) {
	const seam = 1.5 // slices overlap, so that the sky is not visible between them
	s.body("ground", bonkmap.Point{X: x},
		part{shape: polygon(0, y1, width+seam, y2, width+seam, bottom+22, 0, bottom+22), colour: s.theme.ground},
		part{shape: polygon(0, y1, width, y2, width, y2+8, 0, y1+8), colour: s.theme.edge, ghost: true},
	)
}

// above adds a platform, a bouncer or a tree over some slices.
func (s *sketch) above(x, y float64) {
	if x < left+110 || x > right-170 {
		return
	}
	switch {
	case s.chance(0.22):
		s.platform(x, y-s.between(80, 150), s.between(56, 96), 14)
	case s.chance(0.15):
		s.bouncer(x, y+2)
	case s.chance(0.3):
		s.tree(x, y+6)
	}
}

func (s *sketch) tree(x, y float64) {
	size := s.between(14, 24)
	leaves := blend(s.theme.edge, s.theme.ground, 0.35)
	s.body("tree", bonkmap.Point{X: x, Y: y},
		part{shape: box(0, -size, 5, size*2), colour: s.theme.ground, ghost: true},
		part{shape: disc(0, -size*2.2, size*0.8), colour: leaves, ghost: true},
		part{shape: disc(-size*0.6, -size*1.7, size*0.6), colour: leaves, ghost: true},
		part{shape: disc(size*0.6, -size*1.7, size*0.6), colour: leaves, ghost: true},
	)
}
