package mapimage

import (
	"errors"
	"image"
	"math"

	"capzone.dev/game/bonkmap"
)

// MaxImageSide is the largest width and height of an image, in pixels.
const MaxImageSide = 4096

// ErrOverlaps is returned by [Image] for a map whose shapes cover each other so often that painting takes too long.
var ErrOverlaps = errors.New("the shapes of the map cover each other too often to be painted")

// Image returns the drawing of a map as an opaque image, a [LimitError] or ErrOverlaps. Width and height are limited to
// 1 … MaxImageSide.
func Image(m *bonkmap.Map, width, height int) (image.Image, error) {
	s, err := newScene(m)
	if err != nil {
		return nil, err
	}
	width, height = min(max(width, 1), MaxImageSide), min(max(height, 1), MaxImageSide)
	p := &painter{canvas: newCanvas(width, height, maxWork(width, height))}
	p.scale = min(float64(width)/s.view.Width(), float64(height)/s.view.Height())
	p.origin = bonkmap.Point{
		X: (s.view.Min.X+s.view.Max.X)/2 - float64(width)/2/p.scale,
		Y: (s.view.Min.Y+s.view.Max.Y)/2 - float64(height)/2/p.scale,
	}
	p.markScale = s.markScale() * p.scale

	p.fillAll(rgb(s.sky))
	for _, a := range s.areas {
		p.area(a)
	}
	for _, line := range s.lines {
		p.fill(band(p.at(line[0]), p.at(line[1]), max(1, p.scale)), solid(rgb(0xFFFFFF), 0.7))
	}
	for _, spawn := range s.spawns {
		centre, radius := p.at(spawn), spawnRadius*p.markScale
		p.fill(ring(centre, radius+1.5*p.markScale), solid(rgb(0xFFFFFF), 1))
		p.fill(ring(centre, radius), solid(rgb(0x2E86DE), 1))
	}
	if p.work > p.maxWork {
		return nil, ErrOverlaps
	}
	return p.img, nil
}

// maxWork bounds the time that an image takes, in pixels.
func maxWork(width, height int) int { return 60*width*height + 1_000_000 }

// painter paints a scene onto a canvas.
type painter struct {
	*canvas
	scale     float64       // pixels of the image to one of the map
	origin    bonkmap.Point // of the image, in the map
	markScale float64       // pixels of the image to one of a mark
}

func (p *painter) at(place bonkmap.Point) bonkmap.Point {
	return bonkmap.Point{X: (place.X - p.origin.X) * p.scale, Y: (place.Y - p.origin.Y) * p.scale}
}

func (p *painter) area(a area) {
	outline := ring(p.at(a.centre), a.radius*p.scale)
	if a.outline != nil {
		outline = make([]bonkmap.Point, len(a.outline))
		for i, point := range a.outline {
			outline[i] = p.at(point)
		}
	}
	opacity := 1.0
	if a.hasNoPhysics {
		opacity = 0.6
	}
	p.fill(outline, solid(rgb(a.colour), opacity))
	if a.hasNoPhysics {
		p.dash(outline)
	}
	if a.isDeadly {
		p.fill(outline, p.stripes)
	}
	if a.hasNoGrapple && !a.hasNoPhysics {
		p.fill(outline, p.dots)
	}
	if a.isFinish {
		p.fill(outline, p.chequers)
	}
	if a.isOtherZone {
		p.fill(outline, p.lines)
	}
}

// stripes, dots, chequers and lines are the patterns of the SVG document.
func (p *painter) stripes(x, y int) (colour, float64) {
	if math.Mod(float64(x+y)/math.Sqrt2/p.markScale, 8) < 4 {
		return colour{}, 0.55
	}
	return colour{}, 0
}

func (p *painter) dots(x, y int) (colour, float64) {
	dx := math.Mod(float64(x)/p.markScale, 8) - 4
	dy := math.Mod(float64(y)/p.markScale, 8) - 4
	if dx*dx+dy*dy < 1.8*1.8 {
		return rgb(0xFFFFFF), 0.6
	}
	return colour{}, 0
}

func (p *painter) chequers(x, y int) (colour, float64) {
	column, row := int(float64(x)/p.markScale/6), int(float64(y)/p.markScale/6)
	if (column+row)%2 == 0 {
		return rgb(0xFFFFFF), 0.7
	}
	return rgb(0x111111), 0.7
}

func (p *painter) lines(_, y int) (colour, float64) {
	if math.Mod(float64(y)/p.markScale, 12) < 2 {
		return rgb(0xFFFFFF), 0.5
	}
	return colour{}, 0
}

// dash draws a dashed line along an outline, as far as it is inside the image.
func (p *painter) dash(outline []bonkmap.Point) {
	const maxDashes = 400 // of one side
	length, width := 4*p.markScale, max(1, p.markScale)
	for i, to := range outline {
		from := outline[(i+len(outline)-1)%len(outline)]
		side := math.Hypot(to.X-from.X, to.Y-from.Y)
		step := max(2*length, side/maxDashes)
		for start := 0.0; start < side; start += step {
			end := min(start+step/2, side)
			p.fill(band(between(from, to, start/side), between(from, to, end/side), width), solid(rgb(0xFFFFFF), 0.3))
		}
	}
}

func between(from, to bonkmap.Point, share float64) bonkmap.Point {
	return bonkmap.Point{X: from.X + (to.X-from.X)*share, Y: from.Y + (to.Y-from.Y)*share}
}

// band returns the outline of a straight line of some width.
func band(from, to bonkmap.Point, width float64) []bonkmap.Point {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length == 0 {
		return nil
	}
	x, y := (to.Y-from.Y)/length*width/2, (from.X-to.X)/length*width/2
	return []bonkmap.Point{
		{X: from.X + x, Y: from.Y + y}, {X: to.X + x, Y: to.Y + y},
		{X: to.X - x, Y: to.Y - y}, {X: from.X - x, Y: from.Y - y},
	}
}

// ring returns a circle as a polygon.
func ring(centre bonkmap.Point, radius float64) []bonkmap.Point {
	corners := int(min(max(12, radius), 96))
	outline := make([]bonkmap.Point, corners)
	for i := range outline {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		outline[i] = bonkmap.Point{X: centre.X + radius*cos, Y: centre.Y + radius*sin}
	}
	return outline
}
