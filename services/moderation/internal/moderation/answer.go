package moderation

import (
	"context"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// DeskAppeal is an appeal as moderators see it.
type DeskAppeal struct {
	Appeal
	Decision  DeskDecision
	MayAnswer bool
}

// List returns a page of appeals for moderators, and the number of all.
func (a *Appeals) List(ctx context.Context, by access.Actor, f AppealFilter) ([]DeskAppeal, int64, error) {
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadDesk, a.Desk.Things.Players.Get)
	if err != nil {
		return nil, 0, err
	}
	appeals, total, err := a.Store.Appeals(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	list, err := a.views(ctx, reader.Actor.ID, appeals)
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
		d := decisions[appeal.DecisionID].seenAt(a.Desk.Now())
		_, err := checkConflict(access.Player(moderatorID, "", nil), Parties{
			Others: []string{d.Subject.PlayerID}, IsReview: true, BarredModerator: barredModerator(d.Decision, moderators),
		}, true)
		list[i] = DeskAppeal{Appeal: appeal, Decision: d, MayAnswer: appeal.State == AppealOpen && err == nil}
	}
	return list, nil
}

// Answer answers an open appeal, which has the state after it: AppealGranted by undoing the decision, AppealKept, or
// AppealOpen by a question. It returns ErrAppealUnknown, ErrAppealAnswered, ErrConflict, ErrDecisionText or
// ErrDecisionFinal, and for a question ErrAppealAsked or ErrAppealQuestionsFull.
func (a *Appeals) Answer(
	ctx context.Context, by access.Attribution, id string, state AppealState, text string,
) (DeskAppeal, error) {
	_, by, err := access.Authorize(ctx, by, access.AnswerAppeal, a.Desk.Things.Players.Get)
	if err != nil {
		return DeskAppeal{}, err
	}
	if text, err = checkText(text, minDecisionText, maxDecisionText, ErrDecisionText); err != nil {
		return DeskAppeal{}, err
	}
	appeal, err := a.view(ctx, by.Actor.ID, id)
	switch {
	case err != nil:
		return DeskAppeal{}, err
	case appeal.State == state && appeal.isRepeated(true, text):
		return appeal, nil
	case appeal.State != AppealOpen:
		return DeskAppeal{}, ErrAppealAnswered
	}
	moderators, err := a.Store.Moderators(ctx, enoughModerators)
	if err != nil {
		return DeskAppeal{}, err
	}
	against := appeal.Decision.Decision
	parties, err := a.Desk.reviewParties(ctx, against)
	if err != nil && !problem.IsNotFound(err) {
		return DeskAppeal{}, err
	}
	parties.BarredModerator = barredModerator(against, moderators)
	if _, err := checkConflict(by.Actor, parties, true); err != nil {
		return DeskAppeal{}, err
	}
	if state == AppealGranted {
		_, err = a.Desk.undo(ctx, by, against, Choice{PublicReason: access.Mistake, Text: text}, id)
	} else {
		err = a.Store.AnswerAppeal(ctx, by, id, state, AppealMessage{
			ID: a.Desk.NewID(), FromModerator: true, Text: text, At: event.InMillis(a.Desk.Now()),
		})
	}
	if err != nil {
		return DeskAppeal{}, err
	}
	return a.view(ctx, by.Actor.ID, id)
}

// view returns an appeal as a moderator sees it, or ErrAppealUnknown.
func (a *Appeals) view(ctx context.Context, moderatorID, id string) (DeskAppeal, error) {
	if !event.IsID(id) {
		return DeskAppeal{}, ErrAppealUnknown
	}
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

// Answer returns the appeal after the message of a moderator, who keeps the decision or asks the player. It returns
// ErrAppealAnswered, and for a question ErrAppealAsked or ErrAppealQuestionsFull.
func (a Appeal) Answer(
	by access.Attribution, against Decision, state AppealState, m AppealMessage,
) (Changed[Appeal], error) {
	isQuestion := state == AppealOpen
	if a.State != AppealOpen {
		return Changed[Appeal]{}, ErrAppealAnswered
	}
	if err := a.checkMessage(true); isQuestion && err != nil {
		return Changed[Appeal]{}, err
	}
	by.Reason, by.DecisionID = access.Reason(m.Text), a.DecisionID
	fact := event.AppealAnswered{
		AppealID: a.ID, DecisionID: a.DecisionID, PlayerID: a.PlayerID, Decided: against.subject(), At: m.At,
	}
	entry := a.entry(by, against.Subject.ID, state)
	if isQuestion {
		fact.QuestionID, entry.After["asked"] = m.ID, true
	}
	return Changed[Appeal]{
		Value: a.answered(m, state), Facts: []event.Fact{fact}, Entries: []access.Entry{entry},
	}, nil
}

// answered returns the appeal after the message of a moderator, with the state that it has by it.
func (a Appeal) answered(m AppealMessage, state AppealState) Appeal {
	a.State, a.WaitingSince, a.Messages = state, time.Time{}, slices.Concat(a.Messages, []AppealMessage{m})
	if state != AppealOpen {
		a.AnsweredAt = m.At
	}
	return a
}

// reopened returns the appeal without an answer that is taken back, as one that waits since then.
func (a Appeal) reopened(answerID string, at time.Time) Appeal {
	a.State, a.WaitingSince, a.AnsweredAt = AppealOpen, at, time.Time{}
	a.Messages = slices.DeleteFunc(slices.Clone(a.Messages), func(m AppealMessage) bool { return m.ID == answerID })
	return a
}

// entry returns the row of the audit log of an answer to an open appeal, with the state that the appeal has by it.
func (a Appeal) entry(by access.Attribution, targetID string, state AppealState) access.Entry {
	return access.Entry{
		By: by, Action: access.AnswerAppeal, Target: targetID, Before: map[string]any{"appeal": AppealOpen},
		After: map[string]any{"appeal": state, "appealId": a.ID},
	}
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
