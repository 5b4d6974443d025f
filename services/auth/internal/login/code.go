package login

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"math/big"
	"strings"
)

// Coder makes and compares codes.
type Coder struct {
	// Secret makes a stored MAC useless to a reader of the store: without it
	// a million guesses would find the digits.
	Secret []byte
}

// codeLength is the number of digits.
const codeLength = 6

var codeCount = big.NewInt(1_000_000)

// New returns six random digits, leading zeros kept.
func (Coder) New() string {
	n, _ := rand.Int(rand.Reader, codeCount) // never fails
	return fmt.Sprintf("%0*d", codeLength, n)
}

// MAC returns what is stored of a session's code. The same digits have another MAC in
// another session.
func (c Coder) MAC(session, code string) []byte {
	mac := hmac.New(sha256.New, c.Secret)
	mac.Write([]byte("login code\x00" + session + "\x00" + code))
	return mac.Sum(nil)
}

// Matches reports whether a code is the session's. It compares in constant time.
func (c Coder) Matches(s *Session, code string) bool {
	return s.Code != nil && subtle.ConstantTimeCompare(c.MAC(s.ID, code), s.Code.MAC) == 1
}

// wellFormed reports whether code can be a code at all.
func wellFormed(code string) bool {
	return len(code) == codeLength && strings.Trim(code, "0123456789") == ""
}

// newSecret returns what a browser's cookie holds, with 260 random bits. Only its
// digest is kept.
func newSecret() string { return rand.Text() + rand.Text() }

func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// heldBy reports whether the session belongs to the browser that holds secret.
func (s *Session) heldBy(secret string) bool {
	return subtle.ConstantTimeCompare(digest(secret), s.Browser) == 1
}
