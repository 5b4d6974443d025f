package picture

import (
	"image"

	"golang.org/x/image/draw"
)

// strip is how many rows or columns are scaled at once.
const strip = 64

// scale returns img in another size. Scaled at once, an image would take 32 bytes
// for each of its rows and each column of the result: 200 MiB from 4096 rows to 1600
// columns. It is scaled across and then along, a strip at a time, with the same
// result but for rounding: the kernel leaves alone what keeps its size, so that the
// rows of a strip know nothing of their neighbours.
func scale(img image.Image, width, height int) image.Image {
	from := img.Bounds()
	// A scaler keeps its buffer from strip to strip.
	across := draw.CatmullRom.NewScaler(width, strip, from.Dx(), strip)
	narrow := image.NewRGBA(image.Rect(0, 0, width, from.Dy()))
	for y := 0; y < from.Dy(); y += strip {
		rows := min(strip, from.Dy()-y)
		across.Scale(narrow, image.Rect(0, y, width, y+rows),
			img, image.Rect(from.Min.X, from.Min.Y+y, from.Max.X, from.Min.Y+y+rows), draw.Src, nil)
	}
	along := draw.CatmullRom.NewScaler(strip, height, strip, from.Dy())
	scaled := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := 0; x < width; x += strip {
		columns := min(strip, width-x)
		along.Scale(scaled, image.Rect(x, 0, x+columns, height),
			narrow, image.Rect(x, 0, x+columns, from.Dy()), draw.Src, nil)
	}
	return scaled
}
