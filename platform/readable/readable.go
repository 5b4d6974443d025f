// Package readable has the rule for what players name: maps, tags and personal tokens. The rule does not depend on
// which characters are assigned in the toolchain's version of Unicode, so that new emoji and letters are readable at
// once.
package readable

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Is reports whether a text can be seen and has no control characters, no blanks but spaces, no private characters, and
// nothing that Clean removes.
func Is(text string) bool {
	return utf8.ValidString(text) && strings.ContainsFunc(text, isVisible) && Clean(text) == text &&
		!strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && unicode.In(r, unprintable...) })
}

// unprintable are the characters beside the invisible ones that are not in readable text. Unicode adds none.
var unprintable = []*unicode.RangeTable{unicode.Cc, unicode.Z, unicode.Co, unicode.Cs, unicode.Noncharacter_Code_Point}

// Printable returns a text without invalid UTF-8 and what Is refuses.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != ' ' && unicode.In(r, unprintable...) {
			return -1
		}
		return r
	}, Clean(strings.ToValidUTF8(text, "")))
}

// Clean returns a text without the characters that are invisible or change the direction of the text around them, as
// far as they are no part of how a visible character is written: joiners in emoji and between letters of scripts that
// need them, selectors of variations, and the tags of a flag.
func Clean(text string) string {
	runes := []rune(text)
	var kept strings.Builder
	var before rune // the last visible character or mark, or 0 after another one
	for i, r := range runes {
		switch {
		case !isInvisible(r):
			before = r
		case before == 0, !belongs(r, before, runes[i+1:]):
			continue
		case isJoiner(r):
			before = 0
		}
		kept.WriteRune(r)
	}
	return kept.String()
}

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
	blackFlag          = '\U0001F3F4'
)

func isJoiner(r rune) bool { return r == zeroWidthNonJoiner || r == zeroWidthJoiner }

// belongs reports whether an invisible character is part of how the characters around it are written.
func belongs(r, before rune, after []rune) bool {
	switch {
	case isJoiner(r):
		return joins(before) && len(after) > 0 && joins(after[0])
	case unicode.Is(tags, r):
		return before == blackFlag
	}
	return unicode.Is(unicode.Variation_Selector, r) && !IsBlank(before)
}

// joins reports whether a joiner may be beside a character: an emoji, or a letter or mark of a script whose letters
// join.
func joins(r rune) bool {
	return r > unicode.MaxASCII && !isInvisible(r) && !IsBlank(r) &&
		!unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// ranges returns the table of pairs of a first and a last character.
func ranges(pairs ...rune) *unicode.RangeTable {
	table := &unicode.RangeTable{}
	for i := 0; i < len(pairs); i += 2 {
		table.R32 = append(table.R32, unicode.Range32{Lo: uint32(pairs[i]), Hi: uint32(pairs[i+1]), Stride: 1})
	}
	return table
}

var (
	// ignorable are the ranges in which Unicode has, and will have, its default ignorable characters.
	ignorable = ranges(
		0x00AD, 0x00AD, 0x034F, 0x034F, 0x061C, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x200B, 0x200F,
		0x202A, 0x202E, 0x2060, 0x206F, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF, 0xFFA0, 0xFFA0, 0xFFF0, 0xFFFB,
		0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0000, 0xE0FFF)
	// tags follow a black flag, for the flags of regions.
	tags = ranges(0xE0020, 0xE007F)
)

// isInvisible reports whether a character is a format character or ignorable.
func isInvisible(r rune) bool { return unicode.In(r, ignorable, unicode.Cf) }

// isVisible reports whether a character can be seen by itself. Blanks, fillers and the empty Braille
// pattern cannot; nor can marks, which need a character to stand on.
func isVisible(r rune) bool {
	return !isInvisible(r) && !IsBlank(r) && !unicode.In(r, unicode.M) && !unicode.In(r, unprintable...)
}

// IsBlank reports whether a character looks like a blank or like nothing.
func IsBlank(r rune) bool {
	const emptyBraille = '\u2800'
	return r == emptyBraille || unicode.In(r, unicode.Z, ignorable)
}

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

// Isolate returns a name for a sentence of plain text. One with letters that are written from right to left is put
// between marks that keep it from turning the numbers and names around it.
func Isolate(name string) string {
	const firstStrong, end = "\u2068", "\u2069"
	for _, r := range name {
		properties, _ := bidi.LookupRune(r)
		if class := properties.Class(); class == bidi.R || class == bidi.AL {
			return firstStrong + name + end
		}
	}
	return name
}
