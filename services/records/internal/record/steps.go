package record

import "time"

// Step is a part of the way of a submission, as it is measured.
type Step string

// The steps, in their order.
const (
	StepRead  Step = "read"  // the replay and its map are decoded
	StepLook  Step = "look"  // who submits, the map, and a run that it may be a copy of are looked up
	StepStore Step = "store" // the file goes to object storage
	StepAdd   Step = "add"   // the run is ranked and committed
)

// Steps is told how long each step took of the submissions that came so far.
type Steps interface {
	Took(step Step, d time.Duration)
}

// stopwatch measures one submission's steps.
type stopwatch struct {
	steps Steps // nil where nobody wants to know
	at    time.Time
}

func (s *Submitter) startWatch() *stopwatch { return &stopwatch{s.Steps, time.Now()} }

// done ends a step. The next one begins.
func (w *stopwatch) done(step Step) {
	now := time.Now()
	if w.steps != nil {
		w.steps.Took(step, now.Sub(w.at))
	}
	w.at = now
}
