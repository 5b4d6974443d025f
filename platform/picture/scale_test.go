package picture

import (
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/draw"
)

func noise(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	seed := uint32(1)
	for i := range img.Pix {
		seed = seed*1664525 + 1013904223
		img.Pix[i] = uint8(seed >> 24)
	}
	return img
}

// Strips leave no seams.
func TestStripsGiveWhatTheWholeImageGives(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ from, to image.Point }{
		{image.Pt(300, 200), image.Pt(130, 87)},
		{image.Pt(129, 65), image.Pt(128, 64)},
		{image.Pt(64, 64), image.Pt(64, 64)},
		{image.Pt(1, 500), image.Pt(1, 1)},
		{image.Pt(500, 1), image.Pt(70, 1)},
	} {
		img := noise(size.from.X, size.from.Y)
		want := image.NewRGBA(image.Rectangle{Max: size.to})
		draw.CatmullRom.Scale(want, want.Bounds(), img, img.Bounds(), draw.Src, nil)
		got := scale(img, size.to.X, size.to.Y)
		if got.Bounds() != want.Bounds() {
			t.Fatalf("%v becomes %v, want %v", size.from, got.Bounds(), want.Bounds())
		}
		for y := range size.to.Y {
			for x := range size.to.X {
				if a, b := color.RGBAModel.Convert(got.At(x, y)).(color.RGBA), want.RGBAAt(x, y); far(a, b) {
					t.Fatalf("%v to %v at %d,%d: %v, want %v", size.from, size.to, x, y, a, b)
				}
			}
		}
	}
}

// far tells whether colours differ by more than rounding twice, and clipping what
// the kernel overshoots on the way, explain.
func far(a, b color.RGBA) bool {
	const tolerance = 24
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		if d := int(pair[0]) - int(pair[1]); d > tolerance || d < -tolerance {
			return true
		}
	}
	return false
}
