package sharecard

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/vector"
)

// canvas is the picture that a card draws on.
type canvas struct{ *image.RGBA }

func newCanvas() canvas { return canvas{image.NewRGBA(image.Rect(0, 0, Width, Height))} }

// point is a place in pixels from the upper left corner.
type point struct{ x, y float64 }

// fill draws what src has within an outline.
func (c canvas) fill(outline []point, src image.Image) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, p := range outline {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	box := image.Rect(int(math.Floor(low.x)), int(math.Floor(low.y)), int(math.Ceil(high.x)), int(math.Ceil(high.y)))
	if box.Empty() {
		return
	}
	shape := vector.NewRasterizer(box.Dx(), box.Dy())
	for i, p := range outline {
		x, y := float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
		if i == 0 {
			shape.MoveTo(x, y)
			continue
		}
		shape.LineTo(x, y)
	}
	shape.ClosePath()
	mask := image.NewAlpha(box)
	shape.DrawOp = draw.Src
	shape.Draw(mask, box, image.Opaque, image.Point{})
	draw.DrawMask(c.RGBA, box, src, box.Min, mask, box.Min, draw.Over)
}

// fade draws rows between two heights, from one colour to another.
func (c canvas) fade(r image.Rectangle, top, bottom color.NRGBA) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := image.Rect(r.Min.X, y, r.Max.X, y+1)
		share := float64(y-r.Min.Y) / float64(r.Dy())
		draw.Draw(c.RGBA, row, image.NewUniform(mix(top, bottom, share)), image.Point{}, draw.Over)
	}
}

// glow draws a light around a point, which ends at a radius.
func (c canvas) glow(at point, radius float64, light color.NRGBA) {
	r := image.Rect(int(at.x-radius), int(at.y-radius), int(at.x+radius), int(at.y+radius)).Intersect(c.Rect)
	channels := [3]float64{float64(light.R), float64(light.G), float64(light.B)}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			share := 1 - math.Hypot(float64(x)-at.x, float64(y)-at.y)/radius
			if share <= 0 {
				continue
			}
			share *= share * float64(light.A) / 0xff // squared, so that no edge is seen
			pixel := c.Pix[c.PixOffset(x, y):]
			for i, channel := range channels {
				pixel[i] = uint8(float64(pixel[i])*(1-share) + channel*share + 0.5)
			}
		}
	}
}

// cover draws the middle of a picture over a rectangle.
func (c canvas) cover(at image.Rectangle, picture image.Image) {
	from := middle(picture.Bounds(), at.Dx(), at.Dy())
	if from.Size() == at.Size() {
		draw.Draw(c.RGBA, at, picture, from.Min, draw.Over)
		return
	}
	// The exact scalers need a buffer, which would take 24 MiB.
	draw.ApproxBiLinear.Scale(c.RGBA, at, picture, from, draw.Over, nil)
}

// middle returns the largest rectangle in the middle of r with the proportions width to height.
func middle(r image.Rectangle, width, height int) image.Rectangle {
	w := min(r.Dx(), max(1, r.Dy()*width/height))
	h := min(r.Dy(), max(1, r.Dx()*height/width))
	at := r.Min.Add(image.Pt((r.Dx()-w)/2, (r.Dy()-h)/2))
	return image.Rectangle{at, at.Add(image.Pt(w, h))}
}

// arc returns points of a circle from one angle to another, in degrees clockwise from the right.
func arc(centre point, radius, from, to float64) []point {
	const steps = 72
	points := make([]point, steps+1)
	for i := range points {
		angle := (from + (to-from)*float64(i)/steps) * math.Pi / 180
		points[i] = point{centre.x + radius*math.Cos(angle), centre.y + radius*math.Sin(angle)}
	}
	return points
}

func circle(centre point, radius float64) []point { return arc(centre, radius, 0, 360) }

// rounded returns a rectangle with round corners.
func rounded(x, y, width, height, radius float64) []point {
	var points []point
	for i, centre := range []point{
		{x + width - radius, y + height - radius}, {x + radius, y + height - radius},
		{x + radius, y + radius}, {x + width - radius, y + radius},
	} {
		points = append(points, arc(centre, radius, float64(i)*90, float64(i+1)*90)...)
	}
	return points
}

// line returns a line of a width.
func line(from, to point, width float64) []point {
	length := max(1e-9, math.Hypot(to.x-from.x, to.y-from.y))
	x, y := (to.y-from.y)/length*width/2, (from.x-to.x)/length*width/2
	return []point{{from.x + x, from.y + y}, {to.x + x, to.y + y}, {to.x - x, to.y - y}, {from.x - x, from.y - y}}
}

// placed returns points of a drawing enlarged, with its origin at a point.
func placed(points []point, origin point, scale float64) []point {
	moved := make([]point, len(points))
	for i, p := range points {
		moved[i] = point{origin.x + p.x*scale, origin.y + p.y*scale}
	}
	return moved
}

// mix returns the colour between two.
func mix(from, to color.NRGBA, share float64) color.NRGBA {
	between := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share + 0.5) }
	return color.NRGBA{between(from.R, to.R), between(from.G, to.G), between(from.B, to.B), between(from.A, to.A)}
}

// alpha returns a colour of which a share is seen.
func alpha(c color.NRGBA, share float64) color.NRGBA {
	c.A = uint8(share*0xff + 0.5)
	return c
}
