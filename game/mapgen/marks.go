package mapgen

import (
	"math"

	"capzone.dev/game/bonkmap"
)

// isFinish reports whether a fixture is a capture zone.
func (p *picture) isFinish(fixture int) bool {
	for _, zone := range p.m.CapZones {
		if zone.Fixture == fixture {
			return true
		}
	}
	return false
}

// finishes draws the capture zones: a glow, and a chequered flag above it.
func (p *picture) finishes() {
	for i := range p.m.Bodies {
		body := &p.m.Bodies[i]
		for _, index := range body.Fixtures {
			if !p.isFinish(index) {
				continue
			}
			outline := p.outline(body, &p.m.Fixtures[index])
			if len(outline) == 0 {
				continue
			}
			low, high := extent(outline)
			colour := inkOf(p.m.Fixtures[index].Colour)
			p.fill(outline, gradient(low, high, colour.to(white, 0.5), colour, 0.42))
			p.flag(outline)
		}
	}
}

// flag stands in the middle of an outline, on its lower end.
func (p *picture) flag(outline []bonkmap.Point) {
	const rows, columns = 4, 6
	low, high := extent(outline)
	left, right := outline[0].X, outline[0].X
	for _, point := range outline {
		left, right = min(left, point.X), max(right, point.X)
	}
	size := min(max((high-low)*0.8, 18*p.scale), 46*p.scale)
	x, foot := (left+right)/2-size*0.3, min(high, float64(p.img.Bounds().Dy()))
	pole := max(size*0.06, 1)
	p.fill(rectangle(x-pole, foot-size, x, foot), flat(white, 1))
	square := size * 0.6 / columns
	for row := range rows {
		for column := range columns {
			colour := white
			if (row+column)%2 == 1 {
				colour = ink{0.08, 0.08, 0.1}
			}
			wave := square * 0.5 * math.Sin(float64(column)*1.1)
			corner := bonkmap.Point{X: x + float64(column)*square, Y: foot - size + float64(row)*square + wave}
			p.fill(rectangle(corner.X, corner.Y, corner.X+square, corner.Y+square), flat(colour, 1))
		}
	}
}

func rectangle(x1, y1, x2, y2 float64) []bonkmap.Point {
	return []bonkmap.Point{{X: x1, Y: y1}, {X: x2, Y: y1}, {X: x2, Y: y2}, {X: x1, Y: y2}}
}

// spawn draws a disc, as players look, where the first of them start.
func (p *picture) spawn() {
	first := -1
	for i, spawn := range p.m.Spawns {
		if first < 0 || spawn.Priority > p.m.Spawns[first].Priority {
			first = i
		}
	}
	if first < 0 {
		return
	}
	centre := p.at(p.m.Spawns[first].Position)
	radius := max(float64(p.m.PixelsPerMetre), 8) * p.scale
	for _, ring := range []struct {
		size    float64
		colour  ink
		opacity float64
	}{
		{2.1, white, 0.16}, {1.55, white, 0.25}, {1.16, white, 1}, {1, inkOf(0x2E86DE), 1}, {0.42, white, 0.9},
	} {
		p.fill(ringAt(centre, radius*ring.size), flat(ring.colour, ring.opacity))
	}
}
