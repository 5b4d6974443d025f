package verification

import "time"

// Outcome is how a room ended.
type Outcome string

// The outcomes.
const (
	Closed    Outcome = "closed"    // auth closed it, successful or not
	Expired   Outcome = "expired"   // its lifetime ended
	Unused    Outcome = "unused"    // no visitor entered it, and other logins waited
	Lost      Outcome = "lost"      // the game ended it
	Abandoned Outcome = "abandoned" // the bot closed it, because it was without NATS or is stopping
	Refused   Outcome = "refused"   // the game did not create it
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Closed, Expired, Unused, Lost, Abandoned, Refused} }

// Metrics measures a bot. Its methods return at once.
type Metrics interface {
	// RoomEnded counts a room that has ended.
	RoomEnded(outcome Outcome)
	// CodeSent observes the time from a player's entry until the first text was sent: the code.
	CodeSent(responseTime time.Duration)
	// Checked records the step at which a check failed, "" for none.
	Checked(failedStep string)
}
