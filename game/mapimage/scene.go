package mapimage

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"capzone.dev/game/bonkmap"
)

const (
	// MaxShapes is the largest number of shapes in a drawing. A fixture counts once for each body that has it.
	MaxShapes = 10_000
	// MaxVertices is the largest number of vertices of all polygons in a drawing.
	MaxVertices = 50_000
	// MaxMarks is the largest number of joints, and of spawns, in a drawing.
	MaxMarks = 1_000
)

// LimitError is returned for a map with more parts than a drawing may have.
type LimitError struct {
	Part string // "shapes", "vertices", "joints" or "spawns"
	Max  int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the map has more than %d %s, which is the most that is drawn", e.Max, e.Part)
}

// scene is what a drawing shows, in the map's coordinates, from back to front.
type scene struct {
	view   bonkmap.Rect
	sky    uint32 // 0xRRGGBB
	areas  []area
	lines  [][2]bonkmap.Point // of joints
	spawns []bonkmap.Point    // the first one is where players start
}

// area is the place of a fixture: a polygon, or a circle where outline is nil.
type area struct {
	outline []bonkmap.Point
	centre  bonkmap.Point
	radius  float64
	colour  uint32 // 0xRRGGBB

	isDeadly, isFinish, hasNoPhysics, hasNoGrapple bool
	// isOtherZone is true for a capture zone that is no finish.
	isOtherZone bool
}

const (
	// maxCoordinate bounds all coordinates of a scene. A map may have any float64.
	maxCoordinate = 1e6
	// backdropSize is the width or height in pixels from which a box without physics is the sky.
	backdropSize = 1900
	// margin is left free around what a drawing shows.
	margin = 24
	// minWidth and minHeight are the smallest part of a map that a drawing shows.
	minWidth, minHeight = 240, 150
)

// skies are the colours behind maps that have no backdrop.
var skies = map[bonkmap.Mode]uint32{
	bonkmap.Classic: 0x3B4A6B, bonkmap.Grapple: 0x2F5D50, bonkmap.VTOL: 0x2B3A67,
	bonkmap.Arrows: 0x6B4A3B, bonkmap.DeathArrows: 0x5A2A3A, bonkmap.Simple: 0x4A6B5D,
}

const otherSky = 0x3A3F4B

// newScene returns the scene of a map that [bonkmap.Decode] accepts, or a LimitError.
func newScene(m *bonkmap.Map) (*scene, error) {
	if err := checkLimits(m); err != nil {
		return nil, err
	}
	sky, ok := skies[m.Mode]
	if !ok {
		sky = otherSky
	}
	s := &scene{sky: sky, areas: make([]area, 0, len(m.Fixtures))}
	isFinish, isOtherZone := map[int]bool{}, map[int]bool{}
	for _, zone := range m.CapZones {
		if zone.IsFinish() {
			isFinish[zone.Fixture] = true
		} else {
			isOtherZone[zone.Fixture] = true
		}
	}
	for i := len(m.DrawOrder) - 1; i >= 0; i-- {
		body := &m.Bodies[m.DrawOrder[i]]
		for _, index := range body.Fixtures {
			fixture := &m.Fixtures[index]
			if isBackdrop(m, fixture) {
				s.sky = fixture.Colour & 0xFFFFFF
				continue
			}
			a := place(body, m.Shapes[fixture.Shape])
			a.colour, a.isDeadly, a.isFinish = fixture.Colour&0xFFFFFF, fixture.Deadly, isFinish[index]
			a.isOtherZone = isOtherZone[index] && !a.isFinish
			a.hasNoPhysics, a.hasNoGrapple = fixture.NoPhysics, fixture.NoGrapple
			s.areas = append(s.areas, a)
		}
	}
	for _, joint := range m.Joints {
		if from, to, ok := lineOf(m, joint); ok {
			s.lines = append(s.lines, [2]bonkmap.Point{clamp(from), clamp(to)})
		}
	}
	byPriority := slices.SortedStableFunc(slices.Values(m.Spawns), func(a, b bonkmap.Spawn) int {
		return cmp.Compare(b.Priority, a.Priority)
	})
	for _, spawn := range byPriority {
		s.spawns = append(s.spawns, clamp(spawn.Position))
	}
	s.view = s.chooseView()
	return s, nil
}

func checkLimits(m *bonkmap.Map) error {
	shapes, vertices := 0, 0
	for _, index := range m.DrawOrder {
		for _, fixture := range m.Bodies[index].Fixtures {
			shapes++
			if polygon, ok := m.Shapes[m.Fixtures[fixture].Shape].(bonkmap.Polygon); ok {
				vertices += len(polygon.Vertices)
			}
			if shapes > MaxShapes {
				return &LimitError{Part: "shapes", Max: MaxShapes}
			}
			if vertices > MaxVertices {
				return &LimitError{Part: "vertices", Max: MaxVertices}
			}
		}
	}
	if len(m.Joints) > MaxMarks {
		return &LimitError{Part: "joints", Max: MaxMarks}
	}
	if len(m.Spawns) > MaxMarks {
		return &LimitError{Part: "spawns", Max: MaxMarks}
	}
	return nil
}

func isBackdrop(m *bonkmap.Map, fixture *bonkmap.Fixture) bool {
	box, ok := m.Shapes[fixture.Shape].(bonkmap.Box)
	return ok && fixture.NoPhysics && (math.Abs(box.Width) > backdropSize || math.Abs(box.Height) > backdropSize)
}

// place returns where a shape of a body is at the start.
func place(body *bonkmap.Body, shape bonkmap.Shape) area {
	if circle, ok := shape.(bonkmap.Circle); ok {
		return area{centre: clamp(body.Place(circle.Centre)), radius: min(math.Abs(circle.Radius), maxCoordinate)}
	}
	corners := bonkmap.Corners(shape)
	outline := make([]bonkmap.Point, len(corners)) // not nil: an area without one is a circle
	for i, corner := range corners {
		outline[i] = clamp(body.Place(corner))
	}
	return area{outline: outline}
}

// lineOf returns the ends of a joint's line, and whether it has one.
func lineOf(m *bonkmap.Map, joint bonkmap.Joint) (from, to bonkmap.Point, ok bool) {
	onBody := func(index int, p bonkmap.Point) bonkmap.Point {
		if index == bonkmap.None {
			return p
		}
		return m.Bodies[index].Place(p)
	}
	switch j := joint.(type) {
	case bonkmap.Distance:
		return onBody(j.BodyA, j.AnchorA), onBody(j.BodyB, j.AnchorB), j.DrawLine
	case bonkmap.Spring:
		return onBody(j.BodyA, bonkmap.Point{}), j.Position, j.DrawLine
	case bonkmap.Path:
		sin, cos := math.Sincos(j.Angle)
		half := bonkmap.Point{X: cos * j.Length / 2, Y: sin * j.Length / 2}
		return bonkmap.Point{X: j.Position.X - half.X, Y: j.Position.Y - half.Y},
			bonkmap.Point{X: j.Position.X + half.X, Y: j.Position.Y + half.Y}, j.DrawLine
	default: // both ends of the others are at one place
		return bonkmap.Point{}, bonkmap.Point{}, false
	}
}

func clamp(p bonkmap.Point) bonkmap.Point {
	return bonkmap.Point{X: clampNumber(p.X), Y: clampNumber(p.Y)}
}

func clampNumber(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return max(-maxCoordinate, min(v, maxCoordinate))
}

// chooseView returns the part of the map that the drawing shows: the spawns and everything that players touch, without
// what is as large as a backdrop.
func (s *scene) chooseView() bonkmap.Rect {
	extent := bonkmap.EmptyRect()
	for _, spawn := range s.spawns {
		extent = extent.Around(spawn, 0)
	}
	for _, a := range s.areas {
		own := a.extent()
		isLarge := own.IsEmpty() || max(own.Width(), own.Height()) > backdropSize
		if (!a.hasNoPhysics || a.isFinish) && !isLarge {
			extent = extent.Around(own.Min, 0).Around(own.Max, 0)
		}
	}
	if extent.IsEmpty() {
		extent = bonkmap.Rect{}
	}
	addX := max(margin, (minWidth-extent.Width())/2)
	addY := max(margin, (minHeight-extent.Height())/2)
	return bonkmap.Rect{
		Min: bonkmap.Point{X: extent.Min.X - addX, Y: extent.Min.Y - addY},
		Max: bonkmap.Point{X: extent.Max.X + addX, Y: extent.Max.Y + addY},
	}
}

// extent returns the smallest rectangle around a, which is empty for a polygon without corners.
func (a area) extent() bonkmap.Rect {
	extent := bonkmap.EmptyRect()
	if a.outline == nil {
		return extent.Around(a.centre, a.radius)
	}
	for _, p := range a.outline {
		extent = extent.Around(p, 0)
	}
	return extent
}

// spawnRadius is the radius of a spawn's mark, before it is scaled.
const spawnRadius = 7

// markScale returns the number of pixels of the map for each pixel of a mark, so that marks stay visible in a drawing
// of a large map. A mark is designed for a view of 800 pixels.
func (s *scene) markScale() float64 {
	return max(1, max(s.view.Width(), s.view.Height())/800)
}

// middle returns the centre of the rectangle around a.
func (a area) middle() bonkmap.Point {
	r := a.extent()
	if r.IsEmpty() {
		return bonkmap.Point{}
	}
	return bonkmap.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}
