// Package picture checks uploaded images and makes WebP renditions of them.
// What strangers upload is never stored or served: it is decoded within limits,
// scaled, and encoded anew, so that metadata and whatever else was hidden in
// the file are gone.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/http"

	"github.com/gen2brain/webp"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/semaphore"
)

// Problems of uploaded images. Whoever knows the field adds it.
var (
	ErrTypeInvalid = problem.WrongType("image_type_invalid", "Invalid image type. Please use JPG, PNG or WebP")
	ErrBroken      = problem.Unprocessable("image_broken", "The image cannot be read. The file may be damaged.")
	ErrTooLarge    = problem.TooLarge("image_too_large", "File too large.")
	ErrDimensions  = problem.Unprocessable("image_dimensions", "The image has too many pixels.")
)

// Limit bounds what is accepted.
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
	// method is how hard the encoder tries, from 0 to 6.
	method = 3
)

// working admits one image of a process at a time. Decoded, one of 4096×4096 pixels
// takes 64 MiB, or 128 with 16 bits a channel, and a progressive JPEG up to 240 while
// it is decoded.
var working = semaphore.New(1)

// Renditions decodes an image, whose type is told by its bytes alone, and
// returns one WebP rendition per width, in order. An image is never enlarged: a
// width beyond its own gives its own. The rotation that a camera noted is lost
// with the other metadata; the site's images are screenshots and drawings. Images
// wait for each other, as long as ctx allows.
//
// Returns ErrTypeInvalid, ErrBroken, ErrTooLarge or ErrDimensions, or the error of ctx.
func Renditions(ctx context.Context, data []byte, limit Limit, widths ...int) ([]Rendition, error) {
	f, err := check(data, limit)
	if err != nil {
		return nil, err
	}
	done, err := working.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for other images: %w", err)
	}
	defer done()
	img, err := f.decode(data)
	if err != nil {
		return nil, ErrBroken.Wrap(err)
	}
	if img.Bounds().Dx() > limit.Width || img.Bounds().Dy() > limit.Height {
		return nil, ErrDimensions // the header lied
	}
	renditions := make([]Rendition, 0, len(widths))
	for _, width := range widths {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("render an image: %w", err)
		}
		r, err := render(img, width)
		if err != nil {
			return nil, err
		}
		renditions = append(renditions, r)
	}
	return renditions, nil
}

// Check returns what the size, the type and the header of an image show to be wrong with it.
func Check(data []byte, limit Limit) error {
	_, err := check(data, limit)
	return err
}

func check(data []byte, limit Limit) (format, error) {
	if len(data) > limit.Bytes {
		return format{}, ErrTooLarge.WithMessage("File too large. Maximum size is %s", size(limit.Bytes))
	}
	f, err := sniff(data)
	if err != nil {
		return format{}, err
	}
	// The header alone says how much memory decoding takes.
	header, err := f.config(data)
	if err != nil {
		return format{}, ErrBroken.Wrap(err)
	}
	if header.Width < 1 || header.Height < 1 {
		return format{}, ErrBroken
	}
	if header.Width > limit.Width || header.Height > limit.Height {
		return format{}, ErrDimensions.WithMessage("The image may have at most %d×%d pixels.", limit.Width, limit.Height)
	}
	return f, nil
}

func render(img image.Image, width int) (Rendition, error) {
	bounds := img.Bounds()
	width = min(width, bounds.Dx())
	height := max(1, bounds.Dy()*width/bounds.Dx())
	scaled := scale(img, width, height)

	var out bytes.Buffer
	if err := webp.Encode(&out, scaled, webp.Options{Quality: quality, Method: method}); err != nil {
		return Rendition{}, fmt.Errorf("encode image: %w", err)
	}
	return Rendition{width, height, out.Bytes()}, nil
}

// format is a type of image that is accepted.
type format struct {
	config func([]byte) (image.Config, error)
	decode func([]byte) (image.Image, error)
}

var formats = map[string]format{
	"image/jpeg": {
		config: func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) },
		decode: func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) },
	},
	"image/png": {
		config: func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) },
		decode: func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) },
	},
	"image/webp": {
		config: webpConfig,
		decode: func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) },
	},
}

// errAnimated says that the file is a film.
var errAnimated = errors.New("animated WebP")

// webpConfig reads the header of a still image.
func webpConfig(b []byte) (image.Config, error) {
	// RFC 9649, section 2.7: in an extended file the flags follow the chunk's
	// header, and the second bit from the right says that it is animated.
	const flags, animation = 20, 0x02
	if len(b) > flags && string(b[12:16]) == "VP8X" && b[flags]&animation != 0 {
		return image.Config{}, errAnimated
	}
	return webp.DecodeConfig(bytes.NewReader(b))
}

// sniff tells the type by the first bytes, as browsers do.
func sniff(data []byte) (format, error) {
	f, ok := formats[http.DetectContentType(data)]
	if !ok {
		return format{}, ErrTypeInvalid
	}
	return f, nil
}

func size(n int) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}
