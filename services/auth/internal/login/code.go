package login

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"math/big"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

// Coder makes and compares codes.
type Coder struct {
	// Secret makes a stored MAC useless to a reader of the store: without it a million guesses would find the digits.
	Secret []byte
}

// Code is what is known of the six digits.
type Code struct {
	// MAC is all that is stored of the digits.
	MAC []byte `json:"mac"`
	// Owner is the visitor for whom the code was made.
	Owner event.Visitor `json:"owner"`
}

// codeLength is the number of digits.
const codeLength = 6

var codeCount = big.NewInt(1_000_000)

// New returns six random digits, leading zeros kept.
func (Coder) New() string {
	n, _ := rand.Int(rand.Reader, codeCount) // never fails
	return fmt.Sprintf("%0*d", codeLength, n)
}

// MAC returns what is stored of a session's code. The same digits have another MAC in another session.
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

// newSecret returns what a browser's cookie holds, with 260 random bits. Only its digest is kept.
func newSecret() string { return rand.Text() + rand.Text() }

func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// heldBy reports whether the session belongs to the browser that holds secret.
func (s *Session) heldBy(secret string) bool {
	return subtle.ConstantTimeCompare(digest(secret), s.Browser) == 1
}

// giveCode gives the session its code if the player is alone in the room. A session has at most one code.
func (s *Session) giveCode(mac []byte, view event.RoomView, now time.Time) {
	if s.ended(now) || s.Code != nil {
		return
	}
	s.reconcile(view)
	owner, ok := s.player()
	if !ok || s.State.final() || len(view.Present) != 1 || view.Present[0].Visit != owner.Visit {
		return
	}
	s.Code = &Code{MAC: mac, Owner: owner}
}

// markDelivered records that the code has arrived in the room's chat.
func (s *Session) markDelivered(now time.Time) {
	if !s.ended(now) && s.Code != nil {
		s.State = CodeProvided
	}
}

// abandonCode ends a session whose code was not delivered and is lost.
func (s *Session) abandonCode(now time.Time) {
	if !s.ended(now) && s.Code != nil {
		s.end(Failed, NotDelivered)
	}
}

// countTry counts a code that is about to be compared. It returns ErrSessionOver or ErrNoCodeYet.
func (s *Session) countTry(now time.Time) error {
	switch {
	case s.ended(now):
		return s.over(now)
	case s.Code == nil:
		return ErrNoCodeYet
	case s.Tries >= MaxTries:
		// The last try is being compared at this moment, and decides.
		return ErrCodeWrong.WithData("triesLeft", 0)
	}
	s.Tries++
	return nil
}

// refundTry takes back a try whose code was right, but which could not succeed for reasons that are not the player's.
func (s *Session) refundTry() {
	if s.Tries > 0 {
		s.Tries--
	}
}
