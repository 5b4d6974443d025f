package moderation

import (
	"errors"
	"testing"
)

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
