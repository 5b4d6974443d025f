// Package playername holds the one rule by which names of players are compared.
// The game tells accounts apart without regard to letter case, so does Capzone.
//
// A name stands for an account of the game, and whoever proves the account is let
// in as the player of the name. So no more is made equal than has to be: blanks at
// the ends are cut off, because files and forms add and lose them; blanks inside
// are part of the name, and "cloud  step" with two of them is somebody else.
package playername

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"capzone.dev/platform/problem"
)

// MaxLength is the longest name that is accepted, in characters.
const MaxLength = 64

// ErrInvalid is what Check returns.
var ErrInvalid = problem.Refused("name_invalid", "A player's name has 1 to 64 printable characters.")

// Key returns the form of a name that is unique: Unicode NFKC, case folded,
// white space trimmed at the ends.
func Key(name string) string {
	// Folding can undo a normal form, hence the second pass (Unicode, section 5.18, "NFKC_Casefold").
	folded := cases.Fold().String(norm.NFKC.String(name))
	return strings.TrimSpace(norm.NFKC.String(folded))
}

// Same tells whether two names are one player's. An empty name is nobody's.
func Same(a, b string) bool {
	key := Key(a)
	return key != "" && key == Key(b)
}

// OneOf tells whether a name is the same as one of several.
func OneOf(name string, names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return Same(n, name) })
}

// Check returns ErrInvalid for what cannot be a name: empty, longer than
// MaxLength, not UTF-8, or with characters that do not print.
func Check(name string) error {
	trimmed := strings.TrimSpace(name)
	if !utf8.ValidString(name) || Key(name) == "" || utf8.RuneCountInString(trimmed) > MaxLength {
		return ErrInvalid
	}
	for _, r := range trimmed {
		if !unicode.IsPrint(r) {
			return ErrInvalid
		}
	}
	return nil
}
