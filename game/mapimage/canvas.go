package mapimage

import (
	"image"
	"math"
	"slices"

	"capzone.dev/game/bonkmap"
)

// colour has parts from 0 to 255.
type colour struct{ r, g, b float64 }

func rgb(value uint32) colour {
	return colour{float64(value >> 16 & 0xFF), float64(value >> 8 & 0xFF), float64(value & 0xFF)}
}

// fill is the colour and the opacity, from 0 to 1, of a pixel.
type fill func(x, y int) (colour, float64)

func solid(c colour, opacity float64) fill {
	return func(int, int) (colour, float64) { return c, opacity }
}

// canvas fills polygons, with smooth edges, on an image.
type canvas struct {
	img       *image.RGBA
	coverage  []float32 // of the pixels of one row, reused
	crossings []float64 // of one line, reused
	work      int       // done so far; a polygon costs its rectangle, and its corners in each row
	maxWork   int       // above this, nothing more is filled
}

func newCanvas(width, height, maxWork int) *canvas {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	return &canvas{img: img, coverage: make([]float32, width), maxWork: maxWork}
}

func (c *canvas) fillAll(background colour) {
	for i := 0; i < len(c.img.Pix); i += 4 {
		c.img.Pix[i], c.img.Pix[i+1], c.img.Pix[i+2] = byte(background.r), byte(background.g), byte(background.b)
		c.img.Pix[i+3] = 255
	}
}

// linesPerRow is how many lines are followed through every row of pixels. Along a line the coverage is exact.
const linesPerRow = 4

// fill fills the inside of a closed outline, given in pixels, by the even-odd rule.
func (c *canvas) fill(outline []bonkmap.Point, f fill) {
	if len(outline) < 3 {
		return
	}
	top, bottom := outline[0].Y, outline[0].Y
	left, right := outline[0].X, outline[0].X
	for _, p := range outline {
		top, bottom = min(top, p.Y), max(bottom, p.Y)
		left, right = min(left, p.X), max(right, p.X)
	}
	size := c.img.Bounds().Size()
	firstRow, rows := pixels(top, bottom, size.Y)
	firstColumn, columns := pixels(left, right, size.X)
	const callCost = 64
	c.work += callCost + max(0, rows-firstRow)*(max(0, columns-firstColumn)+linesPerRow*len(outline))
	if c.work > c.maxWork {
		return
	}
	for y := firstRow; y < rows && firstColumn < columns; y++ {
		clear(c.coverage[firstColumn:columns])
		for line := range linesPerRow {
			c.findCrossings(outline, float64(y)+(float64(line)+0.5)/linesPerRow)
			for i := 0; i+1 < len(c.crossings); i += 2 {
				c.cover(c.crossings[i], c.crossings[i+1])
			}
		}
		c.blendRow(y, firstColumn, columns, f)
	}
}

// pixels returns the first pixel of a range and the one after its last, within 0 … size.
func pixels(low, high float64, size int) (first, after int) {
	limit := float64(size)
	return int(max(0, min(low, limit))), int(math.Ceil(max(0, min(high, limit))))
}

// findCrossings stores where a horizontal line crosses an outline, sorted.
func (c *canvas) findCrossings(outline []bonkmap.Point, y float64) {
	c.crossings = c.crossings[:0]
	from := outline[len(outline)-1]
	for _, to := range outline {
		if (from.Y <= y) != (to.Y <= y) {
			share := (y - from.Y) / (to.Y - from.Y)
			c.crossings = append(c.crossings, from.X+share*(to.X-from.X))
		}
		from = to
	}
	slices.Sort(c.crossings)
}

// cover adds a part of one line to the coverage of its row.
func (c *canvas) cover(from, to float64) {
	from, to = max(from, 0), min(to, float64(len(c.coverage)))
	for x := int(from); float64(x) < to; x++ {
		c.coverage[x] += float32(min(to, float64(x+1))-max(from, float64(x))) / linesPerRow
	}
}

func (c *canvas) blendRow(y, first, after int, f fill) {
	row := c.img.Pix[y*c.img.Stride:]
	for x := first; x < after; x++ {
		covered := float64(min(c.coverage[x], 1))
		if covered == 0 {
			continue
		}
		over, opacity := f(x, y)
		share := covered * opacity
		pixel := row[4*x : 4*x+3 : 4*x+3]
		pixel[0] = mix(pixel[0], over.r, share)
		pixel[1] = mix(pixel[1], over.g, share)
		pixel[2] = mix(pixel[2], over.b, share)
	}
}

func mix(under byte, over, share float64) byte {
	return byte(float64(under)*(1-share) + over*share + 0.5)
}
