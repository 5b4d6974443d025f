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
	"context"
	"strings"
	"time"
	"unicode"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/publicevent"
	"capzone.dev/platform/readable"
	"capzone.dev/services/notifications/internal/notification"
)

const (
	// Max is how many webhooks a player has at most. After a merge the oldest are left.
	Max = 5
	// MaxDescription is the length of a description, in characters.
	MaxDescription = 100
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
	// Failures counts the attempts that failed since the last success, and FailingSince is when the first of them did.
	Failures     int
	FailingSince time.Time
	// PausedUntil is when sending to the receiver goes on.
	PausedUntil time.Time
	// LastDelivery is the one that was tried last, nil before the first.
	LastDelivery *Delivery
	// PreviousSecretUntil is when the secret before ceases to sign. It is the zero time where there is none.
	PreviousSecretUntil time.Time
	CreatedAt           time.Time
}

// Owner is who makes a webhook, read under a lock by which no other webhook is added.
type Owner struct {
	// Webhooks is how many the player has.
	Webhooks int
}

// CheckCreate returns ErrFull for one more than Max.
func (o Owner) CheckCreate() error {
	if o.Webhooks >= Max {
		return ErrFull
	}
	return nil
}

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

// Update returns the webhook after a change. One that was off already keeps its reason.
func (w Webhook) Update(c Change) Webhook {
	if c.URL != nil {
		w.URL = *c.URL
	}
	if c.Description != nil {
		w.Description = *c.Description
	}
	if c.Filter != nil {
		w.Filter = *c.Filter
	}
	if c.BeginsAnew() {
		w.Failures, w.FailingSince, w.PausedUntil = 0, time.Time{}, time.Time{}
	}
	switch {
	case c.SwitchesOff() && w.Enabled:
		w.Enabled, w.OffReason = false, OffByOwner
	case c.Enabled != nil && *c.Enabled:
		w.Enabled, w.OffReason = true, ""
	}
	return w
}

// Store stores webhooks and their deliveries. Its methods return ErrUnknown for a webhook that is not the owner's.
// Those that change something do so for whom the owner was merged into.
type Store interface {
	// Webhooks returns the webhooks of a player, the oldest first.
	Webhooks(ctx context.Context, ownerID string) ([]Webhook, error)
	Webhook(ctx context.Context, ownerID, id string) (Webhook, error)
	// CreateWebhook returns an error of Owner.CheckCreate.
	CreateWebhook(ctx context.Context, by access.Attribution, w Webhook, secret Secret) error
	// UpdateWebhook stores what Webhook.Update returns. The deliveries of one that the change switches off do not wait any
	// longer.
	UpdateWebhook(ctx context.Context, by access.Attribution, id string, change Change, at time.Time) error
	DeleteWebhook(ctx context.Context, by access.Attribution, id string) error
	// RotateSecret stores what Webhook.Rotate returns with a new secret, or returns its error.
	RotateSecret(ctx context.Context, by access.Attribution, id string, secret Secret, at time.Time) error
	DeliveryStore
}

// Webhooks answers and changes the webhooks of an actor.
//
// Its methods return access.ErrForbidden for a banned player, access.ErrDeleted, ErrUnknown for a webhook
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
	owner, err := w.authorize(ctx, access.Attribution{Actor: by})
	if err != nil {
		return nil, err
	}
	return w.Store.Webhooks(ctx, owner.Actor.ID)
}

// Get returns a webhook.
func (w *Webhooks) Get(ctx context.Context, by access.Actor, id string) (Webhook, error) {
	owner, err := w.authorizeFor(ctx, access.Attribution{Actor: by}, id)
	if err != nil {
		return Webhook{}, err
	}
	return w.Store.Webhook(ctx, owner.Actor.ID, id)
}

// Create makes a webhook of the URL, format, description and filter of asked, and returns it with its secret, which is
// nil for Discord. It returns ErrFull, ErrURLRefused, ErrMalformed, an error of the map or the player that the filter
// names, or an error of all methods.
func (w *Webhooks) Create(ctx context.Context, by access.Attribution, asked Webhook) (Webhook, Secret, error) {
	by, err := w.authorize(ctx, by)
	if err != nil {
		return Webhook{}, nil, err
	}
	asked.URL, asked.Description = strings.TrimSpace(asked.URL), strings.TrimSpace(asked.Description)
	change := Change{URL: &asked.URL, Description: &asked.Description, Filter: &asked.Filter}
	if err := w.check(ctx, change, asked.Format); err != nil {
		return Webhook{}, nil, err
	}
	asked.ID, asked.Enabled, asked.CreatedAt = w.NewID(), true, event.InMillis(w.Now())
	if err := w.Store.CountUse(ctx, by, asked.CreatedAt); err != nil {
		return Webhook{}, nil, err
	}
	var secret Secret
	if asked.Format == JSON {
		secret = newSecret()
	}
	if err := w.Store.CreateWebhook(ctx, by, asked, secret); err != nil {
		return Webhook{}, nil, err
	}
	created, err := w.Store.Webhook(ctx, by.Actor.ID, asked.ID)
	return created, secret, err
}

// Update changes a webhook and returns it. Its errors are those of Create.
func (w *Webhooks) Update(ctx context.Context, by access.Attribution, id string, change Change) (Webhook, error) {
	by, err := w.authorizeFor(ctx, by, id)
	if err != nil {
		return Webhook{}, err
	}
	hook, err := w.Store.Webhook(ctx, by.Actor.ID, id)
	if err != nil {
		return Webhook{}, err
	}
	change.URL, change.Description = trimmed(change.URL), trimmed(change.Description)
	if err := w.check(ctx, change, hook.Format); err != nil { // the format of a webhook never changes
		return Webhook{}, err
	}
	at := event.InMillis(w.Now())
	if change.URL != nil {
		if err := w.Store.CountUse(ctx, by, at); err != nil {
			return Webhook{}, err
		}
	}
	if err := w.Store.UpdateWebhook(ctx, by, id, change, at); err != nil {
		return Webhook{}, err
	}
	return w.Store.Webhook(ctx, by.Actor.ID, id)
}

// trimmed returns a text without blanks around it.
func trimmed(text *string) *string {
	if text == nil {
		return nil
	}
	return new(strings.TrimSpace(*text))
}

// Delete deletes a webhook with its deliveries.
func (w *Webhooks) Delete(ctx context.Context, by access.Attribution, id string) error {
	by, err := w.authorizeFor(ctx, by, id)
	if err != nil {
		return err
	}
	return w.Store.DeleteWebhook(ctx, by, id)
}

// Rotate replaces the secret of a webhook and returns the new one. It returns ErrNoSecret for Discord, or an error of
// all methods.
func (w *Webhooks) Rotate(ctx context.Context, by access.Attribution, id string) (Webhook, Secret, error) {
	by, err := w.authorizeFor(ctx, by, id)
	if err != nil {
		return Webhook{}, nil, err
	}
	secret := newSecret()
	if err := w.Store.RotateSecret(ctx, by, id, secret, event.InMillis(w.Now())); err != nil {
		return Webhook{}, nil, err
	}
	hook, err := w.Store.Webhook(ctx, by.Actor.ID, id)
	return hook, secret, err
}

func (w *Webhooks) authorize(ctx context.Context, by access.Attribution) (access.Attribution, error) {
	_, by, err := access.Authorize(ctx, by, access.ManageWebhooks, w.Players.Get)
	return by, err
}

// authorizeFor is authorize for a webhook. It returns ErrUnknown for one that cannot be.
func (w *Webhooks) authorizeFor(ctx context.Context, by access.Attribution, id string) (access.Attribution, error) {
	by, err := w.authorize(ctx, by)
	if err == nil && !event.IsID(id) {
		err = ErrUnknown
	}
	return by, err
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
