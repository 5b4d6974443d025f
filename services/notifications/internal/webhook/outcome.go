package webhook

import (
	"net/http"
	"slices"
	"time"

	"capzone.dev/services/notifications/internal/notification"
)

// schedule is how long to wait after each failure of a delivery. After the last one it has failed permanently.
var schedule = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

const (
	// maxFailures and maxFailing are how often, and how long, all attempts may fail before a webhook is switched off.
	maxFailures = 50
	maxFailing  = 3 * 24 * time.Hour
	// heldFor is how long a delivery that has failed is sent before later ones.
	heldFor = time.Minute
	// maxRetryAfter bounds how long a receiver can have the sender wait.
	maxRetryAfter = 24 * time.Hour
	// uncountedFor is the age from which an answer with Retry-After counts as an attempt of an event. Rate limits so cost
	// a young event no attempts, and the event ends also where the receiver always answers so.
	uncountedFor = time.Hour
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

// Work is the deliveries of a webhook that a sender has taken, to be sent as one message. There is one in the format
// JSON.
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
	// PausedUntil is when sending to the receiver goes on.
	PausedUntil time.Time
	// Slow is true where the receiver took longer than slowAfter.
	Slow bool
	// Off is why the webhook is switched off, or empty. NoticeID is then the cause of the owner's notification of it.
	Off      OffReason
	NoticeID string
}

// after returns the outcome of an attempt that was answered at a time. The pause grows with each failure in a row, and
// Retry-After only makes it longer.
func (w Work) after(a Answer, now time.Time) Outcome {
	failures := w.Failures + 1
	a.RetryAfter = min(a.RetryAfter, maxRetryAfter)
	pause := max(min(pauseStep*time.Duration(failures), maxPause), a.RetryAfter)
	out := Outcome{Deliveries: make([]Delivery, len(w.Deliveries))}
	for i, d := range w.Deliveries {
		out.Deliveries[i] = d.after(a, pause, now)
	}
	if a.Failure == "" {
		return out
	}
	out.Failures, out.FailingSince = failures, w.FailingSince
	if out.FailingSince.IsZero() {
		out.FailingSince = now
	}
	switch {
	case a.Status == http.StatusGone, w.Format == Discord && a.Status == http.StatusNotFound: // as of a deleted webhook
		out.Off = OffGone
	case failures >= maxFailures || now.Sub(out.FailingSince) >= maxFailing:
		out.Off = OffFailures
	default:
		out.PausedUntil = now.Add(pause)
	}
	return out
}

// Finish returns what the outcome of an attempt that was answered at a time changes, and the notification of the owner
// whose webhook is switched off. Where the owner has switched it off during the attempt, nothing waits any more.
func (w Webhook) Finish(out Outcome, at time.Time) (Outcome, notification.Effect) {
	if !w.Enabled {
		out.Off, out.Deliveries = "", slices.Clone(out.Deliveries)
		for i, d := range out.Deliveries {
			if d.State == Waiting {
				out.Deliveries[i].State, out.Deliveries[i].NextTryAt = Failed, time.Time{}
			}
		}
	}
	if out.Off == "" {
		return out, notification.Effect{}
	}
	return out, notification.Effect{At: at, Notifications: []notification.Notification{{
		ReceiverID: w.OwnerID, Kind: notification.WebhookOff, CauseID: out.NoticeID, GroupID: w.ID, At: at,
	}}}
}

// after returns what becomes of a delivery. pause is how long nothing is sent to the receiver after a failure.
func (d Delivery) after(a Answer, pause time.Duration, now time.Time) Delivery {
	counts := a.RetryAfter == 0 || now.Sub(d.CreatedAt) >= uncountedFor
	if counts {
		d.Tries++
	}
	d.Status, d.Failure, d.LastTryAt, d.NextTryAt = a.Status, a.Failure.shown(), now, time.Time{}
	if a.Failure != "" && d.HeldUntil.IsZero() {
		d.HeldUntil = now.Add(heldFor)
	}
	switch {
	case a.Failure == "":
		d.State = Delivered
	case !counts:
		d.State, d.NextTryAt = Waiting, now.Add(pause)
	case d.Tries <= len(schedule):
		d.State, d.NextTryAt = Waiting, now.Add(max(schedule[d.Tries-1], a.RetryAfter))
	default:
		d.State = Failed
	}
	return d
}
