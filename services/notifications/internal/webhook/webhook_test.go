package webhook

import (
	"errors"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/publicevent"
)

func TestOwner_CheckCreate(t *testing.T) {
	t.Parallel()
	for webhooks, want := range map[int]error{0: nil, Max - 1: nil, Max: ErrFull, Max + 1: ErrFull} {
		if err := (Owner{Webhooks: webhooks}).CheckCreate(); !errors.Is(err, want) {
			t.Errorf("beside %d: %v, want %v", webhooks, err, want)
		}
	}
}

// A webhook that is switched on, or has another address, begins without failures.
func TestWebhook_Update(t *testing.T) {
	t.Parallel()
	filter := publicevent.Filter{Types: publicevent.TypeMap}
	failing := Webhook{
		ID: "w", URL: "old", Description: "mine", Enabled: true, Failures: 7, FailingSince: noon, PausedUntil: noon,
	}
	off, anew := failing, Webhook{ID: "w", URL: "old", Description: "mine", Enabled: true}
	off.Enabled, off.OffReason = false, OffGone
	for _, tt := range []struct {
		name   string
		before Webhook
		change Change
		want   func(w *Webhook)
	}{
		{"nothing", failing, Change{}, func(*Webhook) {}},
		{"the description and the filter", failing, Change{Description: new("ours"), Filter: &filter},
			func(w *Webhook) { w.Description, w.Filter = "ours", filter }},
		{"the address", failing, Change{URL: new("new")}, func(w *Webhook) { *w, w.URL = anew, "new" }},
		{"off", failing, Change{Enabled: new(false)}, func(w *Webhook) { w.Enabled, w.OffReason = false, OffByOwner }},
		{"off again", off, Change{Enabled: new(false)}, func(*Webhook) {}},
		{"on", off, Change{Enabled: new(true)}, func(w *Webhook) { *w = anew }},
	} {
		want := tt.before
		tt.want(&want)
		assert.Equal(t, tt.name, want, tt.before.Update(tt.change))
	}
}
