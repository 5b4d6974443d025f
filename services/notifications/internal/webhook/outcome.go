package webhook

import (
	"net/http"
	"time"
)

// schedule is how long to wait after each failure of a delivery. After the last one it has failed for good.
var schedule = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

const (
	// maxFailures and maxFailing are how often, and how long, all attempts may fail before a webhook is switched off.
	maxFailures = 50
	maxFailing  = 3 * 24 * time.Hour
	// maxRetryAfter bounds how long a receiver can have the sender wait.
	maxRetryAfter = 24 * time.Hour
	// pauseStep and maxPause are how long nothing is sent to a receiver that has failed: a step for each failure. 50
	// failures take more than an hour and a half, so that a receiver can be started again meanwhile.
	pauseStep = 5 * time.Second
	maxPause  = 5 * time.Minute
)

// Answer is what became of an attempt. It has nothing of what the receiver has said but its status.
type Answer struct {
	// Failure is empty after a success.
	Failure Failure
	// Status is 0 where there was no answer.
	Status int
	// RetryAfter is how long the receiver wants to be left alone, and 0 where it does not say.
	RetryAfter time.Duration
}

// Work is the deliveries of a webhook that a sender has taken, to be sent as one message. Of the format JSON there is
// one.
type Work struct {
	WebhookID string
	// LeaseID names the sender that has taken the deliveries.
	LeaseID      string
	URL          string
	Format       Format
	Secrets      []Secret
	Failures     int
	FailingSince time.Time
	// Banned is true where the owner is banned. Nothing is sent then.
	Banned     bool
	Deliveries []Delivery
}

// Outcome is what an attempt changes of a webhook.
type Outcome struct {
	Deliveries   []Delivery
	Failures     int
	FailingSince time.Time
	// PausedUntil is before when nothing is sent to the receiver.
	PausedUntil time.Time
	// Slow is true where the receiver has not answered soon.
	Slow bool
	// Off is why the webhook is switched off, or empty.
	Off OffReason
}

// after returns the outcome of an attempt that was answered at a time.
func (w Work) after(a Answer, now time.Time) Outcome {
	out := Outcome{Deliveries: make([]Delivery, len(w.Deliveries))}
	for i, d := range w.Deliveries {
		out.Deliveries[i] = d.after(a, now)
	}
	if a.Failure == "" {
		return out
	}
	out.Failures, out.FailingSince = w.Failures+1, w.FailingSince
	if a.RetryAfter > 0 { // that it is too early is counted once
		out.Failures = max(w.Failures, 1)
	}
	if out.FailingSince.IsZero() {
		out.FailingSince = now
	}
	switch {
	case w.isGone(a.Status):
		out.Off = OffGone
	case a.RetryAfter == 0 && out.Failures >= maxFailures || now.Sub(out.FailingSince) >= maxFailing:
		out.Off = OffFailures
	case a.RetryAfter > 0:
		out.PausedUntil = now.Add(min(a.RetryAfter, maxRetryAfter))
	default:
		out.PausedUntil = now.Add(min(pauseStep*time.Duration(out.Failures), maxPause))
	}
	return out
}

// isGone reports whether a status says that there will be no receiver again. Discord answers so for a webhook that was
// deleted.
func (w Work) isGone(status int) bool {
	return status == http.StatusGone || w.Format == Discord && status == http.StatusNotFound
}

// after returns what becomes of a delivery. One that the receiver wants later is tried until the webhook is switched
// off: the attempt does not count.
func (d Delivery) after(a Answer, now time.Time) Delivery {
	if a.RetryAfter == 0 {
		d.Tries++
	}
	d.Status, d.Failure, d.LastTryAt, d.NextTryAt = a.Status, a.Failure, now, time.Time{}
	switch {
	case a.Failure == "":
		d.State = Delivered
	case a.RetryAfter > 0:
		d.State, d.NextTryAt = Waiting, now.Add(min(a.RetryAfter, maxRetryAfter))
	case d.Tries <= len(schedule):
		d.State, d.NextTryAt = Waiting, now.Add(schedule[d.Tries-1])
	default:
		d.State = Failed
	}
	return d
}
