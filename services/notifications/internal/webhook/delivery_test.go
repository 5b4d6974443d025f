package webhook

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/problem"
)

func TestUses_Add(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		uses Uses
		at   time.Time
		want Uses
		err  error
	}{
		{"the first", Uses{}, noon, Uses{noon, 1}, nil},
		{"the tenth", Uses{noon, MaxUses - 1}, noon.Add(59 * time.Second), Uses{noon, MaxUses}, nil},
		{"one more", Uses{noon, MaxUses}, noon.Add(59 * time.Second), Uses{noon, MaxUses}, ErrTooOften},
		{"a minute later", Uses{noon, MaxUses}, noon.Add(time.Minute), Uses{noon.Add(time.Minute), 1}, nil},
	} {
		got, err := tt.uses.Add(tt.at)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%s: %+v, %v, want %+v, %v", tt.name, got, err, tt.want, tt.err)
		}
		if tt.err != nil && problem.From(err).RetryAfter != time.Second {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}

// All that comes before the status of an answer is the same for the owner.
func TestFailure_shown(t *testing.T) {
	t.Parallel()
	for failure, want := range map[Failure]Failure{
		FailureTimeout: FailureUnreachable, FailureUnresolved: FailureUnreachable, FailureAddressRefused: FailureUnreachable,
		FailureCertificate: FailureUnreachable, FailureUnreachable: FailureUnreachable, FailureStatus: FailureStatus,
		FailureRedirect: FailureRedirect, "": "",
	} {
		if got := failure.shown(); got != want {
			t.Errorf("%q is shown as %q, want %q", failure, got, want)
		}
	}
}

// A delivery that is sent again has all its attempts before it, and comes no later than it would have.
func TestDelivery_Again(t *testing.T) {
	t.Parallel()
	again := Delivery{ID: "d", State: Waiting, Status: 500, Failure: FailureStatus, LastTryAt: noon, NextTryAt: noon}
	for name, next := range map[string]time.Time{"ended": {}, "waits for later": noon.Add(time.Hour)} {
		before := again
		before.State, before.Tries, before.NextTryAt, before.HeldUntil = Failed, 10, next, noon
		assert.Equal(t, name, again, before.Again(noon))
	}
	due := again
	due.NextTryAt = noon.Add(-time.Hour)
	assert.Equal(t, "is due", due, due.Again(noon))
}

func TestWebhook_CheckSend(t *testing.T) {
	t.Parallel()
	for enabled, want := range map[bool]error{true: nil, false: ErrOff} {
		if err := (Webhook{Enabled: enabled}).CheckSend(); !errors.Is(err, want) {
			t.Errorf("enabled %t: %v, want %v", enabled, err, want)
		}
	}
}
