// Package searchkey makes "any part of the name, without regard to case or
// accents" a question that an index can answer, for terms of every length.
//
// A row stores Key of its name and Grams of that key; a GIN index covers the
// grams. A search asks for the rows that hold all of TermGrams, and looks for
// the term's key in their keys:
//
//	where grams @> @termGrams and strpos(key, @termKey) > 0
//
// Unlike PostgreSQL's pg_trgm this serves terms of one and two letters, needs no
// extension, and takes every character for a letter.
package searchkey

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Longest is the length of the longest gram, in characters. A term of at most so
// many characters is itself a gram, so that its grams alone decide.
const Longest = 3

// Key returns the form of a text that is searched: compatible characters made
// equal, case folded, accents taken off, white space trimmed at the ends and
// single inside. Texts of one playername.Key have one Key. It is always valid
// UTF-8 without control characters, which PostgreSQL would refuse.
func Key(text string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.ToValidUTF8(text, "")))
	var key strings.Builder
	for _, r := range norm.NFKD.String(norm.NFKC.String(folded)) {
		switch {
		case isAccent(r):
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

// Grams returns every distinct part of a key of one to Longest characters, sorted.
func Grams(key string) []string {
	letters := []rune(key)
	var grams []string
	for size := 1; size <= Longest; size++ {
		grams = append(grams, parts(letters, size)...)
	}
	return distinct(grams)
}

// TermGrams returns the grams that every key holding the term's key must have,
// sorted: the term itself when it is short, else its parts of Longest characters.
func TermGrams(term string) []string {
	letters := []rune(term)
	if len(letters) == 0 {
		return nil
	}
	return distinct(parts(letters, min(len(letters), Longest)))
}

func parts(letters []rune, size int) []string {
	var found []string
	for end := size; end <= len(letters); end++ {
		found = append(found, string(letters[end-size:end]))
	}
	return found
}

func distinct(grams []string) []string {
	slices.Sort(grams)
	return slices.Compact(grams)
}

// isAccent holds for the marks that modify letters of any script (acute, umlaut,
// cedilla), not for the marks that are a script's own vowels.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r)
}

// plainLetters are the lower-case letters whose stroke or ligature Unicode does
// not take apart, though readers do.
var plainLetters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ð': "d", 'đ': "d", 'þ': "th",
	'ħ': "h", 'ı': "i", 'ł': "l", 'ŧ': "t", 'ƀ': "b", 'ɨ': "i", 'ʉ': "u",
}
