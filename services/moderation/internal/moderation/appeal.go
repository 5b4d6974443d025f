package moderation

import (
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// AppealState is what became of an appeal, as the API names it.
type AppealState string

// The states of appeals.
const (
	AppealOpen    AppealState = "open"
	AppealGranted AppealState = "granted"
	AppealKept    AppealState = "kept"
)

const (
	// maxAppealMessages is how many messages of the player wait for an answer or a question, and maxAppealQuestions how
	// often moderators ask back.
	maxAppealMessages, maxAppealQuestions = 3, 5
	// enoughModerators is how many moderators have to be known, so that one of them is neither who has decided nor whom
	// the decision concerns.
	enoughModerators = 3
	// appealPause is how long after an answer another appeal against the same decision is possible.
	appealPause = 30 * day
)

// Appeal is a player's objection to a decision.
type Appeal struct {
	ID, DecisionID, PlayerID string
	State                    AppealState
	// WaitingSince is when the oldest message without an answer or a question was sent, of an open appeal. It is the zero
	// value while moderators wait for the player.
	WaitingSince, AnsweredAt time.Time
	Messages                 []AppealMessage
}

// AppealMessage is a message of the player or the answer of a moderator.
type AppealMessage struct {
	ID            string
	FromModerator bool
	Text          string
	At            time.Time
}

// Entry returns the row of the audit log of a new appeal against a decision.
func (a Appeal) Entry(by access.Attribution, against Decision) access.Entry {
	return access.Entry{
		By: by, Action: access.Appeal, Target: against.Subject.ID,
		After: map[string]any{"appeal": AppealOpen, "appealId": a.ID},
	}
}

// Answer returns what becomes of an appeal against a decision by the message of a moderator, who keeps the decision or
// asks the player: what the player is told, and the row of the audit log. It returns ErrAppealAnswered, or an error of
// CheckMessage.
func (a Appeal) Answer(
	against Decision, m AppealMessage, outcome AppealOutcome, by access.Attribution,
) (event.AppealAnswered, access.Entry, error) {
	fact := event.AppealAnswered{
		AppealID: a.ID, DecisionID: against.ID, PlayerID: a.PlayerID, Decided: against.subject(), At: m.At,
	}
	entry := a.entry(by, against.Subject.ID, stateAfter(outcome))
	if outcome == OutcomeAsked {
		fact.QuestionID, entry.After["asked"] = m.ID, true
		return fact, entry, a.CheckMessage(true)
	}
	if a.State != AppealOpen {
		return fact, entry, ErrAppealAnswered
	}
	return fact, entry, nil
}

// entry returns the row of the audit log of an answer to an open appeal, with the state that the appeal has by it.
func (a Appeal) entry(by access.Attribution, targetID string, state AppealState) access.Entry {
	return access.Entry{
		By: by, Action: access.AnswerAppeal, Target: targetID, Before: map[string]any{"appeal": AppealOpen},
		After: map[string]any{"appeal": state, "appealId": a.ID},
	}
}

// IsRepeated reports whether the last message of an appeal is the same one from the same side, which is sent again
// because its answer was lost.
func (a Appeal) IsRepeated(fromModerator bool, text string) bool {
	if len(a.Messages) == 0 {
		return false
	}
	last := a.Messages[len(a.Messages)-1]
	return last.FromModerator == fromModerator && last.Text == text
}

// stateAfter returns the state of an appeal after an outcome.
func stateAfter(outcome AppealOutcome) AppealState {
	if outcome == OutcomeAsked {
		return AppealOpen
	}
	return AppealState(outcome)
}

// Accepts reports whether a message is another one than the last, which may be sent again. It returns an error of
// CheckMessage.
func (a Appeal) Accepts(m AppealMessage) (isNew bool, err error) {
	if a.State == AppealOpen && a.IsRepeated(m.FromModerator, m.Text) {
		return false, nil
	}
	err = a.CheckMessage(m.FromModerator)
	return err == nil, err
}

// CheckMessage returns why the player cannot send another message, or a moderator cannot ask back: ErrAppealAnswered,
// ErrAppealMessagesFull, ErrAppealAsked or ErrAppealQuestionsFull. The messages are in the order in which they were
// sent.
func (a Appeal) CheckMessage(fromModerator bool) error {
	waiting, questions := 0, 0
	for _, m := range a.Messages {
		waiting++
		if m.FromModerator {
			waiting, questions = 0, questions+1
		}
	}
	switch {
	case a.State != AppealOpen:
		return ErrAppealAnswered
	case fromModerator && waiting == 0:
		return ErrAppealAsked
	case fromModerator && questions >= maxAppealQuestions:
		return ErrAppealQuestionsFull
	case !fromModerator && waiting >= maxAppealMessages:
		return ErrAppealMessagesFull
	}
	return nil
}

// barredModerator returns who may not answer an appeal against a decision: who has decided, where another of the
// moderators can answer. The moderators are all that there are, or enoughModerators of them.
func barredModerator(d Decision, moderators []string) (moderatorID string) {
	for _, id := range moderators {
		if id != d.ByID && id != d.Subject.PlayerID {
			return d.ByID
		}
	}
	return ""
}

// CheckAppeal returns why a player cannot appeal against a decision now, where last is the player's last appeal against
// it, if there is one.
func CheckAppeal(d Decision, last *Appeal, now time.Time) error {
	switch {
	case !d.IsAppealable():
		return ErrAppealNotApplicable
	case last == nil:
		return nil
	case last.State == AppealOpen:
		return ErrAppealExists.WithData("_id", last.ID)
	case now.Before(last.AnsweredAt.Add(appealPause)):
		return ErrAppealTooSoon.WithRetryAfter(last.AnsweredAt.Add(appealPause).Sub(now))
	}
	return nil
}

// OwnDecision is a decision as its player sees it.
type OwnDecision struct {
	Decision
	// Appeal is the last one, or nil.
	Appeal    *Appeal
	MayAppeal bool
}

// DeskAppeal is an appeal as moderators see it.
type DeskAppeal struct {
	Appeal
	Decision  Decision
	MayAnswer bool
}

// AppealOutcome is what a moderator answers to an appeal, as the API names it.
type AppealOutcome string

// The outcomes of answers. A question leaves the appeal open.
const (
	OutcomeGranted AppealOutcome = "granted"
	OutcomeKept    AppealOutcome = "kept"
	OutcomeAsked   AppealOutcome = "asked"
)
