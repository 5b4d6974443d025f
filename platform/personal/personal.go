// Package personal has the form of personal tokens, by which players' programs act.
package personal

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"

	"capzone.dev/platform/problem"
)

// prefix begins every personal token, so that programs that look for leaked secrets know it.
const prefix = "cz_"

// form is the form of a personal token: the prefix, and 32 random bytes in base64url.
var form = regexp.MustCompile(prefix + `[A-Za-z0-9_-]{43}`)

// ErrInvalid is returned for a personal token that is unknown, has expired or was revoked. Which of them it is
// concerns its player alone.
var ErrInvalid = problem.Unauthenticated("personal_token_invalid",
	"This personal token is unknown, has expired or was revoked.")

// Hash is the SHA-256 of a personal token, by which it is stored and looked up.
type Hash [sha256.Size]byte

// NewToken returns a random personal token.
func NewToken() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(secret[:])
}

// IsToken reports whether a bearer token is meant as a personal token. No access token begins like one.
func IsToken(raw string) bool { return strings.HasPrefix(raw, prefix) }

// HasForm reports whether a bearer token has the form of a personal token.
func HasForm(raw string) bool { return form.FindString(raw) == raw && raw != "" }

// IsIn reports whether a part of a text has the form of a personal token.
func IsIn(text string) bool { return strings.Contains(text, prefix) && form.MatchString(text) }

// HashOf returns the hash of a personal token.
func HashOf(raw string) Hash { return sha256.Sum256([]byte(raw)) }
