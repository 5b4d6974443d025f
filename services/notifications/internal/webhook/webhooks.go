package webhook

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
	"capzone.dev/platform/readable"
	"capzone.dev/services/notifications/internal/notification"
)

// Change is what an owner changes. Nil fields stay as they are.
type Change struct {
	URL, Description *string
	Filter           *publicevent.Filter
	Enabled          *bool
}

// SwitchesOff reports whether nothing is sent after the change.
func (c Change) SwitchesOff() bool { return c.Enabled != nil && !*c.Enabled }

// BeginsAnew reports whether the webhook begins without failures, as one that is switched on or has another address.
// The outcome of an attempt that is being made is ignored then.
func (c Change) BeginsAnew() bool { return c.URL != nil || c.Enabled != nil && *c.Enabled }

// Store stores webhooks and their deliveries. Its methods return ErrUnknown for a webhook that is not the owner's.
// Those that change something do so for whom the owner was merged into.
type Store interface {
	// List returns the webhooks of a player, the oldest first.
	List(ctx context.Context, ownerID string) ([]Webhook, error)
	Get(ctx context.Context, ownerID, id string) (Webhook, error)
	// Create returns an error of MayCreate.
	Create(ctx context.Context, w Webhook, secret Secret) error
	// Update changes a webhook. The deliveries of one that it switches off do not wait any longer.
	Update(ctx context.Context, ownerID, id string, change Change, now time.Time) error
	Delete(ctx context.Context, ownerID, id string) error
	// Rotate replaces the secret. The one before signs until a time.
	Rotate(ctx context.Context, ownerID, id string, secret Secret, until time.Time) error
	// Deliveries returns the newest deliveries without their bodies, at most MaxShown.
	Deliveries(ctx context.Context, ownerID, id string) ([]Delivery, error)
	// AddTest adds a test. It returns ErrOff.
	AddTest(ctx context.Context, ownerID, id string, test Delivery) error
	// CountUse counts a use of an address by a player. It returns an error of Uses.Add.
	CountUse(ctx context.Context, ownerID string, now time.Time) error
	// SendAgain lets a delivery wait, for a first attempt at a time. It returns ErrOff or ErrDeliveryUnknown.
	SendAgain(ctx context.Context, ownerID, id, deliveryID string, at time.Time) (Delivery, error)
}

// Webhooks answers and changes the webhooks of an actor.
//
// Its methods return access.ErrForbidden for a banned player, notification.ErrPlayerUnknown, ErrUnknown for a webhook
// that is not the actor's, or a problem of kind unavailable. Those by which something is sent, or to another address,
// return ErrTooOften.
type Webhooks struct {
	Store     Store
	Players   notification.Players
	Maps      notification.Maps
	Addresses Addresses
	NewID     func() string
	Now       func() time.Time
}

// List returns the actor's webhooks, the oldest first.
func (w *Webhooks) List(ctx context.Context, by access.Actor) ([]Webhook, error) {
	owner, err := w.authorize(ctx, by)
	if err != nil {
		return nil, err
	}
	return w.Store.List(ctx, owner)
}

// Get returns a webhook.
func (w *Webhooks) Get(ctx context.Context, by access.Actor, id string) (Webhook, error) {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return Webhook{}, err
	}
	return w.Store.Get(ctx, owner, id)
}

// Create makes a webhook of the URL, format, description and filter of asked, and returns it with its secret, which is
// nil for Discord. It returns ErrFull, ErrURLRefused, ErrMalformed, an error of the map or the player that the filter
// names, or an error of all methods.
func (w *Webhooks) Create(ctx context.Context, by access.Actor, asked Webhook) (Webhook, Secret, error) {
	owner, err := w.authorize(ctx, by)
	if err != nil {
		return Webhook{}, nil, err
	}
	asked.URL, asked.Description = strings.TrimSpace(asked.URL), strings.TrimSpace(asked.Description)
	change := Change{URL: &asked.URL, Description: &asked.Description, Filter: &asked.Filter}
	if err := w.check(ctx, change, asked.Format); err != nil {
		return Webhook{}, nil, err
	}
	if err := w.Store.CountUse(ctx, owner, w.Now()); err != nil {
		return Webhook{}, nil, err
	}
	asked.ID, asked.OwnerID, asked.Enabled, asked.CreatedAt = w.NewID(), owner, true, w.Now()
	var secret Secret
	if asked.Format == JSON {
		secret = newSecret()
	}
	if err := w.Store.Create(ctx, asked, secret); err != nil {
		return Webhook{}, nil, err
	}
	created, err := w.Store.Get(ctx, owner, asked.ID)
	return created, secret, err
}

// Update changes a webhook and returns it. Its errors are those of Create.
func (w *Webhooks) Update(ctx context.Context, by access.Actor, id string, change Change) (Webhook, error) {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return Webhook{}, err
	}
	hook, err := w.Store.Get(ctx, owner, id)
	if err != nil {
		return Webhook{}, err
	}
	change.URL, change.Description = trimmed(change.URL), trimmed(change.Description)
	if err := w.check(ctx, change, hook.Format); err != nil {
		return Webhook{}, err
	}
	if change.URL != nil {
		if err := w.Store.CountUse(ctx, owner, w.Now()); err != nil {
			return Webhook{}, err
		}
	}
	if err := w.Store.Update(ctx, owner, id, change, w.Now()); err != nil {
		return Webhook{}, err
	}
	return w.Store.Get(ctx, owner, id)
}

// trimmed returns a text without blanks around it.
func trimmed(text *string) *string {
	if text == nil {
		return nil
	}
	return new(strings.TrimSpace(*text))
}

// Delete deletes a webhook with its deliveries.
func (w *Webhooks) Delete(ctx context.Context, by access.Actor, id string) error {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return err
	}
	return w.Store.Delete(ctx, owner, id)
}

// Rotate replaces the secret of a webhook and returns the new one. It returns ErrNoSecret for Discord, or an error of
// all methods.
func (w *Webhooks) Rotate(ctx context.Context, by access.Actor, id string) (Webhook, Secret, error) {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return Webhook{}, nil, err
	}
	hook, err := w.Store.Get(ctx, owner, id)
	if err != nil {
		return Webhook{}, nil, err
	}
	if hook.Format == Discord {
		return Webhook{}, nil, ErrNoSecret
	}
	secret := newSecret()
	if err := w.Store.Rotate(ctx, owner, id, secret, w.Now().Add(bothSecrets)); err != nil {
		return Webhook{}, nil, err
	}
	hook, err = w.Store.Get(ctx, owner, id)
	return hook, secret, err
}

// Deliveries returns the newest deliveries of a webhook.
func (w *Webhooks) Deliveries(ctx context.Context, by access.Actor, id string) ([]Delivery, error) {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return nil, err
	}
	return w.Store.Deliveries(ctx, owner, id)
}

// Test adds a delivery without a content. It returns ErrOff, or an error of all methods.
func (w *Webhooks) Test(ctx context.Context, by access.Actor, id string) (Delivery, error) {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return Delivery{}, err
	}
	if err := w.Store.CountUse(ctx, owner, w.Now()); err != nil {
		return Delivery{}, err
	}
	test, err := newDelivery(w.NewID(), TestType, struct{}{}, w.Now(), w.Now())
	if err != nil {
		return Delivery{}, err
	}
	return test, w.Store.AddTest(ctx, owner, id, test)
}

// SendAgain sends a delivery again. It returns ErrOff, ErrDeliveryUnknown, or an error of all methods.
func (w *Webhooks) SendAgain(ctx context.Context, by access.Actor, id, deliveryID string) (Delivery, error) {
	owner, err := w.owner(ctx, by, id)
	if err != nil {
		return Delivery{}, err
	}
	if !event.IsID(deliveryID) {
		return Delivery{}, ErrDeliveryUnknown
	}
	if err := w.Store.CountUse(ctx, owner, w.Now()); err != nil {
		return Delivery{}, err
	}
	return w.Store.SendAgain(ctx, owner, id, deliveryID, w.Now())
}

func (w *Webhooks) authorize(ctx context.Context, by access.Actor) (ownerID string, err error) {
	return notification.Authorize(ctx, by, access.ManageWebhooks, w.Players)
}

// owner returns the id of the actor, or ErrUnknown for a webhook that cannot be.
func (w *Webhooks) owner(ctx context.Context, by access.Actor, id string) (ownerID string, err error) {
	if ownerID, err = w.authorize(ctx, by); err == nil && !event.IsID(id) {
		return "", ErrUnknown
	}
	return ownerID, err
}

// check checks what an owner has chosen for a webhook of a format. The filter's player becomes whom the player was
// merged into.
func (w *Webhooks) check(ctx context.Context, change Change, format Format) error {
	if change.Description != nil && readable.Length(*change.Description) > MaxDescription {
		return ErrMalformed.WithField("description", "too_long", "is longer than 100 characters")
	}
	if change.Description != nil && strings.ContainsFunc(*change.Description, unicode.IsControl) {
		return ErrMalformed.WithField("description", "unreadable",
			"has more than one line, or characters that cannot be shown")
	}
	if change.URL != nil {
		if err := w.Addresses.CheckURL(*change.URL, format); err != nil {
			return err
		}
	}
	if change.Filter == nil {
		return nil
	}
	if change.Filter.Types == 0 {
		return ErrMalformed.WithField("filter", "type_missing", "must name a type")
	}
	if id := change.Filter.MapID; id != "" {
		m, err := w.Maps.Get(ctx, id)
		if err != nil {
			return err
		}
		change.Filter.MapID = m.ID
	}
	if id := change.Filter.PlayerID; id != "" {
		player, err := w.Players.Get(ctx, id)
		if err != nil {
			return err
		}
		change.Filter.PlayerID = player.ID
	}
	return nil
}

// EventStore stores deliveries.
type EventStore interface {
	// MaySelect reports whether any webhook is on and has a filter with the event's type, and with its mode, its map, one
	// of its players or none of these.
	MaySelect(ctx context.Context, e *publicevent.Event) (bool, error)
	// AddDeliveries adds a delivery, with an id of newID, for each webhook that is on, selects an event that happened at a
	// time, and was made before. Webhooks of banned players get none.
	AddDeliveries(
		ctx context.Context, e *publicevent.Event, happened time.Time, delivery Delivery, newID func() string,
	) error
}

// Publish adds the deliveries of an event that happened at a time.
func Publish(
	ctx context.Context, store EventStore, e *publicevent.Event, happened, now time.Time, newID func() string,
) error {
	delivery, err := newDelivery("", string(e.Kind), e.Data, happened, now)
	if err != nil {
		return err
	}
	return store.AddDeliveries(ctx, e, happened, delivery, newID)
}

// newSecret returns a secret of as many bytes as the signatures have.
func newSecret() Secret {
	secret := make(Secret, 32)
	_, _ = rand.Read(secret) // never fails
	return secret
}

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
