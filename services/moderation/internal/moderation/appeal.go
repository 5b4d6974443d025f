package moderation

import (
	"context"
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

// AppealFilter selects a page of appeals.
type AppealFilter struct {
	Open          bool
	Offset, Limit int
}

// AppealStore stores appeals.
type AppealStore interface {
	// Appeal returns an appeal, or ErrAppealUnknown.
	Appeal(ctx context.Context, id string) (Appeal, error)
	// LastAppeals returns the newest appeal against each of the decisions, by the decision's id. A decision without an
	// appeal is left out.
	LastAppeals(ctx context.Context, decisionIDs []string) (map[string]*Appeal, error)
	// Appeals returns a page of appeals, and the number of all that the filter selects.
	Appeals(ctx context.Context, f AppealFilter) ([]Appeal, int64, error)
	// AddAppeal adds an appeal with its first message. It returns an error of CheckAppeal.
	AddAppeal(ctx context.Context, a Appeal, by access.Attribution) error
	// AddAppealMessage adds a message of the player to an open appeal, unless it is repeated. It returns ErrAppealUnknown,
	// or an error of Appeal.CheckMessage.
	AddAppealMessage(ctx context.Context, appealID string, m AppealMessage) (Appeal, error)
	// AnswerAppeal locks an appeal and stores what Appeal.Answer returns. Its errors are those, and ErrAppealUnknown.
	AnswerAppeal(ctx context.Context, id string, m AppealMessage, outcome AppealOutcome, by access.Attribution) error
	// Moderators returns the ids of at most limit moderators and admins who are not banned.
	Moderators(ctx context.Context, limit int) ([]string, error)
}

// Appeals is what players and moderators do with appeals. All its methods return access.ErrForbidden, ErrPlayerUnknown,
// or a problem of kind unavailable. Banned players see decisions about themselves, and appeal.
type Appeals struct {
	Store AppealStore
	Desk  *Desk
}

// Appeal appeals against a decision about the actor. It returns ErrDecisionUnknown, ErrAppealText,
// ErrAppealNotApplicable, ErrAppealExists or ErrAppealTooSoon.
func (a *Appeals) Appeal(ctx context.Context, by access.Actor, decisionID, text string) (Appeal, error) {
	by, err := authorize(ctx, by, access.Appeal, a.Desk.Things.Players)
	if err != nil {
		return Appeal{}, err
	}
	if text, err = checkText(text, minText, maxLongText, ErrAppealText); err != nil {
		return Appeal{}, err
	}
	d, err := a.ownDecision(ctx, by, decisionID)
	if err != nil {
		return Appeal{}, err
	}
	appeals, err := a.Store.LastAppeals(ctx, []string{d.ID})
	if err != nil {
		return Appeal{}, err
	}
	now, last := a.Desk.Now(), appeals[d.ID]
	if last != nil && last.State == AppealOpen && len(last.Messages) == 1 && last.IsRepeated(false, text) {
		return *last, nil
	}
	if err := CheckAppeal(d, last, now); err != nil {
		return Appeal{}, err
	}
	appeal := Appeal{
		ID: a.Desk.NewID(), DecisionID: d.ID, PlayerID: by.ID, State: AppealOpen, WaitingSince: now,
		Messages: []AppealMessage{{ID: a.Desk.NewID(), Text: text, At: now}},
	}
	return appeal, a.Store.AddAppeal(ctx, appeal, access.Attribution{Actor: by, DecisionID: d.ID})
}

// AddMessage adds to an open appeal of the actor. It returns ErrAppealText, ErrAppealUnknown, ErrAppealAnswered or
// ErrAppealMessagesFull.
func (a *Appeals) AddMessage(ctx context.Context, by access.Actor, id, text string) (Appeal, error) {
	by, err := authorize(ctx, by, access.Appeal, a.Desk.Things.Players)
	if err != nil {
		return Appeal{}, err
	}
	if text, err = checkText(text, minText, maxLongText, ErrAppealText); err != nil {
		return Appeal{}, err
	}
	appeal, err := a.find(ctx, id)
	if err == nil && appeal.PlayerID != by.ID {
		err = ErrAppealUnknown
	}
	if err != nil {
		return Appeal{}, err
	}
	return a.Store.AddAppealMessage(ctx, id, AppealMessage{ID: a.Desk.NewID(), Text: text, At: a.Desk.Now()})
}

func (a *Appeals) find(ctx context.Context, id string) (Appeal, error) {
	if !event.IsID(id) {
		return Appeal{}, ErrAppealUnknown
	}
	return a.Store.Appeal(ctx, id)
}
