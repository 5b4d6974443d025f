package moderation

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// AppealOutcome is what a moderator answers to an appeal, as the API names it.
type AppealOutcome string

// The outcomes of answers. A question leaves the appeal open.
const (
	OutcomeGranted AppealOutcome = "granted"
	OutcomeKept    AppealOutcome = "kept"
	OutcomeAsked   AppealOutcome = "asked"
)

// DeskAppeal is an appeal as moderators see it.
type DeskAppeal struct {
	Appeal
	Decision  Decision
	MayAnswer bool
}

// List returns a page of appeals for moderators, and the number of all.
func (a *Appeals) List(ctx context.Context, by access.Actor, f AppealFilter) ([]DeskAppeal, int64, error) {
	by, err := authorize(ctx, by, access.ReadDesk, a.Desk.Things.Players)
	if err != nil {
		return nil, 0, err
	}
	appeals, total, err := a.Store.Appeals(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	list, err := a.views(ctx, by.ID, appeals)
	return list, total, err
}

// views returns appeals as a moderator sees them, in the same order.
func (a *Appeals) views(ctx context.Context, moderatorID string, appeals []Appeal) ([]DeskAppeal, error) {
	ids := make([]string, len(appeals))
	for i, appeal := range appeals {
		ids[i] = appeal.DecisionID
	}
	decisions, err := a.Desk.Decisions.Decisions(ctx, ids)
	if err != nil {
		return nil, err
	}
	moderators, err := a.Store.Moderators(ctx, enoughModerators)
	if err != nil {
		return nil, err
	}
	list := make([]DeskAppeal, len(appeals))
	for i, appeal := range appeals {
		d := decisions[appeal.DecisionID]
		_, err := checkConflict(access.Player(moderatorID, "", nil), Parties{
			Others: []string{d.Subject.PlayerID}, IsReview: true, BarredModerator: barredModerator(d, moderators),
		}, true)
		list[i] = DeskAppeal{Appeal: appeal, Decision: d, MayAnswer: appeal.State == AppealOpen && err == nil}
	}
	return list, nil
}

// Answer answers an open appeal: where it is granted, by undoing the decision. It returns ErrAppealUnknown,
// ErrAppealAnswered, ErrConflict, ErrDecisionText or ErrDecisionFinal, and for a question ErrAppealAsked or
// ErrAppealQuestionsFull.
func (a *Appeals) Answer(
	ctx context.Context, by access.Actor, id string, outcome AppealOutcome, text string,
) (DeskAppeal, error) {
	by, err := authorize(ctx, by, access.AnswerAppeal, a.Desk.Things.Players)
	if err != nil {
		return DeskAppeal{}, err
	}
	if text, err = checkText(text, minDecisionText, maxDecisionText, ErrDecisionText); err != nil {
		return DeskAppeal{}, err
	}
	appeal, err := a.find(ctx, id)
	switch {
	case err != nil:
		return DeskAppeal{}, err
	case appeal.State == stateAfter(outcome) && appeal.IsRepeated(true, text):
		return a.view(ctx, by.ID, id)
	case appeal.State != AppealOpen:
		return DeskAppeal{}, ErrAppealAnswered
	}
	d, err := a.Desk.Decisions.Decision(ctx, appeal.DecisionID)
	if err != nil {
		return DeskAppeal{}, err
	}
	moderators, err := a.Store.Moderators(ctx, enoughModerators)
	if err != nil {
		return DeskAppeal{}, err
	}
	parties, err := a.Desk.reviewParties(ctx, d)
	if err != nil && !problem.IsNotFound(err) {
		return DeskAppeal{}, err
	}
	parties.BarredModerator = barredModerator(d, moderators)
	if _, err := checkConflict(by, parties, true); err != nil {
		return DeskAppeal{}, err
	}
	message := AppealMessage{ID: a.Desk.NewID(), FromModerator: true, Text: text, At: a.Desk.Now()}
	answer := access.Attribution{Actor: by}
	answer.Reason, answer.DecisionID = access.Reason(text), d.ID
	if outcome == OutcomeGranted {
		_, err = a.Desk.undo(ctx, by, d, Choice{PublicReason: access.Mistake, Text: text}, appeal.ID)
	} else {
		err = a.Store.AnswerAppeal(ctx, id, message, outcome, answer)
	}
	if err != nil {
		return DeskAppeal{}, err
	}
	return a.view(ctx, by.ID, id)
}

// view returns an appeal as a moderator sees it.
func (a *Appeals) view(ctx context.Context, moderatorID, id string) (DeskAppeal, error) {
	appeal, err := a.Store.Appeal(ctx, id)
	if err != nil {
		return DeskAppeal{}, err
	}
	views, err := a.views(ctx, moderatorID, []Appeal{appeal})
	if err != nil {
		return DeskAppeal{}, err
	}
	return views[0], nil
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

// stateAfter returns the state of an appeal after an outcome.
func stateAfter(outcome AppealOutcome) AppealState {
	if outcome == OutcomeAsked {
		return AppealOpen
	}
	return AppealState(outcome)
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
