// Package sharecard draws the pictures that chat clients and social networks show for a link: a few lines of
// text over or beside a picture. The same card always gives the same bytes.
package sharecard

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Width and Height are the size of a card in pixels, which the preview formats recommend.
const (
	Width  = 1200
	Height = 630
)

// Card is what a picture shows. Empty fields are left out. Text that is too long is cut with an ellipsis.
type Card struct {
	Site    string   // name of the site, in the upper left corner or beside the kicker
	Kicker  string   // small line over the title
	Title   string   // one line
	Feature string   // a few large characters in the lower right corner, for example a time
	Lines   []string // below the title, MaxLines at most; further ones are left out

	// Picture is shown whole above the text where it is at least 1.4 times as wide as high. Otherwise its
	// middle is a disc on the right.
	Picture image.Image
}

// MaxLines is the number of lines below the title.
const MaxLines = 3

var (
	background = color.RGBA{0x0e, 0x15, 0x1b, 0xff}
	shade      = color.RGBA{0x0d, 0x13, 0x18, 0xe6} // background with 90 % opacity
	bright     = color.RGBA{0xf6, 0xf8, 0xf8, 0xff}
	muted      = color.RGBA{0xc3, 0xce, 0xd4, 0xff}
	accent     = color.RGBA{0x52, 0xcd, 0xd8, 0xff}
	highlight  = color.RGBA{0xff, 0xb8, 0x4d, 0xff}
)

// Sizes in pixels. The text ends at the lower margin, and its height depends on which fields the card has.
const (
	margin      = 44
	gap         = 40 // between text and what is beside it
	discSize    = 320
	siteSize    = 30
	kickerSize  = 30
	titleSize   = 62
	lineSize    = 32
	featureSize = 96

	kickerHeight  = 40
	titleHeight   = 72
	lineHeight    = 44
	featureHeight = 88
)

// Draw returns the card as PNG of Width×Height. It may be called concurrently.
func Draw(card Card) ([]byte, error) {
	img := image.NewRGBA(image.Rect(0, 0, Width, Height))
	draw.Draw(img, img.Rect, image.NewUniform(background), image.Point{}, draw.Src)
	lines := card.Lines[:min(len(card.Lines), MaxLines)]
	top := Height - margin - textHeight(card, len(lines))
	right := Width - margin
	switch {
	case card.isWide():
		drawWide(img, card.Picture, top-gap/2)
	case card.hasPicture():
		drawDisc(img, card.Picture)
		right -= discSize + gap
	}
	if err := drawText(img, card, lines, top, right); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("encode card: %w", err)
	}
	return out.Bytes(), nil
}

func (c Card) hasPicture() bool { return c.Picture != nil && !c.Picture.Bounds().Empty() }

// isWide reports whether the card has a picture that is shown whole.
func (c Card) isWide() bool {
	return c.hasPicture() && 10*c.Picture.Bounds().Dx() >= 14*c.Picture.Bounds().Dy()
}

// textHeight returns the height of the text in the lower part of a card.
func textHeight(card Card, lines int) int {
	height := titleHeight + lines*lineHeight
	if card.Feature != "" {
		height = titleHeight + max(lines*lineHeight, featureHeight)
	}
	if card.Kicker != "" || card.isWide() {
		height += kickerHeight
	}
	return height
}

func drawText(img *image.RGBA, card Card, lines []string, top, right int) error {
	site := text{card.Site, goregular.TTF, siteSize, muted, margin, margin + siteSize, right}
	kicker := text{card.Kicker, gobold.TTF, kickerSize, accent, margin, top + kickerSize, right}
	if card.isWide() { // the picture covers the upper left corner
		w, err := newWriter(site.font, site.size)
		if err != nil {
			return err
		}
		_, width := w.fit(card.Site, (right-margin)/2)
		site.left, site.baseline = right-width, kicker.baseline
		kicker.right = site.left - gap
	}
	texts, y := []text{site, kicker}, top
	if card.Kicker != "" || card.isWide() {
		y += kickerHeight
	}
	texts = append(texts, text{card.Title, gobold.TTF, titleSize, bright, margin, y + titleSize, right})
	y += titleHeight
	lineRight := right
	if card.Feature != "" {
		feature, err := newWriter(gobold.TTF, featureSize)
		if err != nil {
			return err
		}
		shown, width := feature.fit(card.Feature, right-margin)
		feature.write(img, shown, highlight, right-width, Height-margin-8)
		lineRight = right - width - gap
	}
	for _, line := range lines {
		texts = append(texts, text{line, goregular.TTF, lineSize, muted, margin, y + lineSize + 4, lineRight})
		y += lineHeight
	}
	for _, t := range texts {
		w, err := newWriter(t.font, t.size)
		if err != nil {
			return err
		}
		shown, _ := w.fit(t.value, t.right-t.left)
		w.write(img, shown, t.color, t.left, t.baseline)
	}
	return nil
}

// text is a line of a card, between left and right.
type text struct {
	value                 string
	font                  []byte
	size                  float64
	color                 color.RGBA
	left, baseline, right int
}

// drawWide draws the whole picture above bottom, in the middle, over the same picture enlarged and darkened. The
// approximate scaler is for the latter: it needs no buffer, which would take 24 MiB.
func drawWide(img *image.RGBA, picture image.Image, bottom int) {
	draw.ApproxBiLinear.Scale(img, img.Rect, picture, middle(picture.Bounds(), Width, Height), draw.Over, nil)
	draw.Draw(img, img.Rect, image.NewUniform(shade), image.Point{}, draw.Over)
	size := picture.Bounds().Size()
	width := min(Width, bottom*size.X/size.Y)
	height := max(1, width*size.Y/size.X)
	at := image.Rect(0, 0, width, height).Add(image.Pt((Width-width)/2, (bottom-height)/2))
	draw.BiLinear.Scale(img, at, picture, picture.Bounds(), draw.Over, nil)
}

// drawDisc draws the middle of a picture as a disc on the right of img.
func drawDisc(img *image.RGBA, picture image.Image) {
	at := image.Rect(0, 0, discSize, discSize).Add(image.Pt(Width-margin-discSize, (Height-discSize)/2))
	square := image.NewRGBA(at)
	draw.BiLinear.Scale(square, at, picture, middle(picture.Bounds(), 1, 1), draw.Src, nil)
	// Four cubic curves approximate a circle with control points at this part of the radius.
	const r, k = float32(discSize) / 2, float32(discSize) / 2 * 0.5522848
	disc := vector.NewRasterizer(discSize, discSize)
	disc.MoveTo(r, 0)
	disc.CubeTo(r+k, 0, 2*r, r-k, 2*r, r)
	disc.CubeTo(2*r, r+k, r+k, 2*r, r, 2*r)
	disc.CubeTo(r-k, 2*r, 0, r+k, 0, r)
	disc.CubeTo(0, r-k, r-k, 0, r, 0)
	disc.ClosePath()
	disc.Draw(img, at, square, at.Min)
}

// middle returns the largest rectangle in the middle of r with the proportions width to height.
func middle(r image.Rectangle, width, height int) image.Rectangle {
	w := min(r.Dx(), max(1, r.Dy()*width/height))
	h := min(r.Dy(), max(1, r.Dx()*height/width))
	at := r.Min.Add(image.Pt((r.Dx()-w)/2, (r.Dy()-h)/2))
	return image.Rectangle{at, at.Add(image.Pt(w, h))}
}

// write draws s with its baseline at y, beginning at x.
func (w writer) write(img *image.RGBA, s string, c color.RGBA, x, y int) {
	drawer := font.Drawer{Dst: img, Src: image.NewUniform(c), Face: w.face, Dot: fixed.P(x, y)}
	drawer.DrawString(s)
}
