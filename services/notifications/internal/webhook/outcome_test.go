package webhook

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/services/notifications/internal/notification"
)

var noon = time.Date(2026, 5, 11, 12, 0, 0, 0, time.UTC)

// A delivery is tried by the schedule of Standard Webhooks, and has failed then.
func TestDelivery_after_schedule(t *testing.T) {
	t.Parallel()
	want := []time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
		20 * time.Hour, 24 * time.Hour,
	}
	d := Delivery{ID: "d", State: Waiting}
	for i, wait := range want {
		d = d.after(Answer{Failure: FailureTimeout}, pauseStep, noon)
		next := Delivery{
			ID: "d", State: Waiting, Tries: i + 1, Failure: FailureUnreachable, LastTryAt: noon, NextTryAt: noon.Add(wait),
			HeldUntil: noon.Add(time.Minute),
		}
		if diff := cmp.Diff(next, d); diff != "" {
			t.Errorf("after failure %d (-want +got):\n%s", i+1, diff)
		}
	}
	last := Delivery{
		ID: "d", State: Failed, Tries: 10, Status: 500, Failure: FailureStatus, LastTryAt: noon, HeldUntil: d.HeldUntil,
	}
	assert.Equal(t, "after the last failure", last, d.after(Answer{Failure: FailureStatus, Status: 500}, pauseStep, noon))
	delivered := Delivery{ID: "d", State: Delivered, Tries: 10, Status: 204, LastTryAt: noon, HeldUntil: d.HeldUntil}
	require.Equal(t, "after a success", delivered, d.after(Answer{Status: 204}, pauseStep, noon))
}

// An answer with Retry-After is no attempt of an event in its first hour.
func TestDelivery_after_RetryAfter(t *testing.T) {
	t.Parallel()
	answer := Answer{Failure: FailureStatus, Status: 429, RetryAfter: time.Minute}
	for _, tt := range []struct {
		name    string
		age     time.Duration
		tries   int
		want    int
		state   State
		waiting time.Duration
	}{
		{"in the first hour", 59 * time.Minute, 9, 9, Waiting, 2 * time.Minute},
		{"after an hour", time.Hour, 0, 1, Waiting, time.Minute},
		{"after an hour again", time.Hour, 1, 2, Waiting, 5 * time.Minute},
		{"after the last attempt", time.Hour, 9, 10, Failed, 0},
	} {
		d := Delivery{ID: "d", State: Waiting, Tries: tt.tries, CreatedAt: noon.Add(-tt.age)}
		want := d
		want.State, want.Tries, want.Status, want.Failure, want.LastTryAt = tt.state, tt.want, 429, FailureStatus, noon
		want.HeldUntil = noon.Add(time.Minute)
		if tt.waiting > 0 {
			want.NextTryAt = noon.Add(tt.waiting)
		}
		assert.Equal(t, tt.name, want, d.after(answer, 2*time.Minute, noon))
	}
}

// A receiver that wants each event a moment later is asked less and less often, until its events have ended.
func TestWork_after_RetryAfter_without_an_end(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour} {
		answer := Answer{Failure: FailureStatus, Status: 429, RetryAfter: after}
		work := Work{Deliveries: []Delivery{{ID: "d", State: Waiting, CreatedAt: noon}}}
		now, attempts, least := noon, 0, pauseStep
		for ; work.Deliveries[0].State == Waiting && attempts < 100; attempts++ {
			out := work.after(answer, now)
			if out.Off != "" {
				break // which ends what waits
			}
			if pause := out.PausedUntil.Sub(now); pause < max(least, after) {
				t.Errorf("Retry-After %s, attempt %d: a pause of %s, want at least %s", after, attempts+1, pause, least)
			}
			least = min(least+pauseStep, maxPause)
			work.Deliveries, work.Failures, work.FailingSince = out.Deliveries, out.Failures, out.FailingSince
			now = out.PausedUntil
			if next := out.Deliveries[0].NextTryAt; next.After(now) {
				now = next
			}
		}
		t.Logf("Retry-After %s: %d attempts in %s", after, attempts, now.Sub(noon))
		if attempts >= 100 || now.Sub(noon) > maxFailing+maxRetryAfter {
			t.Errorf("Retry-After %s: the event has not ended after %d attempts in %s", after, attempts, now.Sub(noon))
		}
	}
}

func TestWork_after(t *testing.T) {
	t.Parallel()
	failed := Answer{Failure: FailureStatus, Status: 500}
	for _, tt := range []struct {
		name   string
		work   Work
		answer Answer
		want   Outcome
	}{
		{"a success", Work{Failures: 49, FailingSince: noon.Add(-100 * time.Hour)}, Answer{Status: 200}, Outcome{}},
		{"the first failure", Work{}, failed,
			Outcome{Failures: 1, FailingSince: noon, PausedUntil: noon.Add(5 * time.Second)}},
		{"the third failure", Work{Failures: 2, FailingSince: noon.Add(-time.Hour)}, failed,
			Outcome{Failures: 3, FailingSince: noon.Add(-time.Hour), PausedUntil: noon.Add(15 * time.Second)}},
		{"the 49th failure", Work{Failures: 48, FailingSince: noon.Add(-71 * time.Hour)}, failed,
			Outcome{Failures: 49, FailingSince: noon.Add(-71 * time.Hour), PausedUntil: noon.Add(245 * time.Second)}},
		{"the 50th failure", Work{Failures: 49, FailingSince: noon.Add(-time.Hour)}, failed,
			Outcome{Failures: 50, FailingSince: noon.Add(-time.Hour), Off: OffFailures}},
		{"a failure after 3 days", Work{Failures: 7, FailingSince: noon.Add(-72 * time.Hour)}, failed,
			Outcome{Failures: 8, FailingSince: noon.Add(-72 * time.Hour), Off: OffFailures}},
		{"gone", Work{}, Answer{Failure: FailureStatus, Status: 410},
			Outcome{Failures: 1, FailingSince: noon, Off: OffGone}},
		{"a 404 of a program", Work{Format: JSON}, Answer{Failure: FailureStatus, Status: 404},
			Outcome{Failures: 1, FailingSince: noon, PausedUntil: noon.Add(5 * time.Second)}},
		{"a webhook that was deleted in Discord", Work{Format: Discord}, Answer{Failure: FailureStatus, Status: 404},
			Outcome{Failures: 1, FailingSince: noon, Off: OffGone}},
		{"a short Retry-After", Work{}, Answer{Failure: FailureStatus, Status: 429, RetryAfter: time.Millisecond},
			Outcome{Failures: 1, FailingSince: noon, PausedUntil: noon.Add(5 * time.Second)}},
		{"a short Retry-After for the third time", Work{Failures: 2, FailingSince: noon.Add(-time.Minute)},
			Answer{Failure: FailureStatus, Status: 429, RetryAfter: time.Millisecond},
			Outcome{Failures: 3, FailingSince: noon.Add(-time.Minute), PausedUntil: noon.Add(15 * time.Second)}},
		{"a long Retry-After", Work{Failures: 2, FailingSince: noon.Add(-time.Minute)},
			Answer{Failure: FailureStatus, Status: 503, RetryAfter: time.Hour},
			Outcome{Failures: 3, FailingSince: noon.Add(-time.Minute), PausedUntil: noon.Add(time.Hour)}},
		{"Retry-After at the 50th failure", Work{Failures: 49, FailingSince: noon.Add(-time.Hour)},
			Answer{Failure: FailureStatus, Status: 503, RetryAfter: time.Second},
			Outcome{Failures: 50, FailingSince: noon.Add(-time.Hour), Off: OffFailures}},
		{"Retry-After after 3 days", Work{Failures: 1, FailingSince: noon.Add(-72 * time.Hour)},
			Answer{Failure: FailureStatus, Status: 503, RetryAfter: time.Second},
			Outcome{Failures: 2, FailingSince: noon.Add(-72 * time.Hour), Off: OffFailures}},
		{"Retry-After of a year", Work{}, Answer{Failure: FailureStatus, Status: 503, RetryAfter: 365 * 24 * time.Hour},
			Outcome{Failures: 1, FailingSince: noon, PausedUntil: noon.Add(24 * time.Hour)}},
	} {
		got := tt.work.after(tt.answer, noon)
		got.Deliveries = nil
		assert.Equal(t, tt.name, tt.want, got)
	}
}

// An owner is told of a webhook that is switched off. What the owner has switched off during an attempt neither waits
// nor is switched off again.
func TestWebhook_Finish(t *testing.T) {
	t.Parallel()
	out := Outcome{
		Off: OffFailures, NoticeID: "n",
		Deliveries: []Delivery{{ID: "a", State: Waiting, NextTryAt: noon, Tries: 2}, {ID: "b", State: Delivered}},
	}
	got, effect := Webhook{ID: "w", OwnerID: "ann", Enabled: true}.Finish(out, noon)
	require.Equal(t, "an outcome", out, got)
	require.Equal(t, "the effect", notification.Effect{At: noon, Notifications: []notification.Notification{{
		ReceiverID: "ann", Kind: notification.WebhookOff, CauseID: "n", GroupID: "w", At: noon,
	}}}, effect)

	got, effect = Webhook{ID: "w", OwnerID: "ann"}.Finish(out, noon)
	want := Outcome{
		NoticeID: "n", Deliveries: []Delivery{{ID: "a", State: Failed, Tries: 2}, {ID: "b", State: Delivered}},
	}
	require.Equal(t, "where it is off", want, got)
	require.Equal(t, "the effect where it is off", notification.Effect{}, effect)
}
