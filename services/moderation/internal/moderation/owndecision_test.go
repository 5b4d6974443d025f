package moderation

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/platform/problem"
)

func TestCheckAppeal(t *testing.T) {
	t.Parallel()
	d := Decision{Kind: Ban, State: CarriedOut}
	undone, refused, restored := d, d, d
	undone.UndoneBy, refused.State, restored.Kind = "other", Refused, RestoreRecord
	answered := func(ago time.Duration) *Appeal { return &Appeal{State: AppealKept, AnsweredAt: now.Add(-ago)} }
	for _, tt := range []struct {
		name string
		d    Decision
		last *Appeal
		want error
	}{
		{"the first", d, nil, nil},
		{"a decision that was undone", undone, nil, ErrAppealNotApplicable},
		{"a decision that was refused", refused, nil, ErrAppealNotApplicable},
		{"a decision that gives", restored, nil, ErrAppealNotApplicable},
		{"an open one", d, &Appeal{State: AppealOpen}, ErrAppealExists},
		{"29 days after an answer", d, answered(29 * day), ErrAppealTooSoon},
		{"30 days after an answer", d, answered(30 * day), nil},
	} {
		err := CheckAppeal(tt.d, tt.last, now)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if errors.Is(err, ErrAppealTooSoon) && problem.From(err).RetryAfter != day {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
	}
}
