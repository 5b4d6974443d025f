package webhook

import (
	"context"
	"encoding/json"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
)

const (
	// MaxShown is how many deliveries of a webhook are listed, and kept besides those that wait.
	MaxShown = 100
	// KeptFor is how long a delivery is kept.
	KeptFor = 30 * 24 * time.Hour
	// MaxWaiting is how many deliveries of a webhook may wait. The oldest are dropped.
	MaxWaiting = 1000
	// MaxUses is how many tests, sends and changes of addresses a player makes in UsesPeriod.
	MaxUses = 10
	// UsesPeriod is the period of MaxUses.
	UsesPeriod = time.Minute
)

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

// message is what is sent in the format JSON.
type message struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      any    `json:"data"`
}

// newDelivery returns a delivery, due at a time, of an event that happened at another.
func newDelivery(id, kind string, data any, happened, at time.Time) (Delivery, error) {
	body, err := json.Marshal(message{Type: kind, Timestamp: publicevent.TimeText(happened), Data: data})
	if err != nil {
		return Delivery{}, err
	}
	return Delivery{ID: id, Type: kind, Body: body, State: Waiting, CreatedAt: at, NextTryAt: at}, nil
}

// CheckSend returns ErrOff for a webhook that is switched off.
func (w Webhook) CheckSend() error {
	if !w.Enabled {
		return ErrOff
	}
	return nil
}

// Again returns the delivery as one that waits for a first attempt at a time, or before if it was to be sent before.
func (d Delivery) Again(at time.Time) Delivery {
	if d.NextTryAt.IsZero() || at.Before(d.NextTryAt) {
		d.NextTryAt = at
	}
	d.State, d.Tries, d.HeldUntil = Waiting, 0, time.Time{}
	return d
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

// DeliveryStore stores the deliveries of webhooks. Its methods are like those of Store.
type DeliveryStore interface {
	// Deliveries returns the newest deliveries of a webhook without their bodies, at most MaxShown, of any owner.
	Deliveries(ctx context.Context, id string) ([]Delivery, error)
	// AddTest adds a test. It returns ErrOff.
	AddTest(ctx context.Context, by access.Attribution, id string, test Delivery) error
	// SendAgain stores what Delivery.Again returns. It returns ErrOff or ErrDeliveryUnknown.
	SendAgain(ctx context.Context, by access.Attribution, id, deliveryID string, at time.Time) (Delivery, error)
	// CountUse stores what Uses.Add returns of the uses of addresses by a player, or returns its error.
	CountUse(ctx context.Context, by access.Attribution, at time.Time) error
}

// Deliveries returns the newest deliveries of a webhook.
func (w *Webhooks) Deliveries(ctx context.Context, by access.Actor, id string) ([]Delivery, error) {
	if _, err := w.Get(ctx, by, id); err != nil {
		return nil, err
	}
	return w.Store.Deliveries(ctx, id)
}

// Test adds a delivery without a content. It returns ErrOff, or an error of all methods.
func (w *Webhooks) Test(ctx context.Context, by access.Attribution, id string) (Delivery, error) {
	by, err := w.authorizeFor(ctx, by, id)
	if err != nil {
		return Delivery{}, err
	}
	at := event.InMillis(w.Now())
	test, err := newDelivery(w.NewID(), TestType, struct{}{}, at, at)
	if err != nil {
		return Delivery{}, err
	}
	if err := w.Store.CountUse(ctx, by, at); err != nil {
		return Delivery{}, err
	}
	return test, w.Store.AddTest(ctx, by, id, test)
}

// SendAgain sends a delivery again. It returns ErrOff, ErrDeliveryUnknown, or an error of all methods.
func (w *Webhooks) SendAgain(ctx context.Context, by access.Attribution, id, deliveryID string) (Delivery, error) {
	by, err := w.authorizeFor(ctx, by, id)
	if err != nil {
		return Delivery{}, err
	}
	if !event.IsID(deliveryID) {
		return Delivery{}, ErrDeliveryUnknown
	}
	at := event.InMillis(w.Now())
	if err := w.Store.CountUse(ctx, by, at); err != nil {
		return Delivery{}, err
	}
	return w.Store.SendAgain(ctx, by, id, deliveryID, at)
}
