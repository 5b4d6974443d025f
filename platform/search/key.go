package search

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key returns the form of a name in which it is stored for searching and sorting: compatible
// characters made equal (NFKC), case folded, accents and invisible characters removed, white space
// trimmed and collapsed.
// Names that are equal by playername.Key have the same Key. The result is valid UTF-8 without
// control characters, so that PostgreSQL can store it.
func Key(text string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.ToValidUTF8(text, "")))
	var key strings.Builder
	for _, r := range norm.NFKD.String(norm.NFKC.String(folded)) {
		switch {
		case isAccent(r), unicode.Is(unicode.Cf, r):
		case unicode.IsControl(r):
			key.WriteByte(' ')
		case unicode.Is(unicode.Cherokee, r):
			// cases.Fold swaps the two cases of Cherokee instead of folding them.
			key.WriteRune(unicode.ToUpper(r))
		default:
			if plain, ok := plainLetters[r]; ok {
				key.WriteString(plain)
			} else {
				key.WriteRune(r)
			}
		}
	}
	return strings.Join(strings.Fields(key.String()), " ")
}

// isAccent reports whether r is a mark that modifies letters of any script (acute, umlaut,
// cedilla). The vowel signs of a script, such as Devanagari, are letters and are kept.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r)
}

// plainLetters maps the lower-case letters that Unicode does not decompose to their base letters.
var plainLetters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ð': "d", 'đ': "d", 'þ': "th",
	'ħ': "h", 'ı': "i", 'ł': "l", 'ŧ': "t", 'ƀ': "b", 'ɨ': "i", 'ʉ': "u",
}
