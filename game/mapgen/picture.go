package mapgen

import (
	"image"
	"math"

	"capzone.dev/game/bonkmap"
)

// Picture renders a map as it looks at the start, with its spawn and its finish marked. The picture
// shows everything that can be touched, on a sky that fills the rest: the map's own, if it has one,
// or one that suits its mode.
func Picture(m *bonkmap.Map, width, height int) image.Image {
	width, height = max(width, 1), max(height, 1)
	p := &picture{canvas: newCanvas(width, height), m: m}
	p.choosePart(width, height)
	p.sky()
	p.shadows()
	for i := len(m.DrawOrder) - 1; i >= 0; i-- {
		p.body(&m.Bodies[m.DrawOrder[i]])
	}
	p.finishes()
	p.spawn()
	return p.img
}

type picture struct {
	*canvas
	m      *bonkmap.Map
	scale  float64       // pixels of the picture to one of the map
	centre bonkmap.Point // of what is shown, in the map
}

// choosePart chooses which part of the map is shown.
func (p *picture) choosePart(width, height int) {
	focus := p.focus()
	const margin = 24
	w, h := max(focus.Width(), 200)+2*margin, max(focus.Height(), 120)+2*margin
	p.scale = min(float64(width)/w, float64(height)/h)
	p.centre = bonkmap.Point{X: (focus.Min.X + focus.Max.X) / 2, Y: (focus.Min.Y + focus.Max.Y) / 2}
}

// tooLarge is the width or height from which a part is ignored for the focus. Many maps have a
// backdrop of thousands of pixels.
const tooLarge = 1900

// focus returns the smallest rectangle around the spawns and whatever can be touched.
func (p *picture) focus() bonkmap.Rect {
	touchable := *p.m
	touchable.Bodies = nil
	for _, body := range p.m.Bodies {
		var fixtures []int
		for _, index := range body.Fixtures {
			if f := p.m.Fixtures[index]; !f.NoPhysics && !isHuge(p.m.Shapes[f.Shape]) {
				fixtures = append(fixtures, index)
			}
		}
		body.Fixtures = fixtures
		touchable.Bodies = append(touchable.Bodies, body)
	}
	return touchable.Bounds()
}

func isHuge(shape bonkmap.Shape) bool {
	b, ok := shape.(bonkmap.Box)
	return ok && (b.Width > tooLarge || b.Height > tooLarge)
}

// at gives a place of the map in the picture.
func (p *picture) at(place bonkmap.Point) bonkmap.Point {
	size := p.img.Bounds().Size()
	return bonkmap.Point{
		X: (place.X-p.centre.X)*p.scale + float64(size.X)/2,
		Y: (place.Y-p.centre.Y)*p.scale + float64(size.Y)/2,
	}
}

func (p *picture) all(places []bonkmap.Point) []bonkmap.Point {
	points := make([]bonkmap.Point, len(places))
	for i, place := range places {
		points[i] = p.at(place)
	}
	return points
}

// modeSkies are for maps that have no sky of their own.
var modeSkies = map[bonkmap.Mode]uint32{
	bonkmap.Classic: 0x3B4A6B, bonkmap.Grapple: 0x2F5D50, bonkmap.VTOL: 0x2B3A67,
	bonkmap.Arrows: 0x6B4A3B, bonkmap.DeathArrows: 0x5A2A3A, bonkmap.Simple: 0x4A6B5D,
}

func (p *picture) sky() {
	colour, known := modeSkies[p.m.Mode]
	if !known {
		colour = 0x3A3F4B
	}
	p.backdrop(inkOf(colour))
}

// backdrop fills the picture: lighter towards the horizon's height.
func (p *picture) backdrop(colour ink) {
	size := p.img.Bounds().Size()
	w, h := float64(size.X), float64(size.Y)
	everything := []bonkmap.Point{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}
	p.fill(everything, gradient(0, h, colour.to(black, 0.22), colour.to(white, 0.22), 1))
}

// shadows fall below everything that can be touched.
func (p *picture) shadows() {
	offset := 5 * p.scale
	for i := range p.m.Bodies {
		body := &p.m.Bodies[i]
		for _, index := range body.Fixtures {
			fixture := &p.m.Fixtures[index]
			if fixture.NoPhysics || isHuge(p.m.Shapes[fixture.Shape]) {
				continue
			}
			outline := p.outline(body, fixture)
			for i := range outline {
				outline[i].Y += offset
			}
			p.fill(outline, flat(black, 0.22))
		}
	}
}

func (p *picture) outline(body *bonkmap.Body, fixture *bonkmap.Fixture) []bonkmap.Point {
	places := outlineOf(p.m.Shapes[fixture.Shape])
	for i, place := range places {
		places[i] = body.Place(place)
	}
	return p.all(places)
}

func (p *picture) body(body *bonkmap.Body) {
	for _, index := range body.Fixtures {
		fixture := &p.m.Fixtures[index]
		if p.isFinish(index) {
			continue // drawn on top of everything, later
		}
		outline := p.outline(body, fixture)
		colour := inkOf(fixture.Colour)
		if fixture.NoPhysics && isHuge(p.m.Shapes[fixture.Shape]) {
			p.backdrop(colour)
			continue
		}
		if fixture.Deadly {
			p.fill(swollen(outline, 4*p.scale), flat(colour, 0.25))
		}
		low, high := extent(outline)
		shade := 0.10
		if fixture.NoPhysics || high-low > 60*p.scale {
			shade = 0
		}
		p.fill(outline, gradient(low, high, colour.to(white, shade), colour.to(black, shade), 1))
	}
}

func extent(outline []bonkmap.Point) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, point := range outline {
		low, high = min(low, point.Y), max(high, point.Y)
	}
	return low, high
}

// swollen moves an outline's points away from its middle.
func swollen(outline []bonkmap.Point, by float64) []bonkmap.Point {
	var middle bonkmap.Point
	for _, point := range outline {
		middle.X += point.X / float64(len(outline))
		middle.Y += point.Y / float64(len(outline))
	}
	swollen := make([]bonkmap.Point, len(outline))
	for i, point := range outline {
		dx, dy := point.X-middle.X, point.Y-middle.Y
		share := by / max(math.Hypot(dx, dy), 1)
		swollen[i] = bonkmap.Point{X: point.X + dx*share, Y: point.Y + dy*share}
	}
	return swollen
}
