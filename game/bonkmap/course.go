package bonkmap

import (
	"math"
	"slices"
	"strings"
)

// checkpointPrefix begins the names of the fixtures of checkpoint zones.
const checkpointPrefix = "cp"

// HasFinish reports whether a finish of the map has a fixture, so that the map can be finished.
func (m *Map) HasFinish() bool {
	return slices.ContainsFunc(m.CapZones, func(z CapZone) bool { return z.IsFinish() && z.Fixture != None })
}

// FinishIsAmbiguous reports whether a finish could be counted at a zone in the middle of the course:
// on a map where some fixtures of finishes are named "cp…" and some are not.
func (m *Map) FinishIsAmbiguous() bool {
	var checkpoint, other bool
	for i, named := range m.checkpoints() {
		if m.CapZones[i].IsFinish() {
			checkpoint, other = checkpoint || named, other || !named
		}
	}
	return checkpoint && other
}

// checkpoints returns for each capture zone, finish or not, whether its fixture is named "cp…".
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

// EmptyRect returns a rectangle that contains no point.
func EmptyRect() Rect {
	return Rect{Min: Point{math.Inf(1), math.Inf(1)}, Max: Point{math.Inf(-1), math.Inf(-1)}}
}

// IsEmpty reports whether the rectangle contains no point.
func (r Rect) IsEmpty() bool { return r.Min.X > r.Max.X }

// Around returns the smallest rectangle around r and a circle. Its coordinates are clamped to half the
// largest float64, so that its sides are finite.
func (r Rect) Around(centre Point, radius float64) Rect {
	low := within(Point{centre.X - radius, centre.Y - radius}, math.MaxFloat64/2)
	high := within(Point{centre.X + radius, centre.Y + radius}, math.MaxFloat64/2)
	return Rect{
		Min: Point{min(r.Min.X, low.X), min(r.Min.Y, low.Y)},
		Max: Point{max(r.Max.X, high.X), max(r.Max.Y, high.Y)},
	}
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
