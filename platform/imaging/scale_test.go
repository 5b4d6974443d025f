package imaging

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

// An image scaled in strips is the same as one scaled at once.
func TestScale(t *testing.T) {
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

// far reports whether colours differ by more than rounding twice and clipping twice.
func far(a, b color.RGBA) bool {
	const tolerance = 24
	for _, pair := range [][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		if d := int(pair[0]) - int(pair[1]); d > tolerance || d < -tolerance {
			return true
		}
	}
	return false
}

func TestHalve(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(3, 5, 8, 8)) // 5×3 pixels, of which the last column and row are dropped
	for x := range 5 {
		for y := range 3 {
			img.SetNRGBA(3+x, 5+y, color.NRGBA{R: uint8(40*x + 10*y), G: 7, A: 255})
		}
	}
	got := halve(img)
	want := []color.RGBA{{R: 25, G: 7, A: 255}, {R: 105, G: 7, A: 255}}
	if got.Bounds() != image.Rect(0, 0, 2, 1) || got.RGBAAt(0, 0) != want[0] || got.RGBAAt(1, 0) != want[1] {
		t.Errorf("halve returned %v %v %v, want %v", got.Bounds(), got.RGBAAt(0, 0), got.RGBAAt(1, 0), want)
	}
}

func TestFit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from  image.Point
		width int
		want  image.Point
	}{
		{image.Pt(4096, 4096), 1600, image.Pt(1600, 1600)},
		{image.Pt(4096, 10), 480, image.Pt(480, 1)},
		{image.Pt(10, 4096), 480, image.Pt(10, 4096)},
		{image.Pt(961, 541), 480, image.Pt(480, 270)},
		{image.Pt(1, 1), 480, image.Pt(1, 1)},
	} {
		if got := fit(image.NewGray(image.Rectangle{Max: tt.from}), tt.width).Bounds().Size(); got != tt.want {
			t.Errorf("fit(%v, %d) has the size %v, want %v", tt.from, tt.width, got, tt.want)
		}
	}
}
