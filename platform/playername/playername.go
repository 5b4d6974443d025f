// Package playername has the rules for players' names: which names an account of the game can
// have, and which names are the same account's.
package playername

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"capzone.dev/platform/problem"
	"capzone.dev/platform/readable"
)

// MaxLength is the length of the longest accepted name, in characters.
const MaxLength = 64

// ErrInvalid is returned by Check.
var ErrInvalid = problem.Unprocessable("name_invalid",
	"A player's name has 1 to 64 letters (A to Z), digits, spaces or signs such as _ and -, and is not that of a deleted player.")

// blanks are cut off at the ends of a name, because files and forms add and lose them.
const blanks = " \t\r\n"

// accountName matches what the game has ever given. Today it gives letters, digits, spaces and underscores; legacy
// accounts have other signs, but none that begins markup, an escape or a list.
var accountName = regexp.MustCompile(`^[A-Za-z0-9 _.'!?~+=()*&#@$%^:-]+$`)

// OfDeleted begins the names of deleted players, and KeyOfDeleted their keys.
const (
	OfDeleted    = "deleted player "
	KeyOfDeleted = "deleted:"
)

// isLikeDeleted matches a name that can be taken for that of a deleted player, or has such a key.
var isLikeDeleted = regexp.MustCompile(`(?i)^[^a-z0-9]*deleted([^a-z0-9]*player([^a-z]|$)|:)`)

// Check returns ErrInvalid for a name that no account of the game can have: accounts have ASCII letters, digits, spaces
// and some signs. A visitor of a room with another name is a guest. It also returns ErrInvalid for a name like that of
// a deleted player.
func Check(name string) error {
	trimmed := strings.Trim(name, blanks)
	if len(trimmed) > MaxLength || !accountName.MatchString(trimmed) || isLikeDeleted.MatchString(trimmed) {
		return ErrInvalid
	}
	return nil
}

// Key returns the unique form of a name: Unicode NFKC, case folded, blanks at the ends cut off.
// Like in the game, letter case does not count and spaces inside do: "cloud  step" with two spaces
// is another account. The key of a name that PostgreSQL cannot store is empty.
func Key(name string) string {
	if !readable.IsStorable(name) {
		return ""
	}
	// Folding can undo a normal form, hence the second pass (Unicode, section 5.18, "NFKC_Casefold").
	folded := cases.Fold().String(norm.NFKC.String(name))
	return strings.TrimSpace(norm.NFKC.String(folded))
}

// Same reports whether two names are one player's. It is false for two empty names.
func Same(a, b string) bool {
	key := Key(a)
	return key != "" && key == Key(b)
}

// OneOf reports whether a name is the same as one of several.
func OneOf(name string, names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return Same(n, name) })
}
