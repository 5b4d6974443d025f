package moderation

import (
	"context"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

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

// maxOwnDecisions bounds the decisions that are listed of a player.
const maxOwnDecisions = 100

// OwnDecisions returns the newest decisions about the actor.
func (a *Appeals) OwnDecisions(ctx context.Context, by access.Actor) ([]OwnDecision, error) {
	by, err := authorize(ctx, by, access.ReadOwnDecisions, a.Desk.Things.Players)
	if err != nil {
		return nil, err
	}
	decisions, err := a.Desk.Decisions.OwnDecisions(ctx, by.ID, maxOwnDecisions)
	if err != nil {
		return nil, err
	}
	return a.withAppeals(ctx, decisions)
}

// OwnDecision returns a decision about the actor, or ErrDecisionUnknown.
func (a *Appeals) OwnDecision(ctx context.Context, by access.Actor, id string) (OwnDecision, error) {
	by, err := authorize(ctx, by, access.ReadOwnDecisions, a.Desk.Things.Players)
	if err != nil {
		return OwnDecision{}, err
	}
	d, err := a.ownDecision(ctx, by, id)
	if err != nil {
		return OwnDecision{}, err
	}
	own, err := a.withAppeals(ctx, []Decision{d})
	if err != nil {
		return OwnDecision{}, err
	}
	return own[0], nil
}

// ownDecision returns a decision about a player, or ErrDecisionUnknown.
func (a *Appeals) ownDecision(ctx context.Context, by access.Actor, id string) (Decision, error) {
	if !event.IsID(id) {
		return Decision{}, ErrDecisionUnknown
	}
	d, err := a.Desk.Decisions.Decision(ctx, id)
	if err == nil && (d.Subject.PlayerID != by.ID || !d.ConcernsSubject()) {
		err = ErrDecisionUnknown
	}
	return d, err
}

// withAppeals returns decisions as their player sees them, in the same order.
func (a *Appeals) withAppeals(ctx context.Context, decisions []Decision) ([]OwnDecision, error) {
	ids := make([]string, len(decisions))
	for i, d := range decisions {
		ids[i] = d.ID
	}
	appeals, err := a.Store.LastAppeals(ctx, ids)
	if err != nil {
		return nil, err
	}
	own := make([]OwnDecision, len(decisions))
	for i, d := range decisions {
		last := appeals[d.ID]
		own[i] = OwnDecision{Decision: d, Appeal: last, MayAppeal: CheckAppeal(d, last, a.Desk.Now()) == nil}
	}
	return own, nil
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
