package mapgen

import (
	"math"

	"capzone.dev/game/bonkmap"
)

// islands adds the course of Grapple: anchors to swing on above lava, pillars between them, and one or
// two islands.
func (s *sketch) islands() {
	s.has("swinging")
	s.frame()
	s.lava(left, right, bottom-26, 48)
	s.platform(left+62, 120, 110, 24)
	s.spawn(bonkmap.Point{X: left + 54, Y: 102})

	wave, phase := s.between(50, 105), s.between(0, 6)
	rest := 3 + s.random.IntN(3)
	for i, x := 0, left+170.0; x < right-150; i++ {
		y := -60 + wave*math.Sin(phase+x/150)
		if i%rest == rest-1 {
			s.island(x, y+130)
		} else {
			s.anchor(x, y, s.between(13, 24))
		}
		step := s.between(72, 104)
		if s.chance(0.5) {
			s.pillar(x+step/2, y)
		}
		s.route += step * 1.3
		x += step
	}
	y := s.between(-60, 110)
	s.platform(right-62, y, 112, 24)
	s.goal(bonkmap.Point{X: right - 62, Y: y})
	s.route += 300
}

// anchor adds a disc, or a turned square, to grapple.
func (s *sketch) anchor(x, y, radius float64) {
	core := blend(s.theme.accent, 0xFFFFFF, 0.5)
	outer := disc(0, 0, radius)
	if s.chance(0.3) {
		outer = turnedBox(radius*1.8, radius*1.8, math.Pi/4)
	}
	s.body("anchor", bonkmap.Point{X: x, Y: y},
		part{shape: outer, colour: s.theme.accent},
		part{shape: disc(0, 0, radius*0.45), colour: core, ghost: true},
	)
}

// island adds a small platform with a pointed underside.
func (s *sketch) island(x, y float64) {
	w := s.between(34, 52)
	s.body("island", bonkmap.Point{X: x, Y: y},
		part{shape: polygon(-w, 0, w, 0, w*0.45, 30, -w*0.2, 42, -w*0.75, 20), colour: s.theme.ground},
		part{shape: polygon(-w, 0, w, 0, w*0.92, 7, -w*0.92, 7), colour: s.theme.edge, ghost: true},
	)
	if s.chance(0.4) {
		s.bouncer(x, y)
	}
}

// pillar adds a pillar at the ceiling or in the lava, with a deadly tip. It leaves the height of the
// route free.
func (s *sketch) pillar(x, routeY float64) {
	s.has("pillars")
	if s.chance(0.5) {
		tip := routeY - s.between(50, 80)
		if tip < top+30 {
			return
		}
		s.block("pillar", x-9, top, x+9, tip)
		s.body("tip", bonkmap.Point{X: x, Y: tip}, part{shape: polygon(-9, 0, 9, 0, 0, 20), colour: s.theme.danger,
			deadly: true})
		return
	}
	tip := routeY + s.between(120, 160)
	if tip > bottom-50 {
		return
	}
	s.block("pillar", x-10, tip, x+10, bottom)
	s.body("tip", bonkmap.Point{X: x, Y: tip}, part{shape: polygon(-10, 0, 0, -20, 10, 0), colour: s.theme.danger,
		deadly: true})
}
