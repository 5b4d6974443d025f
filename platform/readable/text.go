package readable

import (
	"strings"
	"unicode/utf8"
)

// Length returns the number of characters of a text without the blanks around it: code points, which PostgreSQL, the
// contracts and the site count, too (testdata/lengths.json).
func Length(text string) int { return utf8.RuneCountInString(strings.TrimSpace(text)) }

// Text returns a text of any lines without the blanks around it, and whether it can be stored and has least to most
// characters.
func Text(text string, least, most int) (string, bool) {
	length := Length(text)
	return strings.TrimSpace(text), IsStorable(text) && least <= length && length <= most
}

// Line is Text for a readable line, such as a name.
func Line(text string, least, most int) (string, bool) {
	text, ok := Text(text, least, most)
	return text, ok && (text == "" || Is(text))
}

// IsStorable reports whether the database can store a text.
func IsStorable(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
