package mapgen

import (
	"capzone.dev/game/bonkmap"
)

// tiers adds the course: floors above each other, in alternating directions, with stairs at the end of each. Modes
// differ in their obstacles.
func (s *sketch) tiers() {
	const shaft = 130.0
	floors := 3 + s.random.IntN(2)
	height := (bottom - top) / float64(floors)
	s.frame()
	s.lava(left, right, bottom, 22)

	for floor := range floors {
		ground := bottom - float64(floor)*height
		t := tier{
			sketch: s, ground: ground, room: height,
			forward: floor%2 == 0, first: floor == 0, last: floor == floors-1,
		}
		if floor > 0 {
			t.slab(shaft)
			t.stairs(shaft)
		}
		t.platforms(shaft)
		s.route += right - left + height
	}
	if floors == 4 {
		s.has("long")
	}
}

// tier is one floor of the course. Positions on it are distances along the course, which t.x converts
// to x coordinates of the map.
type tier struct {
	*sketch
	ground, room float64
	forward      bool
	first, last  bool
}

const length = right - left

func (t tier) x(along float64) float64 {
	if t.forward {
		return left + along
	}
	return right - along
}

// slab adds the floor, with an opening for the stairs and spikes on it.
func (t tier) slab(shaft float64) {
	x1, x2 := t.x(shaft), t.x(length)
	if x1 > x2 {
		x1, x2 = x2, x1
	}
	t.block("floor", x1, t.ground-8, x2, t.ground+8)
	t.spikes(x1, x2, t.ground-8)
}

// stairs adds steps up to the opening.
func (t tier) stairs(shaft float64) {
	steps := 2
	if t.room > 180 {
		steps = 3
	}
	for i := range steps {
		along := 26.0
		if i%2 == 1 {
			along = shaft - 34
		}
		t.platform(t.x(along), t.ground+t.room-70-float64(i)*(t.room-70)/float64(steps), 46, 13)
	}
}

// platforms adds platforms from the entry of the tier to its end.
func (t tier) platforms(shaft float64) {
	at := shaft
	if t.first {
		t.platform(t.x(62), t.ground-44, 96, 20)
		t.spawn(bonkmap.Point{X: t.x(54), Y: t.ground - 62})
		at = 110
	}
	end := length - shaft - 20
	if t.last {
		end = length - 120
	}
	for at < end {
		at += t.between(38, 66)
		width := min(t.between(64, 150), end+40-at)
		if width < 36 {
			break
		}
		y := t.ground - t.between(38, min(84, t.room*0.42))
		t.platform(t.x(at+width/2), y, width, t.between(13, 22))
		t.obstacle(at, at+width, y)
		at += width
	}
	if t.last {
		t.platform(t.x(length-58), t.ground-52, 104, 22)
		t.goal(bonkmap.Point{X: t.x(length - 62), Y: t.ground - 52})
	}
}

// obstacle adds an obstacle on a platform or in the gap before it.
func (t tier) obstacle(from, to, y float64) {
	wide := to-from > 90
	middle := (from + to) / 2
	headroom := t.room - (t.ground - y)
	switch t.m.Mode {
	case bonkmap.Grapple:
		if headroom > 90 {
			t.anchor(t.x(from-20), y-t.between(58, 70), t.between(9, 13))
		}
	case bonkmap.VTOL:
		if t.chance(0.6) {
			t.saw(t.x(from-26), y-t.between(20, 60), t.between(9, 15))
		}
	case bonkmap.Simple:
		if wide && t.chance(0.3) {
			t.bouncer(t.x(middle), y)
		}
	case bonkmap.Arrows:
		switch {
		case t.chance(0.3) && headroom > 90:
			t.rotor(t.x(from-20), y-58, 62)
		case t.chance(0.45):
			t.target(t.x(middle), y-t.between(44, 66))
		case wide && t.chance(0.4):
			t.bouncer(t.x(middle), y)
		}
	case bonkmap.DeathArrows:
		switch {
		case wide && t.chance(0.65):
			t.cover(t.x(from+22), y, t.between(24, 36))
			t.cover(t.x(to-22), y, t.between(24, 36))
		case t.chance(0.3):
			t.target(t.x(middle), y-52)
		case t.chance(0.25):
			t.saw(t.x(from-26), y-38, 14)
		}
	default:
		switch {
		case wide && t.chance(0.3):
			t.spikes(t.sortedX(middle-25, middle+25, y))
		case wide && t.chance(0.35):
			t.bouncer(t.x(middle), y)
		case t.chance(0.35):
			t.saw(t.x(from-26), y-t.between(20, 48), t.between(11, 17))
		case t.chance(0.25) && headroom > 100:
			t.rotor(t.x(middle), y-66, 58)
		}
	}
}

func (t tier) sortedX(from, to, y float64) (x1, x2, yOut float64) {
	x1, x2 = t.x(from), t.x(to)
	return min(x1, x2), max(x1, x2), y
}
