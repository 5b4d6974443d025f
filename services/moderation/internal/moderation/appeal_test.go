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

// A moderator asks back while a message of the player waits, five times at most, and each question lets the player send
// three messages again.
func TestAppeal_CheckMessage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// messages are those of the player (p) and of moderators (m).
		messages       string
		state          AppealState
		message, asked error
	}{
		{"a new appeal", "p", AppealOpen, nil, nil},
		{"two messages", "pp", AppealOpen, nil, nil},
		{"three messages", "ppp", AppealOpen, ErrAppealMessagesFull, nil},
		{"a question", "pppm", AppealOpen, nil, ErrAppealAsked},
		{"an answer to a question", "pppmp", AppealOpen, nil, nil},
		{"three of them", "pmppp", AppealOpen, ErrAppealMessagesFull, nil},
		{"five questions", "pmpmpmpmpmp", AppealOpen, nil, ErrAppealQuestionsFull},
		{"an answered appeal", "pm", AppealKept, ErrAppealAnswered, ErrAppealAnswered},
	} {
		appeal := Appeal{State: tt.state}
		for _, from := range tt.messages {
			appeal.Messages = append(appeal.Messages, AppealMessage{FromModerator: from == 'm'})
		}
		if err := appeal.CheckMessage(false); !errors.Is(err, tt.message) {
			t.Errorf("%s: a message of the player: %v, want %v", tt.name, err, tt.message)
		}
		if err := appeal.CheckMessage(true); !errors.Is(err, tt.asked) {
			t.Errorf("%s: a question: %v, want %v", tt.name, err, tt.asked)
		}
	}
}

func TestAppeal_Accepts(t *testing.T) {
	t.Parallel()
	last := AppealMessage{Text: "I have a video."}
	for _, tt := range []struct {
		name    string
		state   AppealState
		message AppealMessage
		isNew   bool
		err     error
	}{
		{"another message", AppealOpen, AppealMessage{Text: "Here it is."}, true, nil},
		{"the last one again", AppealOpen, last, false, nil},
		{"the same of a moderator", AppealOpen, AppealMessage{FromModerator: true, Text: last.Text}, true, nil},
		{"the last one after the answer", AppealKept, last, false, ErrAppealAnswered},
	} {
		appeal := Appeal{State: tt.state, Messages: []AppealMessage{last}}
		if isNew, err := appeal.Accepts(tt.message); isNew != tt.isNew || !errors.Is(err, tt.err) {
			t.Errorf("%s: new %t, %v, want %t, %v", tt.name, isNew, err, tt.isNew, tt.err)
		}
	}
}

// Who has decided does not answer an appeal where another moderator can.
func TestAnsweredBy(t *testing.T) {
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
