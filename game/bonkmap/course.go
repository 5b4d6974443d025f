package bonkmap

import (
	"math"
	"slices"
	"strings"
)

// checkpointPrefix begins the names of the fixtures of checkpoint zones.
const checkpointPrefix = "cp"

// FinishIsAmbiguous reports whether a finish could be counted at a zone in the middle of the course:
// on a map where some fixtures of capture zones are named "cp…" and some are not.
func (m *Map) FinishIsAmbiguous() bool {
	checkpoints := m.checkpoints()
	return slices.Contains(checkpoints, true) && slices.Contains(checkpoints, false)
}

// checkpoints returns for each capture zone whether its fixture is named "cp…".
func (m *Map) checkpoints() []bool {
	named := make([]bool, len(m.CapZones))
	for i, zone := range m.CapZones {
		named[i] = zone.Fixture != None && strings.HasPrefix(m.Fixtures[zone.Fixture].Name, checkpointPrefix)
	}
	return named
}

// Remix returns the map from which this one was made, and whether there is one.
func (m *Map) Remix() (Original, bool) {
	return m.RemixOf, m.RemixOf.ID != 0 || m.RemixOf.Name != ""
}

// Rect is a rectangle with sides parallel to the axes.
type Rect struct{ Min, Max Point }

// Width returns the width in pixels.
func (r Rect) Width() float64 { return r.Max.X - r.Min.X }

// Height returns the height in pixels.
func (r Rect) Height() float64 { return r.Max.Y - r.Min.Y }

// Bounds returns the smallest rectangle around every spawn and every fixture of every body at its
// start position, including decoration. It is empty, at the origin, for an empty map. Its sides are
// finite for every map that Decode returns: coordinates are clamped to half the largest float64.
//
// The same fixture may be part of every body, so the time grows with bodies times corners. A map
// made for that takes minutes.
func (m *Map) Bounds() Rect {
	b := bounds{}
	for _, spawn := range m.Spawns {
		b.include(spawn.Position, 0)
	}
	for _, body := range m.Bodies {
		for _, fixture := range body.Fixtures {
			shape := m.Shapes[m.Fixtures[fixture].Shape]
			if circle, ok := shape.(Circle); ok {
				b.include(body.Place(circle.Centre), math.Abs(circle.Radius))
			}
			for _, corner := range Corners(shape) {
				b.include(body.Place(corner), 0)
			}
		}
	}
	return b.rect
}

// bounds is a rectangle that grows around points.
type bounds struct {
	rect  Rect
	grown bool
}

func (b *bounds) include(p Point, radius float64) {
	around := Rect{
		Min: within(Point{p.X - radius, p.Y - radius}, math.MaxFloat64/2),
		Max: within(Point{p.X + radius, p.Y + radius}, math.MaxFloat64/2),
	}
	if !b.grown {
		b.rect, b.grown = around, true
		return
	}
	b.rect.Min = Point{min(b.rect.Min.X, around.Min.X), min(b.rect.Min.Y, around.Min.Y)}
	b.rect.Max = Point{max(b.rect.Max.X, around.Max.X), max(b.rect.Max.Y, around.Max.Y)}
}

// Place converts a point from the body's coordinates to the map's at the start.
func (b *Body) Place(p Point) Point { return p.turned(b.Angle).plus(b.Position) }

// Corners returns the corners of a box or polygon in the coordinates of its body, and nil for a circle.
func Corners(shape Shape) []Point {
	switch s := shape.(type) {
	case Box:
		x, y := s.Width/2, s.Height/2
		corners := []Point{{-x, -y}, {x, -y}, {x, y}, {-x, y}}
		for i, corner := range corners {
			corners[i] = corner.turned(s.Angle).plus(s.Centre)
		}
		return corners
	case Polygon:
		corners := make([]Point, len(s.Vertices))
		for i, vertex := range s.Vertices {
			scaled := within(Point{vertex.X * s.Scale, vertex.Y * s.Scale}, math.MaxFloat64)
			corners[i] = scaled.turned(s.Angle).plus(s.Centre)
		}
		return corners
	default:
		return nil
	}
}

// plus and turned return finite points for finite ones. A map may have any float64, and infinities
// would become NaN in later steps.
func (p Point) plus(other Point) Point {
	return within(Point{p.X + other.X, p.Y + other.Y}, math.MaxFloat64)
}

func (p Point) turned(angle float64) Point {
	if angle == 0 {
		return p
	}
	sin, cos := math.Sincos(angle)
	return within(Point{p.X*cos - p.Y*sin, p.X*sin + p.Y*cos}, math.MaxFloat64)
}

// within clamps a point's coordinates to -limit to limit.
func within(p Point, limit float64) Point {
	return Point{max(-limit, min(p.X, limit)), max(-limit, min(p.Y, limit))}
}
