package parkourmap

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isReadable reports whether a text can be seen and has no control or format characters. It is the
// rule for everything that players name: maps and tags.
func isReadable(text string) bool {
	return utf8.ValidString(text) && strings.ContainsFunc(text, isVisible) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// isVisible reports whether a character can be seen by itself. Blanks, fillers and the empty Braille
// pattern cannot; nor can marks, which need a character to stand on.
func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !isBlank(r) && !unicode.In(r, unicode.M)
}

// isBlank reports whether a character looks like a blank or like nothing.
func isBlank(r rune) bool {
	const emptyBraille = '\u2800'
	return r == emptyBraille ||
		unicode.In(r, unicode.Space, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// printable returns the visible characters of a text, at most limit.
func printable(text string, limit int) string {
	kept := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(kept); len(runes) > limit {
		kept = string(runes[:limit])
	}
	return strings.TrimSpace(kept)
}
