package moderation

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// A question leaves an appeal open, and the player is told of it by its id. Any other answer closes the appeal.
func TestAppeal_Answer(t *testing.T) {
	t.Parallel()
	first, asked := AppealMessage{Text: "I have a video."}, AppealMessage{FromModerator: true, Text: "Who is it?"}
	against := Decision{ID: "d", Subject: Subject{Kind: OfRecord, ID: "s", PlayerID: "ann"}}
	m := AppealMessage{ID: "m", FromModerator: true, Text: "We have seen it.", At: now}
	for _, tt := range []struct {
		name     string
		state    AppealState
		messages []AppealMessage
		answer   AppealState
		want     Appeal
		question string
		after    map[string]any
		err      error
	}{
		{
			"kept", AppealOpen, []AppealMessage{first}, AppealKept,
			Appeal{State: AppealKept, AnsweredAt: now, Messages: []AppealMessage{first, m}}, "",
			map[string]any{"appeal": AppealKept, "appealId": "a"}, nil,
		},
		{
			"a question", AppealOpen, []AppealMessage{first}, AppealOpen,
			Appeal{State: AppealOpen, Messages: []AppealMessage{first, m}}, "m",
			map[string]any{"appeal": AppealOpen, "appealId": "a", "asked": true}, nil,
		},
		{"kept after a question", AppealOpen, []AppealMessage{first, asked}, AppealKept,
			Appeal{State: AppealKept, AnsweredAt: now, Messages: []AppealMessage{first, asked, m}}, "",
			map[string]any{"appeal": AppealKept, "appealId": "a"}, nil},
		{"a second question", AppealOpen, []AppealMessage{first, asked}, AppealOpen, Appeal{}, "", nil, ErrAppealAsked},
		{"an appeal that was answered", AppealKept, []AppealMessage{first}, AppealKept, Appeal{}, "", nil,
			ErrAppealAnswered},
		{"a question about one", AppealGranted, []AppealMessage{first}, AppealOpen, Appeal{}, "", nil, ErrAppealAnswered},
	} {
		appeal := Appeal{ID: "a", DecisionID: "d", PlayerID: "ann", State: tt.state, Messages: tt.messages}
		got, err := appeal.Answer(mod, against, tt.answer, m)
		if !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.err)
		}
		if err != nil {
			continue
		}
		tt.want.ID, tt.want.DecisionID, tt.want.PlayerID = "a", "d", "ann"
		by := mod
		by.Reason, by.DecisionID = "We have seen it.", "d"
		wantFact := event.AppealAnswered{
			AppealID: "a", DecisionID: "d", PlayerID: "ann", QuestionID: tt.question, Decided: against.subject(), At: now,
		}
		wantEntry := access.Entry{
			By: by, Action: access.AnswerAppeal, Target: "s", Before: map[string]any{"appeal": AppealOpen}, After: tt.after,
		}
		want := Changed[Appeal]{Value: tt.want, Facts: []event.Fact{wantFact}, Entries: []access.Entry{wantEntry}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Who has decided does not answer an appeal where another moderator can.
func TestBarredModerator(t *testing.T) {
	t.Parallel()
	d := Decision{ByID: "mod", Subject: Subject{PlayerID: "ann"}}
	for _, tt := range []struct {
		moderators []string
		want       string
	}{
		{[]string{"mod", "other"}, "mod"}, {[]string{"ann", "mod", "other"}, "mod"},
		{[]string{"mod"}, ""}, {[]string{"ann", "mod"}, ""}, {nil, ""},
	} {
		if got := barredModerator(d, tt.moderators); got != tt.want {
			t.Errorf("moderators %v: %q, want %q", tt.moderators, got, tt.want)
		}
	}
}
