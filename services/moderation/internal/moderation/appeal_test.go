package moderation

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
)

// A moderator asks back while a message of the player waits, five times at most, and each question lets the player send
// three messages again.
func TestAppeal_checkMessage(t *testing.T) {
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
		if err := appeal.checkMessage(false); !errors.Is(err, tt.message) {
			t.Errorf("%s: a message of the player: %v, want %v", tt.name, err, tt.message)
		}
		if err := appeal.checkMessage(true); !errors.Is(err, tt.asked) {
			t.Errorf("%s: a question: %v, want %v", tt.name, err, tt.asked)
		}
	}
}

// A message makes an appeal wait for an answer. One that is sent again changes nothing.
func TestAppeal_AddMessage(t *testing.T) {
	t.Parallel()
	first, asked := AppealMessage{Text: "I have a video."}, AppealMessage{FromModerator: true, Text: "Who is it?"}
	second := AppealMessage{Text: "Here it is.", At: now}
	earlier := now.Add(-time.Hour)
	for _, tt := range []struct {
		name, by string
		before   Appeal
		message  AppealMessage
		want     Appeal
		err      error
	}{
		{
			"another message", "ann", Appeal{State: AppealOpen, WaitingSince: earlier, Messages: []AppealMessage{first}}, second,
			Appeal{State: AppealOpen, WaitingSince: earlier, Messages: []AppealMessage{first, second}}, nil,
		},
		{
			"an answer to a question", "ann", Appeal{State: AppealOpen, Messages: []AppealMessage{first, asked}}, second,
			Appeal{State: AppealOpen, WaitingSince: now, Messages: []AppealMessage{first, asked, second}}, nil,
		},
		{
			"the last one again", "ann", Appeal{State: AppealOpen, WaitingSince: earlier, Messages: []AppealMessage{first}},
			first, Appeal{State: AppealOpen, WaitingSince: earlier, Messages: []AppealMessage{first}}, nil,
		},
		{"the last one after the answer", "ann", Appeal{State: AppealKept, Messages: []AppealMessage{first}}, first, Appeal{},
			ErrAppealAnswered},
		{"another player's", "bob", Appeal{State: AppealOpen}, first, Appeal{}, ErrAppealUnknown},
	} {
		tt.before.PlayerID = "ann"
		if tt.err == nil {
			tt.want.PlayerID = "ann"
		}
		change, err := tt.before.AddMessage(access.Attribution{Actor: access.Player(tt.by, "", nil)}, tt.message)
		want := Changed[Appeal]{Value: tt.want, IsRepeated: tt.name == "the last one again"}
		if diff := cmp.Diff(want, change); diff != "" || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, want %v (-want +got):\n%s", tt.name, err, tt.err, diff)
		}
	}
}
