package mapgen

import (
	"image"
	"math"
	"slices"

	"capzone.dev/game/bonkmap"
)

// ink is a colour with parts from 0 to 1.
type ink struct{ r, g, b float64 }

func inkOf(colour uint32) ink {
	return ink{float64(colour>>16&0xFF) / 255, float64(colour>>8&0xFF) / 255, float64(colour&0xFF) / 255}
}

// to mixes with another ink; 0 is this one, 1 the other.
func (i ink) to(other ink, share float64) ink {
	return ink{i.r + (other.r-i.r)*share, i.g + (other.g-i.g)*share, i.b + (other.b-i.b)*share}
}

var (
	white = ink{1, 1, 1}
	black = ink{0, 0, 0}
)

// canvas paints polygons, with smooth edges, onto an image.
type canvas struct {
	img      *image.RGBA
	coverage []float64 // of one row, reused
}

func newCanvas(width, height int) *canvas {
	return &canvas{img: image.NewRGBA(image.Rect(0, 0, width, height)), coverage: make([]float64, width)}
}

// paint returns the colour and opacity of a row of a polygon.
type paint func(y int) (colour ink, opacity float64)

func flat(colour ink, opacity float64) paint {
	return func(int) (ink, float64) { return colour, opacity }
}

// gradient runs from one ink at y1 to another at y2.
func gradient(y1, y2 float64, from, to ink, opacity float64) paint {
	return func(y int) (ink, float64) {
		share := (float64(y) + 0.5 - y1) / max(y2-y1, 1)
		return from.to(to, min(max(share, 0), 1)), opacity
	}
}

// linesPerRow is how many lines are followed through every row of pixels; along a line the coverage
// is exact.
const linesPerRow = 4

// fill paints the inside of a closed outline, given in pixels.
func (c *canvas) fill(outline []bonkmap.Point, p paint) {
	if len(outline) < 3 {
		return
	}
	low, high := outline[0].Y, outline[0].Y
	for _, corner := range outline {
		low, high = min(low, corner.Y), max(high, corner.Y)
	}
	height := float64(c.img.Bounds().Dy())
	low, high = min(max(low, 0), height), min(max(high, 0), height)
	if !(low < high) { // outside, or NaN
		return
	}
	first, last := int(low), int(math.Ceil(high))
	var crossings []float64
	for y := first; y < last; y++ {
		clear(c.coverage)
		touched := false
		for line := range linesPerRow {
			at := float64(y) + (float64(line)+0.5)/linesPerRow
			crossings = crossingsAt(outline, at, crossings[:0])
			for i := 0; i+1 < len(crossings); i += 2 {
				touched = c.cover(crossings[i], crossings[i+1]) || touched
			}
		}
		if touched {
			c.blendRow(y, p)
		}
	}
}

// crossingsAt collects where a horizontal line crosses an outline, sorted.
func crossingsAt(outline []bonkmap.Point, y float64, into []float64) []float64 {
	previous := outline[len(outline)-1]
	for _, corner := range outline {
		if (previous.Y <= y) != (corner.Y <= y) {
			share := (y - previous.Y) / (corner.Y - previous.Y)
			into = append(into, previous.X+share*(corner.X-previous.X))
		}
		previous = corner
	}
	slices.Sort(into)
	return into
}

// cover adds a stretch of one line to the coverage of its row.
func (c *canvas) cover(x1, x2 float64) bool {
	x1, x2 = max(x1, 0), min(x2, float64(len(c.coverage)))
	if !(x1 < x2) { // as above
		return false
	}
	first, last := int(x1), int(math.Ceil(x2))-1
	for x := first; x <= last; x++ {
		c.coverage[x] += (min(x2, float64(x+1)) - max(x1, float64(x))) / linesPerRow
	}
	return true
}

func (c *canvas) blendRow(y int, p paint) {
	colour, opacity := p(y)
	row := c.img.Pix[y*c.img.Stride:]
	for x, covered := range c.coverage {
		if covered == 0 {
			continue
		}
		share := min(covered, 1) * opacity
		pixel := row[4*x : 4*x+4 : 4*x+4]
		pixel[0] = mix(pixel[0], colour.r, share)
		pixel[1] = mix(pixel[1], colour.g, share)
		pixel[2] = mix(pixel[2], colour.b, share)
		pixel[3] = 255
	}
}

func mix(under byte, over, share float64) byte {
	return byte(math.Round(float64(under)*(1-share) + 255*over*share))
}

// outlineOf gives a polygon, a box or a circle as a row of points.
func outlineOf(shape bonkmap.Shape) []bonkmap.Point {
	if circle, ok := shape.(bonkmap.Circle); ok {
		return ringAt(circle.Centre, circle.Radius)
	}
	return bonkmap.Corners(shape)
}

func ringAt(centre bonkmap.Point, radius float64) []bonkmap.Point {
	const corners = 64
	ring := make([]bonkmap.Point, corners)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		ring[i] = bonkmap.Point{X: centre.X + radius*cos, Y: centre.Y + radius*sin}
	}
	return ring
}
