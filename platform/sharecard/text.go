package sharecard

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

const (
	// substitute is drawn for a character that the font lacks.
	substitute = '□'
	ellipsis   = "…"
	// maxRunes is the number of characters of a text that are read. A line has room for fewer.
	maxRunes = 200
)

// writer draws text in one font and size. It is not safe for concurrent use.
type writer struct {
	font *sfnt.Font
	face font.Face
}

func newWriter(ttf []byte, size float64) (writer, error) {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		return writer{}, fmt.Errorf("parse font: %w", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return writer{}, fmt.Errorf("scale font: %w", err)
	}
	return writer{parsed, face}, nil
}

// fit returns what is drawn of a text so that it is at most width pixels wide, and how wide that is.
func (w writer) fit(s string, width int) (string, int) {
	shown := w.drawable(s)
	if measured := font.MeasureString(w.face, shown).Ceil(); measured <= width {
		return shown, measured
	}
	runes := []rune(shown)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		cut := strings.TrimRight(string(runes), " ") + ellipsis
		if measured := font.MeasureString(w.face, cut).Ceil(); measured <= width {
			return cut, measured
		}
	}
	return "", 0
}

// drawable returns the text in one line and in characters of the font. Characters without an appearance
// of their own (controls, joiners, variation selectors, combining marks) are left out.
func (w writer) drawable(s string) string {
	var out []rune
	var buffer sfnt.Buffer
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s[:min(len(s), 4*maxRunes)], "�")) {
		if len(out) == maxRunes {
			break
		}
		glyph, err := w.font.GlyphIndex(&buffer, r)
		switch {
		case unicode.IsSpace(r):
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me):
		case err != nil || glyph == 0:
			out = append(out, substitute)
		default:
			out = append(out, r)
		}
	}
	return strings.TrimSpace(string(out))
}
