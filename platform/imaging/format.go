package imaging

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/http"

	"github.com/gen2brain/webp"
)

// format is an accepted type of image.
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

// errAnimated is returned for a file with several frames.
var errAnimated = errors.New("animated WebP")

// webpConfig reads the header of a still image.
func webpConfig(b []byte) (image.Config, error) {
	// RFC 9649, section 2.7: in an extended file the flags follow the chunk's header, and the
	// second bit from the right is set where the image is animated.
	const flags, animation = 20, 0x02
	if len(b) > flags && string(b[12:16]) == "VP8X" && b[flags]&animation != 0 {
		return image.Config{}, errAnimated
	}
	return webp.DecodeConfig(bytes.NewReader(b))
}

// sniff returns the type by the first bytes, as browsers do.
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
