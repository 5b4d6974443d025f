package imaging

import (
	"image"

	"golang.org/x/image/draw"
)

// fit returns img with at most the width, in pixels, in its proportions.
func fit(img image.Image, width int) image.Image {
	from := img.Bounds()
	width = min(width, from.Dx())
	height := max(1, from.Dy()*width/from.Dx())
	// The average of four pixels is much cheaper than the kernel, and as good above twice the size.
	for img.Bounds().Dx() >= 2*width && img.Bounds().Dy() >= 2*height && width > 1 && height > 1 {
		img = halve(img)
	}
	if img.Bounds().Dx() == width && img.Bounds().Dy() == height && img.Bounds().Min == (image.Point{}) {
		if rgba, ok := img.(*image.RGBA); ok {
			return rgba
		}
	}
	return scale(img, width, height)
}

// halve returns img in half its size, rounded down: each pixel is the average of four.
func halve(img image.Image) *image.RGBA {
	from := img.Bounds()
	half := image.NewRGBA(image.Rect(0, 0, from.Dx()/2, from.Dy()/2))
	rows := image.NewRGBA(image.Rect(0, 0, from.Dx(), 2))
	for y := range half.Rect.Dy() {
		draw.Draw(rows, rows.Rect, img, image.Pt(from.Min.X, from.Min.Y+2*y), draw.Src)
		out := half.Pix[y*half.Stride : (y+1)*half.Stride]
		for i := range out {
			// Of channel c of pixel x, the four are at 8x+c and 8x+4+c of two rows.
			at := i/4*8 + i%4
			below := at + rows.Stride
			sum := int(rows.Pix[at]) + int(rows.Pix[at+4]) + int(rows.Pix[below]) + int(rows.Pix[below+4])
			out[i] = uint8((sum + 2) / 4)
		}
	}
	return half
}

// strip is the number of rows or columns that are scaled at once.
const strip = 64

// scale returns img in another size. Scaled at once, an image takes 32 bytes for each of its rows and each
// column of the result: 200 MiB from 4096 rows to 1600 columns. Therefore it is scaled horizontally and then
// vertically, a strip at a time. The result is the same but for rounding, because the kernel is separable.
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
