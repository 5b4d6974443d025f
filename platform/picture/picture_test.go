package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/gen2brain/webp"

	"capzone.dev/platform/picture"
)

var limit = picture.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

func drawn(w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, color.RGBA{uint8(x), uint8(y), uint8(x ^ y), 255})
		}
	}
	return img
}

func encoded(tb testing.TB, img image.Image, encode func(*bytes.Buffer, image.Image) error) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, img image.Image) error  { return png.Encode(b, img) }
func asJPEG(b *bytes.Buffer, img image.Image) error { return jpeg.Encode(b, img, nil) }
func asGIF(b *bytes.Buffer, img image.Image) error  { return gif.Encode(b, img, nil) }
func asWebP(b *bytes.Buffer, img image.Image) error {
	return webp.Encode(b, img, webp.Options{Quality: 80, Method: 0})
}

func TestEveryAcceptedTypeBecomesWebPInTheSizesAsked(t *testing.T) {
	t.Parallel()
	for name, encode := range map[string]func(*bytes.Buffer, image.Image) error{"png": asPNG, "jpeg": asJPEG, "webp": asWebP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := picture.Renditions(t.Context(), encoded(t, drawn(640, 400), encode), limit, 1600, 480)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []image.Point{{640, 400}, {480, 300}} {
				img, err := webp.Decode(bytes.NewReader(got[i].WebP))
				if err != nil {
					t.Fatal(err)
				}
				if size := img.Bounds().Size(); size != want || got[i].Width != want.X || got[i].Height != want.Y {
					t.Errorf("rendition %d is %v (%d×%d), want %v", i, size, got[i].Width, got[i].Height, want)
				}
			}
		})
	}
}

func TestWhatWasHiddenInTheFileIsGone(t *testing.T) {
	t.Parallel()
	secret := []byte("<script>alert(1)</script>")
	data := append(encoded(t, drawn(64, 64), asPNG), secret...)
	got, err := picture.Renditions(t.Context(), data, limit, 64)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got[0].WebP, secret) {
		t.Error("bytes behind the image were kept")
	}
}

func TestTransparencyStays(t *testing.T) {
	t.Parallel()
	got, err := picture.Renditions(t.Context(), encoded(t, image.NewNRGBA(image.Rect(0, 0, 32, 32)), asPNG), limit, 16)
	if err != nil {
		t.Fatal(err)
	}
	img, err := webp.Decode(bytes.NewReader(got[0].WebP))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, alpha := img.At(8, 8).RGBA(); alpha != 0 {
		t.Errorf("alpha is %d, want 0", alpha)
	}
}

func TestBadImagesAreRefused(t *testing.T) {
	t.Parallel()
	good := encoded(t, drawn(64, 64), asPNG)
	animated := append([]byte("RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00"), make([]byte, 30)...)
	for _, tt := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, picture.ErrTypeInvalid},
		{"text", []byte("hello"), picture.ErrTypeInvalid},
		{"an SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), picture.ErrTypeInvalid},
		{"a GIF", encoded(t, drawn(8, 8), asGIF), picture.ErrTypeInvalid},
		{"only a signature", good[:8], picture.ErrBroken},
		{"a cut file", good[:len(good)/2], picture.ErrBroken},
		{"an animated WebP", animated, picture.ErrBroken},
		{"too many bytes", append(bytes.Clone(good), make([]byte, 1<<20)...), picture.ErrTooLarge},
		{"too wide", encoded(t, drawn(4097, 1), asPNG), picture.ErrDimensions},
		{"a header of a billion pixels", hugePNG(good), picture.ErrDimensions},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := picture.Renditions(t.Context(), tt.data, limit, 480); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// hugePNG returns a PNG whose header says 60,000×60,000 pixels.
func hugePNG(good []byte) []byte {
	data := bytes.Clone(good)
	binary.BigEndian.PutUint32(data[16:], 60_000)
	binary.BigEndian.PutUint32(data[20:], 60_000)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// Whoever gave up waiting leaves no work behind.
func TestAnImageIsNotRenderedForNobody(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := picture.Renditions(ctx, encoded(t, drawn(64, 64), asPNG), limit, 480); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTheSentenceNamesTheLimit(t *testing.T) {
	t.Parallel()
	_, err := picture.Renditions(t.Context(), make([]byte, 1<<20+1), limit, 480)
	if err == nil || !strings.Contains(err.Error(), "File too large. Maximum size is 1 MB") {
		t.Errorf("got %v", err)
	}
}

func FuzzRenditions(f *testing.F) {
	for _, encode := range []func(*bytes.Buffer, image.Image) error{asPNG, asJPEG, asWebP, asGIF} {
		f.Add(encoded(f, drawn(16, 16), encode))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := picture.Renditions(t.Context(), data, picture.Limit{Bytes: 1 << 16, Width: 256, Height: 256}, 32)
		if err == nil && (len(got) != 1 || got[0].Width > 32 || len(got[0].WebP) == 0) {
			t.Errorf("a rendition of %d for width 32", got[0].Width)
		}
	})
}
