// Package imaging checks uploaded images and renders them as WebP. An upload is never stored or served as it was
// sent: it is decoded within limits, scaled and encoded again, which removes metadata and anything hidden in the file.
package imaging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gen2brain/webp"
	"golang.org/x/sync/semaphore"

	"capzone.dev/platform/problem"
)

// Errors of uploaded images, without the form's field (see WithField).
var (
	ErrTypeInvalid = problem.WrongType("image_type_invalid", "Invalid image type. Please use JPG, PNG or WebP")
	ErrBroken      = problem.Unprocessable("image_broken", "The image cannot be read. The file may be damaged.")
	ErrTooLarge    = problem.TooLarge("image_too_large", "File too large.")
	ErrDimensions  = problem.Unprocessable("image_dimensions", "The image has too many pixels.")
)

// formats are the accepted ones. The process may have registered others with package image.
var formats = []string{"jpeg", "png", "webp"}

// WithField names the form's field in the refusal of an image. Other errors stay as they are.
func WithField(err error, field string) error {
	if refused, ok := errors.AsType[*problem.Problem](err); ok && refused.Kind != problem.KindUnavailable {
		return refused.About(field)
	}
	return err
}

// Limit bounds uploaded images.
type Limit struct {
	Bytes         int
	Width, Height int
}

// Rendition is one size of an image.
type Rendition struct {
	Width, Height int
	WebP          []byte
}

const (
	quality = 82
	// thumbnailQuality is that of every size but the first, which is shown at half its pixels or fewer: its files
	// are 28 % smaller.
	thumbnailQuality = 65
	// method is the effort of the encoder, from 0 to 6. Beyond 2 it takes four times as long
	// for files that are 3 % smaller.
	method = 2
)

// Renderer checks and renders uploaded images. Its methods may be called concurrently.
type Renderer struct {
	limit  Limit
	widths []int
	slots  *semaphore.Weighted
}

// NewRenderer returns a renderer of the widths in pixels, the largest first.
func NewRenderer(limit Limit, widths ...int) *Renderer {
	return &Renderer{limit: limit, widths: widths, slots: semaphore.NewWeighted(slots)}
}

// Check returns what the size, the type and the header of an image show to be wrong with it:
// ErrTypeInvalid, ErrBroken, ErrTooLarge or ErrDimensions. It is cheap.
func (r *Renderer) Check(data []byte) error {
	_, err := r.check(data)
	return err
}

func (r *Renderer) check(data []byte) (image.Config, error) {
	if len(data) > r.limit.Bytes {
		return image.Config{}, ErrTooLarge.WithMessage("file_size", "File too large. Maximum size is {size}").
			WithData("size", problem.FormatSize(int64(r.limit.Bytes)))
	}
	header, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case errors.Is(err, image.ErrFormat), err == nil && !slices.Contains(formats, format):
		return header, ErrTypeInvalid
	case err != nil:
		return header, ErrBroken.Wrap(err)
	case format == "webp" && isAnimated(data):
		return header, ErrBroken.Wrap(errAnimated)
	case header.Width < 1 || header.Height < 1:
		return header, ErrBroken
	case header.Width > r.limit.Width || header.Height > r.limit.Height:
		return header, ErrDimensions.WithMessage("image_pixels", "The image may have at most {width}×{height} pixels.").
			WithData("width", r.limit.Width).WithData("height", r.limit.Height)
	}
	return header, nil
}

// Render returns one rendition per width, in order. An image is never enlarged: a width
// beyond its own gives its own. The rotation that a camera recorded is lost with the other
// metadata; the site's images are screenshots and drawings.
//
// Images wait for each other. Render returns the errors of Check, ErrBusy after too long a wait, or the error of ctx.
func (r *Renderer) Render(ctx context.Context, data []byte) ([]Rendition, error) {
	header, err := r.check(data)
	if err != nil {
		return nil, err
	}
	release, err := r.acquire(ctx, header.Width*header.Height)
	if err != nil {
		return nil, err
	}
	defer release()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, ErrBroken.Wrap(err)
	}
	if img.Bounds().Dx() > header.Width || img.Bounds().Dy() > header.Height {
		return nil, ErrBroken // the header is wrong
	}
	return encodeAll(ctx, r.widths, func(width int) (image.Image, error) {
		img = fit(img, width) // the next width is scaled from this one
		return img, nil
	})
}

// Paint returns one rendition per size in pixels, in order, of the images that paint returns. Its images wait as those
// of Render do. It returns the error of paint, ErrBusy or the error of ctx.
func (r *Renderer) Paint(
	ctx context.Context, sizes []image.Point, paint func(size image.Point) (image.Image, error),
) ([]Rendition, error) {
	release, err := r.acquire(ctx, sizes[0].X*sizes[0].Y)
	if err != nil {
		return nil, err
	}
	defer release()
	return encodeAll(ctx, sizes, paint)
}

// encodeAll encodes the images that draw returns for the sizes, in order, until ctx ends.
func encodeAll[S any](
	ctx context.Context, sizes []S, draw func(size S) (image.Image, error),
) (renditions []Rendition, err error) {
	options := webp.Options{Quality: quality, Method: method}
	for _, size := range sizes {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("render an image: %w", err)
		}
		img, err := draw(size)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		if err := webp.Encode(&out, img, options); err != nil {
			return nil, fmt.Errorf("encode image: %w", err)
		}
		renditions = append(renditions, Rendition{img.Bounds().Dx(), img.Bounds().Dy(), out.Bytes()})
		options.Quality = thumbnailQuality
	}
	return renditions, nil
}

// errAnimated is returned for a file with several frames.
var errAnimated = errors.New("animated WebP")

// isAnimated reads the header of a WebP file. RFC 9649, section 2.7: in an extended file the flags
// follow the chunk's header, and the second bit from the right is set where the image is animated.
func isAnimated(data []byte) bool {
	const flags, animation = 20, 0x02
	return len(data) > flags && string(data[12:16]) == "VP8X" && data[flags]&animation != 0
}

// ErrBusy is returned where an image has waited for others as long as it may.
var ErrBusy = problem.Unavailable("images_busy", "Many images are being processed. Please try again shortly.").
	WithRetryAfter(10 * time.Second)

const (
	// slots is how many images are rendered at a time. A large one takes all of them, so that memory is bounded.
	slots = 2
	// largeImage is the number of pixels from which an image is large. A large one takes up to a second; of
	// 4096×4096 pixels, a PNG takes 64 MiB, 128 with 16 bits a channel, and a progressive JPEG 240.
	largeImage = 2048 * 2048
	// largeMemory is the process's soft limit of memory, in bytes, while a large image is rendered. With the
	// usual limit the garbage collector would run all the time.
	largeMemory = 320 << 20
	// maxWait bounds the wait of an image for others.
	maxWait = 10 * time.Second
)

// acquire waits until an image may be rendered. The caller calls release when it is. It returns ErrBusy after maxWait,
// or the error of ctx.
func (r *Renderer) acquire(ctx context.Context, pixels int) (release func(), err error) {
	weight := int64(1)
	if pixels > largeImage {
		weight = slots
	}
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err := r.slots.Acquire(waiting, weight); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for other images: %w", ctx.Err())
		}
		return nil, ErrBusy
	}
	if weight < slots {
		return func() { r.slots.Release(weight) }, nil
	}
	const read = -1
	usual := debug.SetMemoryLimit(read)
	debug.SetMemoryLimit(max(usual, largeMemory))
	return func() {
		debug.SetMemoryLimit(usual)
		// The runtime would keep the memory of a large image until its next collection.
		debug.FreeOSMemory()
		r.slots.Release(slots)
	}, nil
}
