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
	// enoughModerators is how many moderators have to be known, so that one of them is neither who has decided nor the
	// subject of the decision.
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

// IsAppealable reports whether there is an appeal against a decision.
func (d Decision) IsAppealable() bool {
	return d.State == CarriedOut && d.UndoneBy == "" && slices.Contains(punishments, d.Kind)
}

// checkAppeal returns why a player cannot appeal against a decision now, where last is the player's last appeal against
// it, if there is one.
func checkAppeal(d Decision, last *Appeal, now time.Time) error {
	switch {
	case !d.IsAppealable():
		return ErrAppealNotApplicable
	case last == nil:
		return nil
	case last.State == AppealOpen:
		return ErrAppealExists.WithData("_id", last.ID)
	case now.Before(last.AnsweredAt.Add(appealPause)):
		return ErrAppealTooSoon
	}
	return nil
}

// checkAnswer returns ErrConflict where a moderator should not answer an appeal against a decision: its subject never
// does, and who has decided only where there is no other moderator. The moderators are all that there are, or
// enoughModerators of them.
func checkAnswer(moderatorID string, d Decision, moderators []string) error {
	isOther := func(id string) bool { return id != d.ByID && id != d.PlayerID }
	if moderatorID == d.PlayerID || moderatorID == d.ByID && slices.ContainsFunc(moderators, isOther) {
		return ErrConflict
	}
	return nil
}

// OwnDecision is a decision as its subject sees it.
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
	LastAppeals(ctx context.Context, decisionIDs []string) (map[string]Appeal, error)
	// Appeals returns a page of appeals, and the number of all that the filter selects.
	Appeals(ctx context.Context, f AppealFilter) ([]Appeal, int64, error)
	// AddAppeal adds an appeal with its first message. It returns ErrAppealExists.
	AddAppeal(ctx context.Context, a Appeal, by access.Attribution) error
	// AddAppealMessage adds a message of the player to an open appeal. It returns ErrAppealUnknown, or an error of
	// Appeal.CheckMessage.
	AddAppealMessage(ctx context.Context, appealID string, m AppealMessage) (Appeal, error)
	// AskBack adds a question of a moderator to an open appeal, which stays open. Its errors are those of
	// AddAppealMessage.
	AskBack(ctx context.Context, appealID string, m AppealMessage, by access.Attribution) error
	// KeepDecision answers an open appeal without a change. It returns ErrAppealUnknown or ErrAppealAnswered.
	KeepDecision(ctx context.Context, appealID string, m AppealMessage, by access.Attribution) error
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
	by, err := authorizeBanned(ctx, a.Desk.Things.Players, by, access.ReadOwnDecisions)
	if err != nil {
		return nil, err
	}
	decisions, err := a.Desk.Decisions.DecisionsAbout(ctx, by.ID, maxOwnDecisions)
	if err != nil {
		return nil, err
	}
	decisions = slices.DeleteFunc(decisions, func(d Decision) bool { return !d.concernsSubject() })
	return a.withAppeals(ctx, decisions)
}

// OwnDecision returns a decision about the actor, or ErrDecisionUnknown.
func (a *Appeals) OwnDecision(ctx context.Context, by access.Actor, id string) (OwnDecision, error) {
	by, err := authorizeBanned(ctx, a.Desk.Things.Players, by, access.ReadOwnDecisions)
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
	if err == nil && (d.PlayerID != by.ID || !d.concernsSubject()) {
		err = ErrDecisionUnknown
	}
	return d, err
}

// concernsSubject reports whether a decision gave its subject something or took it away.
func (d Decision) concernsSubject() bool { return d.Kind != Dismiss && d.Kind != Reopen }

// withAppeals returns decisions as their subject sees them, in the same order.
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
		last := lastAppeal(appeals, d.ID)
		own[i] = OwnDecision{Decision: d, Appeal: last, MayAppeal: checkAppeal(d, last, a.Desk.Now()) == nil}
	}
	return own, nil
}

func lastAppeal(appeals map[string]Appeal, decisionID string) *Appeal {
	if appeal, ok := appeals[decisionID]; ok {
		return &appeal
	}
	return nil
}

// Appeal appeals against a decision about the actor. It returns ErrDecisionUnknown, ErrAppealText,
// ErrAppealNotApplicable, ErrAppealExists or ErrAppealTooSoon.
func (a *Appeals) Appeal(ctx context.Context, by access.Actor, decisionID, text string) (Appeal, error) {
	by, err := authorizeBanned(ctx, a.Desk.Things.Players, by, access.Appeal)
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
	now := a.Desk.Now()
	if err := checkAppeal(d, lastAppeal(appeals, d.ID), now); err != nil {
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
	by, err := authorizeBanned(ctx, a.Desk.Things.Players, by, access.Appeal)
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
	attribution, err := authorize(ctx, a.Desk.Things.Players, access.Attribution{Actor: by}, access.ReadDesk)
	if err != nil {
		return nil, 0, err
	}
	appeals, total, err := a.Store.Appeals(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	list, err := a.views(ctx, attribution.Actor.ID, appeals)
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
		mayAnswer := appeal.State == AppealOpen && checkAnswer(moderatorID, d, moderators) == nil
		list[i] = DeskAppeal{Appeal: appeal, Decision: d, MayAnswer: mayAnswer}
	}
	return list, nil
}

// AppealOutcome is what a moderator answers to an appeal, as the API names it.
type AppealOutcome string

// The outcomes of answers. A question leaves the appeal open.
const (
	OutcomeGranted AppealOutcome = "granted"
	OutcomeKept    AppealOutcome = "kept"
	OutcomeAsked   AppealOutcome = "asked"
)

// Answer answers an open appeal: where it is granted, by undoing the decision. It returns ErrAppealUnknown,
// ErrAppealAnswered, ErrConflict, ErrDecisionText or ErrDecisionFinal, and for a question ErrAppealAsked or
// ErrAppealQuestionsFull.
func (a *Appeals) Answer(
	ctx context.Context, by access.Actor, id string, outcome AppealOutcome, text string,
) (DeskAppeal, error) {
	attribution, err := authorize(ctx, a.Desk.Things.Players, access.Attribution{Actor: by}, access.AnswerAppeal)
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
	if err := checkAnswer(attribution.Actor.ID, d, moderators); err != nil {
		return DeskAppeal{}, err
	}
	if outcome != OutcomeGranted { // undoing checks it, too
		if _, _, err := a.Desk.thingToJudge(ctx, attribution.Actor, d); err != nil && !isNotFound(err) {
			return DeskAppeal{}, err
		}
	}
	message := AppealMessage{ID: a.Desk.NewID(), FromModerator: true, Text: text, At: a.Desk.Now()}
	answer := attribution
	answer.Reason, answer.DecisionID = access.Reason(text), d.ID
	switch outcome {
	case OutcomeGranted:
		_, err = a.Desk.undo(ctx, attribution, d, access.Mistake, text)
	case OutcomeKept:
		err = a.Store.KeepDecision(ctx, id, message, answer)
	case OutcomeAsked:
		err = a.Store.AskBack(ctx, id, message, answer)
	}
	if err != nil {
		return DeskAppeal{}, err
	}
	if appeal, err = a.Store.Appeal(ctx, id); err != nil {
		return DeskAppeal{}, err
	}
	views, err := a.views(ctx, attribution.Actor.ID, []Appeal{appeal})
	if err != nil {
		return DeskAppeal{}, err
	}
	return views[0], nil
}
