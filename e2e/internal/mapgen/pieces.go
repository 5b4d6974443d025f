package mapgen

import (
	"math"

	"capzone.dev/game/bonkmap"
)

// platform adds a slab with cut corners. The position is the middle of its upper side.
func (s *sketch) platform(x, y, width, height float64) {
	w, cut := width/2, min(7, height/3, width/5)
	s.body("platform", bonkmap.Point{X: x, Y: y},
		part{colour: s.theme.ground, shape: polygon(
			-w, cut, -w+cut, 0, w-cut, 0, w, cut, w, height-cut, w-cut, height, -w+cut, height, -w, height-cut)},
		part{colour: s.theme.edge, ghost: true, shape: polygon(-w, cut, -w+cut, 0, w-cut, 0, w, cut)},
	)
}

// block adds a plain box, given by its edges.
func (s *sketch) block(name string, x1, y1, x2, y2 float64) {
	s.body(name, bonkmap.Point{X: (x1 + x2) / 2, Y: (y1 + y2) / 2}, part{shape: box(0, 0, x2-x1, y2-y1),
		colour: s.theme.ground})
}

// frame adds walls and a ceiling.
func (s *sketch) frame() {
	const thick = 22.0
	s.block("wall", left-thick, top-thick, left, bottom+thick)
	s.block("wall", right, top-thick, right+thick, bottom+thick)
	s.block("ceiling", left, top-thick, right, top)
}

// lava adds a deadly pool from x1 to x2, with its surface at y.
func (s *sketch) lava(x1, x2, y, depth float64) {
	s.has("lava")
	s.body("lava", bonkmap.Point{X: (x1 + x2) / 2, Y: y + depth/2},
		part{shape: box(0, 0, x2-x1, depth), colour: s.theme.danger, deadly: true},
		part{shape: box(0, 2-depth/2, x2-x1, 4), colour: blend(s.theme.danger, 0xFFFFFF, 0.35), ghost: true},
	)
}

// spikes adds a row of spikes on the line from x1 to x2.
func (s *sketch) spikes(x1, x2, y float64) {
	const size = 25.0
	count := int((x2 - x1) / size)
	if count < 1 {
		return
	}
	s.has("spikes")
	width := (x2 - x1) / float64(count)
	var parts []part
	for i := range count {
		at := float64(i) * width
		tip := polygon(at, 0, at+width/2, -17, at+width, 0)
		parts = append(parts, part{shape: tip, colour: s.theme.danger, deadly: true})
	}
	s.body("spikes", bonkmap.Point{X: x1, Y: y}, parts...)
}

// saw adds a deadly star that turns.
func (s *sketch) saw(x, y, radius float64) {
	s.has("saws")
	side := radius * math.Sqrt2
	saw := s.body("saw", bonkmap.Point{X: x, Y: y},
		part{shape: turnedBox(side, side, 0), colour: s.theme.danger, deadly: true},
		part{shape: turnedBox(side, side, math.Pi/4), colour: s.theme.danger, deadly: true},
		part{shape: disc(0, 0, radius*0.35), colour: s.theme.ground, ghost: true},
	)
	saw.Kind, saw.AngularVelocity = bonkmap.Kinematic, s.spin(2, 4)
}

// rotor adds a cross of two bars that turns slowly.
func (s *sketch) rotor(x, y, length float64) {
	s.has("rotors")
	rotor := s.body("rotor", bonkmap.Point{X: x, Y: y},
		part{shape: turnedBox(length, 9, 0.4), colour: s.theme.edge},
		part{shape: turnedBox(length, 9, 0.4+math.Pi/2), colour: s.theme.edge},
		part{shape: disc(0, 0, 9), colour: s.theme.accent},
	)
	rotor.Kind, rotor.AngularVelocity = bonkmap.Kinematic, s.spin(0.6, 1.4)
}

func (s *sketch) spin(slow, fast float64) float64 {
	speed := s.between(slow, fast)
	if s.chance(0.5) {
		speed = -speed
	}
	return speed
}

// bouncer adds a pad with a high restitution.
func (s *sketch) bouncer(x, y float64) {
	s.has("bouncy")
	s.body("bouncer", bonkmap.Point{X: x, Y: y},
		part{shape: polygon(-19, 0, -13, -8, 13, -8, 19, 0), colour: s.theme.accent, bounce: 1.6},
		part{shape: box(0, -8, 22, 3), colour: blend(s.theme.accent, 0xFFFFFF, 0.6), ghost: true},
	)
}

// anchor adds a disc to grapple.
func (s *sketch) anchor(x, y, radius float64) {
	s.has("swinging")
	s.body("anchor", bonkmap.Point{X: x, Y: y},
		part{shape: disc(0, 0, radius), colour: s.theme.accent},
		part{shape: disc(0, 0, radius*0.45), colour: blend(s.theme.accent, 0xFFFFFF, 0.5), ghost: true},
	)
}

// cover adds a low wall to hide behind.
func (s *sketch) cover(x, y, height float64) {
	s.has("cover")
	s.body("cover", bonkmap.Point{X: x, Y: y - height/2},
		part{shape: box(0, 0, 10, height), colour: s.theme.ground},
		part{shape: box(0, 3-height/2, 16, 6), colour: s.theme.edge},
	)
}

// target adds a disc to shoot at. It does not collide.
func (s *sketch) target(x, y float64) {
	s.has("targets")
	s.body("target", bonkmap.Point{X: x, Y: y},
		part{shape: disc(0, 0, 12), colour: s.theme.danger, ghost: true},
		part{shape: disc(0, 0, 8), colour: s.theme.light, ghost: true},
		part{shape: disc(0, 0, 4), colour: s.theme.danger, ghost: true},
	)
}
