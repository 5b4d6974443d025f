package imaging_test

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
	"testing"
	"testing/synctest"
	"time"

	"github.com/gen2brain/webp"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/imaging"
)

var limit = imaging.Limit{Bytes: 1 << 20, Width: 4096, Height: 4096}

// render renders an image within the usual limit.
func render(ctx context.Context, data []byte, widths ...int) ([]imaging.Rendition, error) {
	return imaging.NewRenderer(limit, widths...).Render(ctx, data)
}

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
	require.NoError(tb, encode(&b, img))
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, img image.Image) error  { return png.Encode(b, img) }
func asJPEG(b *bytes.Buffer, img image.Image) error { return jpeg.Encode(b, img, nil) }
func asGIF(b *bytes.Buffer, img image.Image) error  { return gif.Encode(b, img, nil) }
func asWebP(b *bytes.Buffer, img image.Image) error {
	return webp.Encode(b, img, webp.Options{Quality: 80, Method: 0})
}

func TestRenderer_Render(t *testing.T) {
	t.Parallel()
	for name, encode := range map[string]func(*bytes.Buffer, image.Image) error{"png": asPNG, "jpeg": asJPEG,
		"webp": asWebP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := render(t.Context(), encoded(t, drawn(640, 400), encode), 1600, 480)
			require.NoError(t, err)
			for i, want := range []image.Point{{640, 400}, {480, 300}} {
				img, err := webp.Decode(bytes.NewReader(got[i].WebP))
				require.NoError(t, err)
				if size := img.Bounds().Size(); size != want || got[i].Width != want.X || got[i].Height != want.Y {
					t.Errorf("rendition %d is %v (%d×%d), want %v", i, size, got[i].Width, got[i].Height, want)
				}
			}
		})
	}
}

func TestRenderer_Render_removes_hidden_bytes(t *testing.T) {
	t.Parallel()
	secret := []byte("<script>alert(1)</script>")
	data := append(encoded(t, drawn(64, 64), asPNG), secret...)
	got, err := render(t.Context(), data, 64)
	require.NoError(t, err)
	if bytes.Contains(got[0].WebP, secret) {
		t.Error("bytes behind the image were kept")
	}
}

func TestRenderer_Render_keeps_transparency(t *testing.T) {
	t.Parallel()
	got, err := render(t.Context(), encoded(t, image.NewNRGBA(image.Rect(0, 0, 32, 32)), asPNG), 16)
	require.NoError(t, err)
	img, err := webp.Decode(bytes.NewReader(got[0].WebP))
	require.NoError(t, err)
	if _, _, _, alpha := img.At(8, 8).RGBA(); alpha != 0 {
		t.Errorf("alpha is %d, want 0", alpha)
	}
}

func TestRenderer_Check(t *testing.T) {
	t.Parallel()
	good := encoded(t, drawn(64, 64), asPNG)
	animated := append([]byte("RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00"), make([]byte, 30)...)
	for _, tt := range []struct {
		name string
		data []byte
		want error
	}{
		{"nothing", nil, imaging.ErrTypeInvalid},
		{"text", []byte("hello"), imaging.ErrTypeInvalid},
		{"an SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), imaging.ErrTypeInvalid},
		{"a GIF", encoded(t, drawn(8, 8), asGIF), imaging.ErrTypeInvalid},
		{"only a signature", good[:8], imaging.ErrBroken},
		{"a cut file", good[:len(good)/2], imaging.ErrBroken},
		{"an animated WebP", animated, imaging.ErrBroken},
		{"too many bytes", append(bytes.Clone(good), make([]byte, 1<<20)...), imaging.ErrTooLarge},
		{"too wide", encoded(t, drawn(4097, 1), asPNG), imaging.ErrDimensions},
		{"a header of a billion pixels", hugePNG(good), imaging.ErrDimensions},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := render(t.Context(), tt.data, 480); !errors.Is(err, tt.want) {
				t.Errorf("Render returned %v, want %v", err, tt.want)
			}
			err := imaging.NewRenderer(limit, 480).Check(tt.data)
			if wholeFile := tt.name == "a cut file"; errors.Is(err, tt.want) == wholeFile {
				t.Errorf("Check returned %v, want %v", err, tt.want)
			}
		})
	}
}

// hugePNG returns a PNG with 60,000×60,000 pixels by its header.
func hugePNG(good []byte) []byte {
	data := bytes.Clone(good)
	binary.BigEndian.PutUint32(data[16:], 60_000)
	binary.BigEndian.PutUint32(data[20:], 60_000)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func TestRenderer_Render_canceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := render(ctx, encoded(t, drawn(64, 64), asPNG), 480); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzRenderer_Render(f *testing.F) {
	renderer := imaging.NewRenderer(imaging.Limit{Bytes: 1 << 16, Width: 256, Height: 256}, 32)
	for _, encode := range []func(*bytes.Buffer, image.Image) error{asPNG, asJPEG, asWebP, asGIF} {
		f.Add(encoded(f, drawn(16, 16), encode))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := renderer.Render(t.Context(), data)
		if err == nil && (len(got) != 1 || got[0].Width > 32 || len(got[0].WebP) == 0) {
			t.Errorf("a rendition of %d for width 32", got[0].Width)
		}
	})
}

func TestRenderer_Paint(t *testing.T) {
	t.Parallel()
	r := imaging.NewRenderer(imaging.Limit{})
	sizes := []image.Point{{X: 60, Y: 40}, {X: 30, Y: 20}}
	painted, err := r.Paint(t.Context(), sizes, func(size image.Point) (image.Image, error) {
		return image.NewRGBA(image.Rectangle{Max: size}), nil
	})
	if err != nil || len(painted) != len(sizes) {
		t.Fatalf("painted %d images, %v", len(painted), err)
	}
	for i, size := range sizes {
		if img, err := webp.Decode(bytes.NewReader(painted[i].WebP)); err != nil || img.Bounds().Size() != size {
			t.Errorf("image %d: %v, want %v", i, err, size)
		}
	}
	failed := errors.New("cannot be painted")
	_, err = r.Paint(t.Context(), sizes, func(image.Point) (image.Image, error) { return nil, failed })
	if !errors.Is(err, failed) {
		t.Errorf("error = %v, want %v", err, failed)
	}
}

// Two small images are rendered at a time, or one large one. One that waits too long is refused.
func TestRenderer_Paint_busy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := imaging.NewRenderer(limit)
		small, large := []image.Point{{X: 8, Y: 8}}, []image.Point{{X: 4096, Y: 4096}}
		hold, failed := make(chan struct{}), errors.New("failed")
		painting := 0
		paint := func(image.Point) (image.Image, error) { //nolint:unparam // what is painted is not looked at
			painting++
			<-hold
			painting--
			return nil, failed
		}
		results := make(chan error)
		for _, size := range [][]image.Point{small, small} {
			go func() {
				_, err := r.Paint(t.Context(), size, paint)
				results <- err
			}()
		}
		synctest.Wait()
		if painting != 2 {
			t.Errorf("%d small images are rendered at a time, want 2", painting)
		}
		began := time.Now()
		_, err := r.Paint(t.Context(), large, paint)
		took := time.Since(began)
		if !errors.Is(err, imaging.ErrBusy) || imaging.ErrBusy.RetryAfter == 0 || took != 10*time.Second {
			t.Errorf("a large image beside small ones: %v after %s, want ErrBusy", err, took)
		}
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Paint(canceled, small, paint); !errors.Is(err, context.Canceled) {
			t.Errorf("of a client that is gone: %v", err)
		}
		close(hold)
		for range 2 {
			if err := <-results; !errors.Is(err, failed) {
				t.Error(err)
			}
		}
	})
}
