package bonkmap

import (
	"math"
	"strings"
)

// checkpointPrefix begins the names of fixtures that a course's own zones carry.
const checkpointPrefix = "cp"

// FinishIsAmbiguous reports whether a run could be counted as finished at a zone
// in the middle of the course. Authors who name the fixture of one zone "cp…"
// must name them all so; on a map that mixes both, a replay may end too early.
func (m *Map) FinishIsAmbiguous() bool {
	named := 0
	for _, zone := range m.CapZones {
		if zone.Fixture != None && strings.HasPrefix(m.Fixtures[zone.Fixture].Name, checkpointPrefix) {
			named++
		}
	}
	return named > 0 && named < len(m.CapZones)
}

// Remix returns the map that this one was made from, and whether there is one.
func (m *Map) Remix() (Original, bool) {
	return m.RemixOf, m.RemixOf.ID != 0 || m.RemixOf.Name != ""
}

// Rect is a rectangle that is not turned.
type Rect struct{ Min, Max Point }

// Width of the rectangle, in pixels.
func (r Rect) Width() float64 { return r.Max.X - r.Min.X }

// Height of the rectangle, in pixels.
func (r Rect) Height() float64 { return r.Max.Y - r.Min.Y }

// Bounds returns the smallest rectangle that holds every spawn and every fixture
// of every body where it starts, decoration included. It is empty, at the
// origin, for an empty map. Its sides are finite for every map that Decode
// returns: what lies beyond half the largest float64 counts as lying there.
//
// The same fixture may be part of every body, so that the time it takes grows
// with the bodies times the corners of their shapes: on a map made for that it is
// minutes.
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

// bounds grows around what it includes.
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

// Place moves a point of the body's own coordinates to where it lies on the map
// at the start.
func (b *Body) Place(p Point) Point { return p.turned(b.Angle).plus(b.Position) }

// Corners returns a box's or polygon's corners in the coordinates of its body,
// and nothing for a circle.
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

// plus and turned return finite points for finite ones: a game's map may hold any
// float64, and infinities would become no numbers further on.
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

// within brings a point's coordinates into -limit to limit.
func within(p Point, limit float64) Point {
	return Point{max(-limit, min(p.X, limit)), max(-limit, min(p.Y, limit))}
}
