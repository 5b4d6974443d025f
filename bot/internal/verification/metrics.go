package verification

import "time"

// Outcome is how a room ended.
type Outcome string

// The outcomes.
const (
	// Closed: auth closed it, whatever became of the login.
	Closed Outcome = "closed"
	// Expired: its lifetime was over.
	Expired Outcome = "expired"
	// Unused: nobody entered it for a while, and other logins waited.
	Unused Outcome = "unused"
	// Lost: the game ended it.
	Lost Outcome = "lost"
	// Abandoned: the bot closed it, because it was without NATS or is stopping.
	Abandoned Outcome = "abandoned"
	// Refused: the game did not create it.
	Refused Outcome = "refused"
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Closed, Expired, Unused, Lost, Abandoned, Refused} }

// Metrics measures a bot. Its methods return at once.
type Metrics interface {
	// RoomEnded counts a room that has ended.
	RoomEnded(outcome Outcome)
	// CodeSaid observes the time from a player's entry until something was said to the player: the code.
	CodeSaid(responseTime time.Duration)
	// Checked notes the result of a check of the bot's own rooms: the step that failed, or "".
	Checked(failedStep string)
}

// NoMetrics measures nothing.
type NoMetrics struct{}

// RoomEnded implements Metrics.
func (NoMetrics) RoomEnded(Outcome) {}

// CodeSaid implements Metrics.
func (NoMetrics) CodeSaid(time.Duration) {}

// Checked implements Metrics.
func (NoMetrics) Checked(string) {}
