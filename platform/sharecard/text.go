package sharecard

import (
	_ "embed" // the fonts
	"image"
	"strings"
	"unicode"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

const (
	// substitute is drawn for a character that the fonts lack.
	substitute = '□'
	ellipsis   = "…"
	// maxRunes is the number of characters of a text that are read. A line has room for fewer.
	maxRunes = 200
)

// The site's typefaces for figures and titles, and for words (fonts/make.py).
var (
	//go:embed fonts/headings.ttf
	headingsTTF []byte
	//go:embed fonts/words.ttf
	wordsTTF []byte

	// Greek, Cyrillic and the substitute are of the Go fonts.
	headings = family{parse(headingsTTF), parse(gobold.TTF)}
	words    = family{parse(wordsTTF), parse(gomedium.TTF)}
)

// family is fonts of which the first one that has a character draws it.
type family []*sfnt.Font

// parse parses a font of this program.
func parse(ttf []byte) *sfnt.Font {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return parsed
}

// face is a family in one size. It is not safe for concurrent use.
type face struct {
	fonts  family
	faces  []font.Face
	buffer sfnt.Buffer
}

func (f family) face(size int) *face {
	sized := &face{fonts: f}
	for _, parsed := range f {
		made, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			panic(err) // the options are not valid
		}
		sized.faces = append(sized.faces, made)
	}
	return sized
}

// of returns the face that has a character, or nil.
func (f *face) of(r rune) font.Face {
	for i, parsed := range f.fonts {
		if glyph, err := parsed.GlyphIndex(&f.buffer, r); err == nil && glyph != 0 {
			return f.faces[i]
		}
	}
	return nil
}

// fit returns what is drawn of a text so that it is at most width pixels wide, and how wide that is.
func (f *face) fit(s string, width int) (string, int) {
	shown := f.drawable(s)
	if measured := f.write(nil, shown, 0, 0, nil); measured <= width {
		return shown, measured
	}
	runes := []rune(shown)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		cut := strings.TrimRight(string(runes), " ") + ellipsis
		if measured := f.write(nil, cut, 0, 0, nil); measured <= width {
			return cut, measured
		}
	}
	return "", 0
}

// write draws characters of the fonts with their baseline at y, beginning at x, and returns how wide they are. Without
// an image it measures only.
func (f *face) write(img draw.Image, s string, x, y int, src image.Image) int {
	drawer := font.Drawer{Dst: img, Src: src, Dot: fixed.P(x, y)}
	var last font.Face
	var before rune
	for _, r := range s {
		drawer.Face = f.of(r)
		if drawer.Face == nil {
			continue
		}
		if drawer.Face == last {
			drawer.Dot.X += last.Kern(before, r)
		}
		if img == nil {
			drawer.Dot.X += drawer.MeasureString(string(r))
		} else {
			drawer.DrawString(string(r))
		}
		last, before = drawer.Face, r
	}
	return (drawer.Dot.X - fixed.I(x)).Ceil()
}

// drawable returns the text in one line and in characters of the fonts. Characters without an appearance
// of their own (controls, joiners, variation selectors, combining marks) are left out.
func (f *face) drawable(s string) string {
	var out []rune
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s[:min(len(s), 4*maxRunes)], "�")) {
		if len(out) == maxRunes {
			break
		}
		switch {
		case unicode.IsSpace(r):
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me):
		case f.of(r) == nil:
			out = append(out, substitute)
		default:
			out = append(out, r)
		}
	}
	return strings.TrimSpace(string(out))
}
