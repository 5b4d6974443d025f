// Package webhook is the domain of webhooks: the addresses to which players have the live events sent, what is sent to
// them, and when it is tried again.
//
// An event is stored for each webhook that selects it, as a delivery, in the transaction that consumes the fact. A
// Sender takes the deliveries of one webhook at a time. A delivery may reach its receiver twice, always with the same
// id.
//
// The package knows nothing of HTTP, SQL or NATS.
package webhook

import (
	"encoding/base64"
	"log/slog"
	"time"

	"capzone.dev/platform/publicevent"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	// Max is how many webhooks a player has at most. After a merge the oldest are left.
	Max = 5
	// MaxShown is how many deliveries of a webhook are listed, and kept besides those that wait.
	MaxShown = 100
	// KeptFor is how long a delivery is kept.
	KeptFor = 30 * 24 * time.Hour
	// MaxWaiting is how many deliveries of a webhook may wait. The oldest are dropped.
	MaxWaiting = 1000
	// MaxDescription is the length of a description, in characters.
	MaxDescription = 100
	// MaxUses is how many tests, sends and changes of addresses a player makes in UsesPeriod.
	MaxUses = 10
	// UsesPeriod is the period of MaxUses.
	UsesPeriod = time.Minute
	// bothSecrets is how long deliveries are signed by the previous secret, too, after there is a new one.
	bothSecrets = 24 * time.Hour
)

// Format is how events are sent, as the API names it.
type Format string

// The formats.
const (
	JSON    Format = "json"
	Discord Format = "discord"
)

// OffReason says why a webhook is switched off, as the API names it. It is empty for one that is on.
type OffReason string

// The reasons.
const (
	OffByOwner  OffReason = "owner"
	OffGone     OffReason = "gone"
	OffFailures OffReason = "failures"
)

// Secret signs what is sent to a receiver. It is not written to logs.
type Secret []byte

// Text returns the secret as its owner is shown it.
func (s Secret) Text() string { return "whsec_" + base64.StdEncoding.EncodeToString(s) }

// String implements fmt.Stringer.
func (Secret) String() string { return "[secret]" }

// GoString implements fmt.GoStringer.
func (Secret) GoString() string { return "[secret]" }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue("[secret]") }

// Webhook is an address to which the events are sent that a player has selected.
type Webhook struct {
	ID          string
	OwnerID     string
	URL         string
	Format      Format
	Description string
	Filter      publicevent.Filter
	// Map and Player are what is known of those that the filter names, nil where it names none.
	Map       *notification.Map
	Player    *notification.Player
	Enabled   bool
	OffReason OffReason
	// Failures counts the attempts that failed since the last success.
	Failures int
	// LastDelivery is the one that was tried last, nil before the first.
	LastDelivery *Delivery
	// PreviousSecretUntil is when the secret before ceases to sign. It is the zero time where there is none.
	PreviousSecretUntil time.Time
	CreatedAt           time.Time
}

// MayCreate returns ErrFull for a player who has so many webhooks already.
func MayCreate(webhooks int) error {
	if webhooks >= Max {
		return ErrFull
	}
	return nil
}

// Uses counts the tests, sends and changes of addresses of a player since a time.
type Uses struct {
	Since time.Time
	Count int
}

// Add counts another use at a time, and begins anew where UsesPeriod is over. It returns ErrTooOften for one more than
// MaxUses.
func (u Uses) Add(now time.Time) (Uses, error) {
	if now.Sub(u.Since) >= UsesPeriod {
		return Uses{Since: now, Count: 1}, nil
	}
	if u.Count >= MaxUses {
		return u, ErrTooOften.WithRetryAfter(u.Since.Add(UsesPeriod).Sub(now))
	}
	return Uses{Since: u.Since, Count: u.Count + 1}, nil
}

// State is what became of a delivery, as the API names it.
type State string

// The states.
const (
	Waiting   State = "waiting"
	Delivered State = "delivered"
	Failed    State = "failed"
)

// Failure says why an attempt failed, or none is made, as the API names it. What metrics tell apart of receivers that
// have not answered is FailureUnreachable for everybody else.
type Failure string

// The failures.
const (
	FailureStatus         Failure = "status"
	FailureRedirect       Failure = "redirect"
	FailureTimeout        Failure = "timeout"
	FailureUnresolved     Failure = "unresolved"
	FailureUnreachable    Failure = "unreachable"
	FailureAddressRefused Failure = "address_refused"
	FailureCertificate    Failure = "certificate"
	FailureOff            Failure = "off"
	FailureBanned         Failure = "banned"
	FailureDropped        Failure = "dropped"
)

// shown returns what an owner is told. All that comes before the status of an answer is the same, so that an owner does
// not learn which names and ports there are in private networks.
func (f Failure) shown() Failure {
	switch f {
	case FailureTimeout, FailureUnresolved, FailureAddressRefused, FailureCertificate:
		return FailureUnreachable
	case FailureStatus, FailureRedirect, FailureUnreachable, FailureOff, FailureBanned, FailureDropped:
	}
	return f
}

// Delivery is an event for a webhook.
type Delivery struct {
	// ID is the same at each attempt.
	ID string
	// Type is the kind of the event, or TestType.
	Type string
	// Body is what is sent in the format JSON. Lists leave it out.
	Body  []byte
	State State
	Tries int
	// Status is the receiver's last answer, and 0 where there was none.
	Status int
	// Failure is empty before the first attempt and after a success.
	Failure   Failure
	CreatedAt time.Time
	// LastTryAt and NextTryAt are zero times where there is none.
	LastTryAt, NextTryAt time.Time
	// HeldUntil is until when a delivery that has failed is sent before later ones. It is the zero time before the first
	// failure.
	HeldUntil time.Time
}

// TestType is the type of a test event.
const TestType = "test"
