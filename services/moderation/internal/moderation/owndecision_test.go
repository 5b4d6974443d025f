package moderation

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
)

func TestOwnDecision_AddAppeal(t *testing.T) {
	t.Parallel()
	d := Decision{ID: "d", Kind: Ban, State: CarriedOut, Subject: Subject{ID: "s", PlayerID: "ann"}}
	undone, refused, restored, other := d, d, d, d
	undone.UndoneBy, refused.State, restored.Kind, other.Subject.PlayerID = "other", Refused, RestoreRecord, "bob"
	answered := func(ago time.Duration) *Appeal { return &Appeal{State: AppealKept, AnsweredAt: now.Add(-ago)} }
	by := access.Attribution{Actor: access.Player("ann", "", nil)}
	messages := []AppealMessage{{Text: "I have a video."}}
	appeal := Appeal{ID: "a", DecisionID: "d", State: AppealOpen, WaitingSince: now, Messages: messages}
	stored := appeal
	stored.PlayerID = "ann"
	repeated := &Appeal{ID: "first", State: AppealOpen, Messages: messages}
	for _, tt := range []struct {
		name string
		d    Decision
		last *Appeal
		want error
	}{
		{"the first", d, nil, nil},
		{"another player's decision", other, nil, ErrDecisionUnknown},
		{"a decision that was undone", undone, nil, ErrAppealNotApplicable},
		{"a decision that was refused", refused, nil, ErrAppealNotApplicable},
		{"a decision that gives", restored, nil, ErrAppealNotApplicable},
		{"an open one", d, &Appeal{State: AppealOpen}, ErrAppealExists},
		{"29 days after an answer", d, answered(29 * day), ErrAppealTooSoon},
		{"30 days after an answer", d, answered(30 * day), nil},
	} {
		change, err := OwnDecision{Decision: tt.d, Appeal: tt.last}.AddAppeal(by, appeal)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
		if errors.Is(err, ErrAppealTooSoon) && problem.From(err).RetryAfter != day {
			t.Errorf("%s: try again after %s", tt.name, problem.From(err).RetryAfter)
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(stored, change.Value); diff != "" || len(change.Entries) != 1 ||
			change.Entries[0].By.DecisionID != "d" {
			t.Errorf("%s: %+v (-want +got):\n%s", tt.name, change.Entries, diff)
		}
	}
	again, err := OwnDecision{Decision: d, Appeal: repeated}.AddAppeal(by, appeal)
	if diff := cmp.Diff(Changed[Appeal]{Value: *repeated, IsRepeated: true}, again); diff != "" || err != nil {
		t.Errorf("sent again: %v (-want +got):\n%s", err, diff)
	}
}
