// Package readable has the rule for what players name: maps, tags and personal tokens.
package readable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Is reports whether a text can be seen and has no control or format characters.
func Is(text string) bool {
	return utf8.ValidString(text) && strings.ContainsFunc(text, isVisible) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// isVisible reports whether a character can be seen by itself. Blanks, fillers and the empty Braille
// pattern cannot; nor can marks, which need a character to stand on.
func isVisible(r rune) bool {
	return unicode.IsGraphic(r) && !IsBlank(r) && !unicode.In(r, unicode.M)
}

// IsBlank reports whether a character looks like a blank or like nothing.
func IsBlank(r rune) bool {
	const emptyBraille = '\u2800'
	return r == emptyBraille ||
		unicode.In(r, unicode.Space, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
