package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"

	"capzone.dev/platform/problem"
)

// personalPrefix begins every personal token, so that programs that look for leaked secrets know it.
const personalPrefix = "cz_"

// personalForm is the form of a personal token: the prefix, and 32 random bytes in base64url.
var personalForm = regexp.MustCompile(personalPrefix + `[A-Za-z0-9_-]{43}`)

// ErrPersonalInvalid is returned for a personal token that is unknown, has expired or was revoked. Which of them it is
// concerns its player alone.
var ErrPersonalInvalid = problem.Unauthenticated("personal_token_invalid",
	"This personal token is unknown, has expired or was revoked.")

// PersonalHash is the SHA-256 of a personal token, by which it is stored and looked up. In JSON it is base64.
type PersonalHash [sha256.Size]byte

// NewPersonal returns a random personal token.
func NewPersonal() string {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // never fails
	return personalPrefix + base64.RawURLEncoding.EncodeToString(secret[:])
}

// IsPersonal reports whether a bearer token is meant as a personal token. No access token begins like one.
func IsPersonal(raw string) bool { return strings.HasPrefix(raw, personalPrefix) }

// HashPersonal returns the hash of a personal token.
func HashPersonal(raw string) PersonalHash { return sha256.Sum256([]byte(raw)) }

// FindPersonal returns what has the form of a personal token in a text.
func FindPersonal(text string) []string {
	if !strings.Contains(text, personalPrefix) {
		return nil
	}
	return personalForm.FindAllString(text, -1)
}

// RedactPersonal returns a text in which personal tokens are replaced.
func RedactPersonal(text string) string {
	return personalForm.ReplaceAllLiteralString(text, personalPrefix+"[redacted]")
}
