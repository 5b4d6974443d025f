package mapgen

import (
	"math"
	"math/rand/v2"
	"slices"

	"capzone.dev/game/bonkmap"
)

// The edges of courses, in pixels from the origin.
const (
	right  = 520.0
	left   = -right
	bottom = 290.0
	top    = -bottom
)

// sketch is a map that is being generated. Bodies are added from the back to the front.
type sketch struct {
	m      *bonkmap.Map
	random *rand.Rand
	theme  theme
	scene  scene
	mirror bool    // the course runs from right to left
	route  float64 // the length of the course, in pixels
	traits []string
}

// part describes a fixture.
type part struct {
	shape  bonkmap.Shape
	colour uint32
	deadly bool
	ghost  bool // does not collide
	bounce float64
}

// body adds a static body. The parts are relative to its position.
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

// spawn adds three spawns side by side, for all teams.
func (s *sketch) spawn(at bonkmap.Point) {
	for i, offset := range []float64{0, -16, 16} {
		s.m.Spawns = append(s.m.Spawns, bonkmap.Spawn{
			Name: "Start", Position: bonkmap.Point{X: s.sided(at.X + offset), Y: rounded(at.Y)},
			Priority: 10 - i, FreeForAll: true, Red: true, Blue: true, Green: true, Yellow: true,
		})
	}
}

// goal adds the finish: a gate with a capture zone in it.
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

// has adds a trait of the course, once.
func (s *sketch) has(trait string) {
	if !slices.Contains(s.traits, trait) {
		s.traits = append(s.traits, trait)
	}
}

// between returns a random number with two digits after the point, like all coordinates.
func (s *sketch) between(low, high float64) float64 {
	return rounded(low + s.random.Float64()*(high-low))
}

func (s *sketch) chance(of float64) bool { return s.random.Float64() < of }

// rounded rounds to two digits after the point, so that maps are equal on every machine.
func rounded(x float64) float64 { return math.Round(x*100) / 100 }

// sided mirrors a coordinate where the course is mirrored.
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
	return bonkmap.Box{Width: rounded(width), Height: rounded(height),
		Centre: bonkmap.Point{X: rounded(x), Y: rounded(y)}}
}

func turnedBox(width, height, angle float64) bonkmap.Shape {
	return bonkmap.Box{Width: rounded(width), Height: rounded(height), Angle: rounded(angle)}
}

func disc(x, y, radius float64) bonkmap.Shape {
	return bonkmap.Circle{Radius: rounded(radius), Centre: bonkmap.Point{X: rounded(x), Y: rounded(y)}}
}

// polygon returns a polygon of the corners x, y, x, y, ….
func polygon(corners ...float64) bonkmap.Shape {
	vertices := make([]bonkmap.Point, len(corners)/2)
	for i := range vertices {
		vertices[i] = bonkmap.Point{X: rounded(corners[2*i]), Y: rounded(corners[2*i+1])}
	}
	return bonkmap.Polygon{Scale: 1, Vertices: vertices}
}

// theme is a set of colours, 0xRRGGBB.
type theme struct {
	name   string
	sky    uint32
	far    uint32 // scenery at the horizon
	near   uint32 // scenery before it
	light  uint32 // sun, moon, stars, windows
	ground uint32 // platforms and walls
	edge   uint32 // their upper edges
	accent uint32 // bouncers, anchors, the finish
	danger uint32
}

var themes = []theme{
	{name: "dusk", sky: 0x3B2F63, far: 0x54407F, near: 0x2B2450, light: 0xFFD9A0, ground: 0x1C1836, edge: 0xC77DFF,
		accent: 0xFFB454, danger: 0xFF4D6D},
	{name: "mint", sky: 0x9ADBC4, far: 0x78C6AE, near: 0x52A693, light: 0xFFFFFF, ground: 0x22534F, edge: 0xE9FFF6,
		accent: 0xFF8F6B, danger: 0xD7263D},
	{name: "forest", sky: 0xA7CFA0, far: 0x7FB285, near: 0x4C8A62, light: 0xFFF6CF, ground: 0x2A3F2F, edge: 0xB7E778,
		accent: 0xF6AE2D, danger: 0xC3423F},
	{name: "frost", sky: 0xC6DDF0, far: 0xA5C4E0, near: 0x7EA3C8, light: 0xFFFFFF, ground: 0x2F4A6D, edge: 0xF4FBFF,
		accent: 0xFF7F51, danger: 0xB5179E},
	{name: "desert", sky: 0xF2D6A2, far: 0xE2B56F, near: 0xC58B4B, light: 0xFFF9E8, ground: 0x6B4226, edge: 0xFFE5B0,
		accent: 0x2A9D8F, danger: 0xC8102E},
	{name: "neon", sky: 0x1A1033, far: 0x2A1650, near: 0x130B28, light: 0x00E5FF, ground: 0x0D0820, edge: 0xFF2BD6,
		accent: 0x00F5A0, danger: 0xFF3131},
}
