package moderation

import (
	"context"
	"slices"
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

// isRepeated reports whether the last message of an appeal is the same one from the same side, which is sent again
// because its answer was lost.
func (a Appeal) isRepeated(fromModerator bool, text string) bool {
	if len(a.Messages) == 0 {
		return false
	}
	last := a.Messages[len(a.Messages)-1]
	return last.FromModerator == fromModerator && last.Text == text
}

// AddMessage returns the appeal with another message of its player, or as it is where the last one is sent again. It
// returns ErrAppealUnknown for another player's appeal, ErrAppealAnswered or ErrAppealMessagesFull.
func (a Appeal) AddMessage(by access.Attribution, m AppealMessage) (Changed[Appeal], error) {
	switch {
	case a.PlayerID != by.Actor.ID:
		return Changed[Appeal]{}, ErrAppealUnknown
	case a.State == AppealOpen && a.isRepeated(false, m.Text):
		return Changed[Appeal]{Value: a, IsRepeated: true}, nil
	}
	if err := a.checkMessage(false); err != nil {
		return Changed[Appeal]{}, err
	}
	if a.WaitingSince.IsZero() {
		a.WaitingSince = m.At
	}
	a.Messages = slices.Concat(a.Messages, []AppealMessage{m})
	return Changed[Appeal]{Value: a}, nil
}

// checkMessage returns why the player cannot send another message, or a moderator cannot ask back: ErrAppealAnswered,
// ErrAppealMessagesFull, ErrAppealAsked or ErrAppealQuestionsFull. The messages are in the order in which they were
// sent.
func (a Appeal) checkMessage(fromModerator bool) error {
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
	// AddAppeal locks a decision and stores what OwnDecision.AddAppeal returns. Its errors are those, and
	// access.ErrDeleted.
	AddAppeal(ctx context.Context, by access.Attribution, a Appeal) (Appeal, error)
	// AddAppealMessage locks an appeal and stores what Appeal.AddMessage returns. Its errors are those, and
	// access.ErrDeleted.
	AddAppealMessage(ctx context.Context, by access.Attribution, id string, m AppealMessage) (Appeal, error)
	// AnswerAppeal locks an appeal and stores what Appeal.Answer returns. Its errors are those, ErrAppealUnknown and
	// access.ErrDeleted.
	AnswerAppeal(ctx context.Context, by access.Attribution, id string, state AppealState, m AppealMessage) error
	// Moderators returns the ids of at most limit moderators and admins who are not banned.
	Moderators(ctx context.Context, limit int) ([]string, error)
}

// Appeals is what players and moderators do with appeals. All its methods return access.ErrForbidden,
// access.ErrDeleted, or a problem of kind unavailable. Banned players see decisions about themselves, and appeal.
type Appeals struct {
	Store AppealStore
	Desk  *Desk
}

// Appeal appeals against a decision about the actor. It returns ErrDecisionUnknown, ErrAppealText,
// ErrAppealNotApplicable, ErrAppealExists or ErrAppealTooSoon.
func (a *Appeals) Appeal(ctx context.Context, by access.Attribution, decisionID, text string) (Appeal, error) {
	_, by, err := access.Authorize(ctx, by, access.Appeal, a.Desk.Things.Players.Get)
	if err != nil {
		return Appeal{}, err
	}
	if text, err = checkText(text, minText, maxLongText, ErrAppealText); err != nil {
		return Appeal{}, err
	}
	if !event.IsID(decisionID) {
		return Appeal{}, ErrDecisionUnknown
	}
	now := event.InMillis(a.Desk.Now())
	return a.Store.AddAppeal(ctx, by, Appeal{
		ID: a.Desk.NewID(), DecisionID: decisionID, State: AppealOpen, WaitingSince: now,
		Messages: []AppealMessage{{ID: a.Desk.NewID(), Text: text, At: now}},
	})
}

// AddMessage adds to an open appeal of the actor. It returns ErrAppealText, ErrAppealUnknown, ErrAppealAnswered or
// ErrAppealMessagesFull.
func (a *Appeals) AddMessage(ctx context.Context, by access.Attribution, id, text string) (Appeal, error) {
	_, by, err := access.Authorize(ctx, by, access.Appeal, a.Desk.Things.Players.Get)
	if err != nil {
		return Appeal{}, err
	}
	if text, err = checkText(text, minText, maxLongText, ErrAppealText); err != nil {
		return Appeal{}, err
	}
	if !event.IsID(id) {
		return Appeal{}, ErrAppealUnknown
	}
	message := AppealMessage{ID: a.Desk.NewID(), Text: text, At: event.InMillis(a.Desk.Now())}
	return a.Store.AddAppealMessage(ctx, by, id, message)
}
