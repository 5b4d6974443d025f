package mapgen

import (
	"math"
	"math/rand/v2"
	"slices"

	"capzone.dev/game/bonkmap"
)

// The frame in which courses lie, in pixels about the origin.
const (
	right  = 520.0
	left   = -right
	bottom = 290.0
	top    = -bottom
)

// sketch is a map being drawn. Bodies are added from the back to the front.
type sketch struct {
	m      *bonkmap.Map
	random *rand.Rand
	theme  theme
	scene  scene
	mirror bool    // the course runs from right to left
	route  float64 // the length of the way, in pixels
	traits []string
}

// part is a fixture to be.
type part struct {
	shape  bonkmap.Shape
	colour uint32
	deadly bool
	ghost  bool // seen but not felt
	bounce float64
}

// body adds a static body; the parts lie about its position.
func (s *sketch) body(name string, at bonkmap.Point, parts ...part) *bonkmap.Body {
	s.m.Bodies = append(s.m.Bodies, bonkmap.Body{
		Kind:        bonkmap.Static,
		Name:        name,
		Position:    bonkmap.Point{X: s.sided(at.X), Y: rounded(at.Y)},
		Friction:    0.3,
		Restitution: 0.8,
		Density:     0.3,
		Collides:    bonkmap.Collisions{A: true, B: true, C: true, D: true, Players: true},
	})
	body := &s.m.Bodies[len(s.m.Bodies)-1]
	for _, p := range parts {
		body.Fixtures = append(body.Fixtures, s.fixture(name, p))
	}
	return body
}

func (s *sketch) fixture(name string, p part) int {
	fixture := bonkmap.Fixture{
		Shape: len(s.m.Shapes), Name: name, Colour: p.colour, Deadly: p.deadly, NoPhysics: p.ghost,
		Friction: bonkmap.Inherit, Restitution: bonkmap.Inherit, Density: bonkmap.Inherit, NoGrapple: p.deadly,
	}
	if p.bounce > 0 {
		fixture.Restitution = p.bounce
	}
	s.m.Shapes = append(s.m.Shapes, s.sidedShape(p.shape))
	s.m.Fixtures = append(s.m.Fixtures, fixture)
	return len(s.m.Fixtures) - 1
}

// finish completes the map.
func (s *sketch) finish() *bonkmap.Map {
	s.m.DrawOrder = make([]int, len(s.m.Bodies))
	for i := range s.m.DrawOrder {
		s.m.DrawOrder[i] = len(s.m.Bodies) - 1 - i
	}
	return s.m
}

// spawn puts three starts above a place, side by side; all teams use them.
func (s *sketch) spawn(at bonkmap.Point) {
	for i, offset := range []float64{0, -16, 16} {
		s.m.Spawns = append(s.m.Spawns, bonkmap.Spawn{
			Name: "Start", Position: bonkmap.Point{X: s.sided(at.X + offset), Y: rounded(at.Y)},
			Priority: 10 - i, FreeForAll: true, Red: true, Blue: true, Green: true, Yellow: true,
		})
	}
}

// goal puts the finish on a place: a gate with a capture zone in it.
func (s *sketch) goal(at bonkmap.Point) {
	const width, height = 46.0, 62.0
	post := s.theme.edge
	s.body("gate", bonkmap.Point{X: at.X, Y: at.Y - height/2},
		part{shape: box(-width/2, 0, 5, height), colour: post, ghost: true},
		part{shape: box(width/2, 0, 5, height), colour: post, ghost: true},
		part{shape: box(0, -height/2, width+10, 7), colour: s.theme.accent, ghost: true},
	)
	zone := s.body("finish", bonkmap.Point{X: at.X, Y: at.Y - height/2},
		part{shape: box(0, 0, width-5, height), colour: s.theme.accent, ghost: true})
	s.m.CapZones = append(s.m.CapZones, bonkmap.CapZone{
		Name: "Finish", Seconds: 0.01, Fixture: zone.Fixtures[0], Kind: bonkmap.CapNormal,
	})
}

// has notes something worth a tag, once.
func (s *sketch) has(trait string) {
	if !slices.Contains(s.traits, trait) {
		s.traits = append(s.traits, trait)
	}
}

// between draws a number; like all coordinates it has two digits after the point.
func (s *sketch) between(low, high float64) float64 {
	return rounded(low + s.random.Float64()*(high-low))
}

func (s *sketch) chance(of float64) bool { return s.random.Float64() < of }

// rounded rounds to two digits after the point, so that maps are the same on every machine.
func rounded(x float64) float64 { return math.Round(x*100) / 100 }

func (s *sketch) sided(x float64) float64 {
	if s.mirror {
		x = -x
	}
	return rounded(x)
}

func (s *sketch) sidedShape(shape bonkmap.Shape) bonkmap.Shape {
	if !s.mirror {
		return shape
	}
	switch b := shape.(type) {
	case bonkmap.Box:
		b.Centre.X, b.Angle = -b.Centre.X, -b.Angle
		return b
	case bonkmap.Circle:
		b.Centre.X = -b.Centre.X
		return b
	case bonkmap.Polygon:
		mirrored := make([]bonkmap.Point, len(b.Vertices))
		for i, v := range b.Vertices {
			mirrored[len(mirrored)-1-i] = bonkmap.Point{X: -v.X, Y: v.Y}
		}
		b.Vertices = mirrored
		return b
	default:
		return shape
	}
}

func box(x, y, width, height float64) bonkmap.Shape {
	return bonkmap.Box{Width: rounded(width), Height: rounded(height), Centre: bonkmap.Point{X: rounded(x), Y: rounded(y)}}
}

func turnedBox(width, height, angle float64) bonkmap.Shape {
	return bonkmap.Box{Width: rounded(width), Height: rounded(height), Angle: rounded(angle)}
}

func disc(x, y, radius float64) bonkmap.Shape {
	return bonkmap.Circle{Radius: rounded(radius), Centre: bonkmap.Point{X: rounded(x), Y: rounded(y)}}
}

// polygon takes its corners as x, y, x, y, ….
func polygon(corners ...float64) bonkmap.Shape {
	vertices := make([]bonkmap.Point, len(corners)/2)
	for i := range vertices {
		vertices[i] = bonkmap.Point{X: rounded(corners[2*i]), Y: rounded(corners[2*i+1])}
	}
	return bonkmap.Polygon{Scale: 1, Vertices: vertices}
}
