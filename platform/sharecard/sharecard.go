// Package sharecard draws the pictures that chat clients and social networks show for a link, in the site's typefaces
// and colours by night. The same card always gives the same bytes.
package sharecard

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// Width and Height are the size of a picture in pixels, which the preview formats recommend.
const (
	Width  = 1200
	Height = 630
)

// Card is what a picture shows: a Map, Player, Record, Comparison or Home. Empty fields are left out. Text that is too
// long is drawn smaller, and then cut with an ellipsis.
type Card interface {
	// stored names the picture that the card shows, if any.
	stored() StoredPicture
	// draw draws the card. The picture is nil where there is none.
	draw(c canvas, picture image.Image)
}

// StoredPicture names a WebP image in object storage, whose content never changes. The zero value is none, and an empty
// bucket is the service's own.
type StoredPicture struct{ Bucket, Key string }

// Ball is how a player without an avatar is shown.
type Ball struct {
	Name string
	// Color is the base colour of the skin as #rrggbb. Any other text is none.
	Color string
}

// The colours of the site's theme by night (web/src/ui/theme/theme.ts).
var (
	skyTop    = color.NRGBA{0x0b, 0x1f, 0x33, 0xff}
	skyBottom = color.NRGBA{0x2b, 0x4a, 0x63, 0xff}
	warmLight = color.NRGBA{0xf2, 0xa6, 0x5a, 0xff}
	lowSun    = color.NRGBA{0xff, 0xcf, 0x8a, 0xff}
	far       = color.NRGBA{0x1d, 0x3a, 0x52, 0xff}
	near      = color.NRGBA{0x14, 0x2c, 0x40, 0xff}
	platforms = color.NRGBA{0x0a, 0x18, 0x24, 0xff}
	ground    = color.NRGBA{0x0e, 0x15, 0x1b, 0xff}
	orange    = color.NRGBA{0xff, 0xa5, 0x3d, 0xff}
	sun       = color.NRGBA{0xff, 0xb8, 0x4d, 0xff}
	aqua      = color.NRGBA{0x52, 0xcd, 0xd8, 0xff}
	white     = color.NRGBA{0xff, 0xff, 0xff, 0xff}
	black     = color.NRGBA{0x00, 0x00, 0x00, 0xff}
	bright    = color.NRGBA{0xf6, 0xf8, 0xf8, 0xff}
	muted     = color.NRGBA{0xd5, 0xde, 0xe1, 0xff}
	neutral   = color.NRGBA{0x5c, 0x7a, 0x86, 0xff} // a ball without a colour

	medalColors = map[string]color.NRGBA{
		"author": {0x86, 0xef, 0xac, 0xff}, "gold": {0xff, 0xd2, 0x4a, 0xff},
		"silver": {0xc3, 0xce, 0xd5, 0xff}, "bronze": {0xf0, 0x95, 0x4f, 0xff},
	}
)

// margin is kept free at the borders, in pixels.
const margin = 52

// Draw returns the card as PNG of Width×Height. The picture may be nil. It may be called concurrently.
func Draw(card Card, picture image.Image) ([]byte, error) {
	if picture != nil && picture.Bounds().Empty() {
		picture = nil
	}
	c := newCanvas()
	card.draw(c, picture)
	var out bytes.Buffer
	if err := png.Encode(&out, c.RGBA); err != nil {
		return nil, fmt.Errorf("encode card: %w", err)
	}
	return out.Bytes(), nil
}
