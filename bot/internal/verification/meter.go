package verification

import "time"

// Outcome is how a room came to its end.
type Outcome string

// The outcomes.
const (
	// Closed: auth wanted it closed, whatever became of the login.
	Closed Outcome = "closed"
	// Expired: its lifetime was over.
	Expired Outcome = "expired"
	// Lost: the game ended it.
	Lost Outcome = "lost"
	// Abandoned: the bot gave it up, without NATS or because it stops.
	Abandoned Outcome = "abandoned"
	// Refused: the game did not open it at all.
	Refused Outcome = "refused"
)

// Outcomes are all of them.
func Outcomes() []Outcome { return []Outcome{Closed, Expired, Lost, Abandoned, Refused} }

// Meter measures what a bot does. Its methods return at once.
type Meter interface {
	// Ended counts a room that has come to its end.
	Ended(outcome Outcome)
	// Told tells how long a player with an account was in a room until something
	// was said to them: the code.
	Told(waited time.Duration)
}

// NoopMeter measures nothing.
var NoopMeter Meter = noopMeter{}

type noopMeter struct{}

func (noopMeter) Ended(Outcome)      {}
func (noopMeter) Told(time.Duration) {}
