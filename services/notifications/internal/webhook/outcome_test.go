package webhook

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
		d = d.after(Answer{Failure: FailureTimeout}, noon)
		next := Delivery{
			ID: "d", State: Waiting, Tries: i + 1, Failure: FailureTimeout, LastTryAt: noon, NextTryAt: noon.Add(wait),
		}
		if diff := cmp.Diff(next, d); diff != "" {
			t.Errorf("after failure %d (-want +got):\n%s", i+1, diff)
		}
	}
	last := Delivery{ID: "d", State: Failed, Tries: 10, Status: 500, Failure: FailureStatus, LastTryAt: noon}
	if diff := cmp.Diff(last, d.after(Answer{Failure: FailureStatus, Status: 500}, noon)); diff != "" {
		t.Errorf("after the last failure (-want +got):\n%s", diff)
	}
	delivered := Delivery{ID: "d", State: Delivered, Tries: 10, Status: 204, LastTryAt: noon}
	if diff := cmp.Diff(delivered, d.after(Answer{Status: 204}, noon)); diff != "" {
		t.Errorf("after a success (-want +got):\n%s", diff)
	}
	later := d.after(Answer{Failure: FailureStatus, Status: 429, RetryAfter: time.Minute}, noon)
	if later.State != Waiting || later.Tries != d.Tries || !later.NextTryAt.Equal(noon.Add(time.Minute)) {
		t.Errorf("what the receiver wants later: %+v", later)
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
		{"Retry-After", Work{}, Answer{Failure: FailureStatus, Status: 429, RetryAfter: 700 * time.Millisecond},
			Outcome{Failures: 1, FailingSince: noon, PausedUntil: noon.Add(700 * time.Millisecond)}},
		{"Retry-After again and again", Work{Failures: 49, FailingSince: noon.Add(-time.Hour)},
			Answer{Failure: FailureStatus, Status: 503, RetryAfter: time.Second},
			Outcome{Failures: 49, FailingSince: noon.Add(-time.Hour), PausedUntil: noon.Add(time.Second)}},
		{"Retry-After after 3 days", Work{Failures: 1, FailingSince: noon.Add(-72 * time.Hour)},
			Answer{Failure: FailureStatus, Status: 503, RetryAfter: time.Second},
			Outcome{Failures: 1, FailingSince: noon.Add(-72 * time.Hour), Off: OffFailures}},
		{"Retry-After of a year", Work{}, Answer{Failure: FailureStatus, Status: 503, RetryAfter: 365 * 24 * time.Hour},
			Outcome{Failures: 1, FailingSince: noon, PausedUntil: noon.Add(24 * time.Hour)}},
	} {
		got := tt.work.after(tt.answer, noon)
		got.Deliveries = nil
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
