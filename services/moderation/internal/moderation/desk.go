package moderation

import (
	"context"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Assignment selects cases by who has claimed them, as the API names it.
type Assignment string

// The assignments of open cases.
const (
	AssignedMine    Assignment = "mine"
	AssignedFree    Assignment = "free"
	AssignedClaimed Assignment = "claimed"
)

// CaseFilter selects a page of cases. Empty fields select all.
type CaseFilter struct {
	Kind     SubjectKind
	State    CaseState
	Assigned Assignment
	// PlayerID is who asks, for AssignedMine.
	PlayerID string
	ByAge    bool
	// Now is the time at which claims have ended.
	Now           time.Time
	Offset, Limit int
}

// CaseFile is a case with what was reported.
type CaseFile struct {
	Case
	Reported []Report
	Flagged  []Flag
}

// reporters returns the ids of the players who have reported the case.
func (f CaseFile) reporters() []string {
	ids := make([]string, len(f.Reported))
	for i, r := range f.Reported {
		ids[i] = r.ReporterID
	}
	return ids
}

// CaseView is a case with all that a decision needs.
type CaseView struct {
	CaseFile
	// Thing is the subject as it is now. Of a record whose service cannot be asked it has no Record, and RecordUnavailable
	// is true.
	Thing             Thing
	RecordUnavailable bool
	// Decisions are of this case, History the earlier ones about the same player.
	Decisions, History []Decision
	OtherCases         []Case
	Allowed            []DecisionKind
	Conflict           Conflict
}

// maxHistory bounds the decisions and the cases that are shown of a player.
const maxHistory = 50

// CaseStore stores cases and claims.
type CaseStore interface {
	// Cases returns a page of cases, and the number of all that the filter selects.
	Cases(ctx context.Context, f CaseFilter) ([]Case, int64, error)
	// CaseFile returns a case, or ErrCaseUnknown. A claim that has ended at the time is left out.
	CaseFile(ctx context.Context, id string, now time.Time) (CaseFile, error)
	// Reporters returns who has ever reported a thing.
	Reporters(ctx context.Context, kind SubjectKind, id string) ([]string, error)
	// CasesAbout returns the newest cases about a player.
	CasesAbout(ctx context.Context, playerID string, now time.Time, limit int) ([]Case, error)
	// Claim gives an open case to the actor, unless another one's claim lasts at the time and takeOver is false. It
	// returns ErrCaseUnknown, ErrCaseClosed, or ErrCaseClaimed with the claim. A new claim is audited with note.
	Claim(ctx context.Context, id string, by access.Attribution, now time.Time, takeOver bool, note map[string]any,
	) (Claim, error)
	// Release ends a claim of the player.
	Release(ctx context.Context, id, playerID string) error
}

// DecisionStore stores decisions.
type DecisionStore interface {
	// Decision returns a decision, or ErrDecisionUnknown.
	Decision(ctx context.Context, id string) (Decision, error)
	// Decisions returns decisions by their ids.
	Decisions(ctx context.Context, ids []string) (map[string]Decision, error)
	// DecisionsOfCase and DecisionsAbout return the newest decisions of a case, and about a player.
	DecisionsOfCase(ctx context.Context, caseID string, limit int) ([]Decision, error)
	DecisionsAbout(ctx context.Context, playerID string, limit int) ([]Decision, error)
	// Decide stores a decision with its first command and its audit row, and closes its case, which has to be claimed by
	// the actor. A decision without commands is carried out at once. It returns ErrCaseUnknown, ErrCaseClosed,
	// ErrCaseNotClaimed, ErrCaseClaimed, or ErrCaseOpen for a decision without a case about something with an open one.
	Decide(ctx context.Context, d Decision, by access.Attribution, note map[string]any) (Decision, error)
	// Undo stores a decision that undoes another one, and grants the open appeal against that one with an answer.
	// needsNone is true where nothing is left to change, and note is what the audit log says besides. It returns
	// ErrDecisionFinal where the other one was undone meanwhile, or a later decision holds instead of it.
	Undo(ctx context.Context, d Decision, by access.Attribution, note map[string]any, needsNone bool) (Decision, error)
}

// Desk is what moderators see and do. All its methods return access.ErrForbidden for whom it is not for, or a problem
// of kind unavailable. A decision is returned when it is carried out or refused, or after Wait.
type Desk struct {
	Cases     CaseStore
	Decisions DecisionStore
	Things    *Things
	Now       func() time.Time
	NewID     func() string
	// Wait is how long a request waits for a decision.
	Wait time.Duration
}

// List returns a page of cases, and the number of all.
func (d *Desk) List(ctx context.Context, by access.Actor, f CaseFilter) ([]Case, int64, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.ReadDesk)
	if err != nil {
		return nil, 0, err
	}
	f.PlayerID, f.Now = attribution.Actor.ID, d.Now()
	return d.Cases.Cases(ctx, f)
}

// Case returns a case with all that a decision needs, or ErrCaseUnknown.
func (d *Desk) Case(ctx context.Context, by access.Actor, id string) (CaseView, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.ReadDesk)
	if err != nil {
		return CaseView{}, err
	}
	file, err := d.file(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	view := CaseView{CaseFile: file, Thing: Thing{Subject: file.Subject}}
	thing, err := d.Things.Get(ctx, file.Kind, file.Subject.ID)
	switch {
	case err == nil:
		view.Thing = thing
		view.Allowed = Allowed(thing, file.State == CaseOpen, isAdmin(attribution.Actor))
		view.Conflict = FindConflict(attribution.Actor.ID, thing, file.reporters())
	case problem.From(err).Kind == problem.KindUnavailable:
		view.RecordUnavailable = file.Kind == OfRecord
	case !isNotFound(err):
		return CaseView{}, err
	}
	if view.Decisions, err = d.Decisions.DecisionsOfCase(ctx, id, maxHistory); err != nil || file.PlayerID == "" {
		return view, err
	}
	if view.History, err = d.Decisions.DecisionsAbout(ctx, file.PlayerID, maxHistory); err != nil {
		return CaseView{}, err
	}
	view.History = slices.DeleteFunc(view.History, func(h Decision) bool { return h.CaseID == id })
	view.OtherCases, err = d.Cases.CasesAbout(ctx, file.PlayerID, d.Now(), maxHistory+1)
	view.OtherCases = slices.DeleteFunc(view.OtherCases, func(c Case) bool { return c.ID == id })
	return view, err
}

// file returns a case, or ErrCaseUnknown.
func (d *Desk) file(ctx context.Context, id string) (CaseFile, error) {
	if !event.IsID(id) {
		return CaseFile{}, ErrCaseUnknown
	}
	return d.Cases.CaseFile(ctx, id, d.Now())
}

// Claim gives an open case to the actor for ClaimPeriod. With override an admin takes over a case that another one has
// claimed, and one in which there is a conflict of interest. It returns ErrCaseUnknown, ErrCaseClosed, ErrCaseClaimed
// with the claim, or ErrConflict.
func (d *Desk) Claim(ctx context.Context, by access.Actor, id string, override bool) (Claim, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.ClaimCase)
	if err != nil {
		return Claim{}, err
	}
	file, err := d.file(ctx, id)
	if err != nil {
		return Claim{}, err
	}
	override = override && isAdmin(attribution.Actor)
	conflict, err := d.conflict(ctx, attribution.Actor, file, override)
	if err != nil {
		return Claim{}, err
	}
	return d.Cases.Claim(ctx, id, attribution, d.Now(), override, noteOf(conflict))
}

// conflict returns the conflict of interest that an actor has in a case and may overrule, or ErrConflict. Without the
// record's neighbours nothing is known, except where the actor may overrule a conflict anyway.
func (d *Desk) conflict(ctx context.Context, by access.Actor, file CaseFile, override bool) (Conflict, error) {
	thing, err := d.Things.Get(ctx, file.Kind, file.Subject.ID)
	switch {
	case err == nil:
	case isNotFound(err) || override:
		thing = Thing{Subject: file.Subject}
	default:
		return "", err
	}
	conflict := FindConflict(by.ID, thing, file.reporters())
	return conflict, checkConflict(by, conflict, override)
}

// Release gives a case back.
func (d *Desk) Release(ctx context.Context, by access.Actor, id string) error {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.ClaimCase)
	if err != nil {
		return err
	}
	if !event.IsID(id) {
		return ErrCaseUnknown
	}
	return d.Cases.Release(ctx, id, attribution.Actor.ID)
}

// DecideCase decides a case that the actor has claimed. It returns an error of DecisionStore.Decide or of Choice.check,
// ErrCaseUnknown, ErrConflict or ErrNotApplicable.
func (d *Desk) DecideCase(ctx context.Context, by access.Actor, caseID string, c Choice) (Decision, error) {
	attribution, err := d.authorizeDecision(ctx, by, c.Kind)
	if err != nil {
		return Decision{}, err
	}
	file, err := d.file(ctx, caseID)
	if err != nil {
		return Decision{}, err
	}
	if file.State == CaseClosed {
		return Decision{}, ErrCaseClosed
	}
	return d.decide(ctx, attribution, file.Kind, file.Subject.ID, file.ID, file.reporters(), c)
}

// Decide decides about a thing without a case. It returns an error of DecisionStore.Decide or of Choice.check,
// ErrSubjectUnknown, ErrConflict or ErrNotApplicable.
func (d *Desk) Decide(ctx context.Context, by access.Actor, kind SubjectKind, id string, c Choice) (Decision, error) {
	attribution, err := d.authorizeDecision(ctx, by, c.Kind)
	if err != nil {
		return Decision{}, err
	}
	reporters, err := d.Cases.Reporters(ctx, kind, id)
	if err != nil {
		return Decision{}, err
	}
	return d.decide(ctx, attribution, kind, id, "", reporters, c)
}

// authorizeDecision returns the attribution of a decision. Only admins merge players.
func (d *Desk) authorizeDecision(
	ctx context.Context, by access.Actor, kind DecisionKind,
) (access.Attribution, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.Decide)
	if err == nil && kind == Merge {
		err = attribution.Actor.Require(access.MergePlayer)
	}
	return attribution, err
}

// decide decides about a thing. The caseID is empty without a case.
func (d *Desk) decide(
	ctx context.Context, by access.Attribution, kind SubjectKind, id, caseID string, reporters []string, c Choice,
) (Decision, error) {
	thing, err := d.Things.Get(ctx, kind, id)
	if err != nil {
		return Decision{}, err
	}
	conflict := FindConflict(by.Actor.ID, thing, reporters)
	if err := checkConflict(by.Actor, conflict, c.Override); err != nil {
		return Decision{}, err
	}
	if !slices.Contains(Allowed(thing, caseID != "", isAdmin(by.Actor)), c.Kind) {
		return Decision{}, ErrNotApplicable
	}
	if c, err = c.check(thing, d.Now()); err != nil {
		return Decision{}, err
	}
	if c.Kind == Merge {
		into, err := d.Things.Players.Get(ctx, c.IntoID)
		if err != nil {
			return Decision{}, err
		}
		if c.IntoID = into.ID; into.ID == thing.PlayerID {
			return Decision{}, ErrMergeInto
		}
	}
	decision := Decision{
		ID: d.NewID(), Kind: c.Kind, Subject: thing.Subject, ByID: by.Actor.ID, PublicReason: c.PublicReason, Text: c.Text,
		Until: c.Until, KeepRecords: c.KeepRecords, IntoID: c.IntoID, CaseID: caseID, At: d.Now(),
	}
	stored, err := d.Decisions.Decide(ctx, decision, decision.attribution(by), noteOf(conflict))
	if err != nil {
		return Decision{}, err
	}
	return d.await(ctx, stored)
}

// attribution returns who makes the decision and why, for its commands.
func (d Decision) attribution(by access.Attribution) access.Attribution {
	by.Reason, by.PublicReason, by.DecisionID = access.Reason(d.Text), d.PublicReason, d.ID
	return by
}

// Undo undoes a decision. It returns ErrDecisionUnknown, ErrDecisionFinal also where another decision has overtaken it,
// ErrConflict, or an error of Choice.check. Admins overrule a conflict of interest, except in what concerns themselves.
func (d *Desk) Undo(
	ctx context.Context, by access.Actor, id string, reason access.PublicReason, text string,
) (Decision, error) {
	attribution, err := authorize(ctx, d.Things.Players, access.Attribution{Actor: by}, access.UndoDecision)
	if err != nil {
		return Decision{}, err
	}
	if !event.IsID(id) {
		return Decision{}, ErrDecisionUnknown
	}
	undone, err := d.Decisions.Decision(ctx, id)
	if err != nil {
		return Decision{}, err
	}
	return d.undo(ctx, attribution, undone, reason, text)
}

func (d *Desk) undo(
	ctx context.Context, by access.Attribution, undone Decision, reason access.PublicReason, text string,
) (Decision, error) {
	now := d.Now()
	if !undone.IsUndoable(now) {
		return Decision{}, ErrDecisionFinal
	}
	thing, conflict, err := d.thingToJudge(ctx, by.Actor, undone)
	if err != nil {
		return Decision{}, err
	}
	isOver := !undone.isInForce(thing, now)
	c := Choice{Kind: inverses[undone.Kind], PublicReason: reason, Text: text, KeepRecords: undone.KeepRecords}
	if !isOver {
		c.Until = undone.Until
	}
	if c, err = c.check(thing, now); err != nil {
		return Decision{}, err
	}
	c.Until = undone.Until
	if !isOver && undone.IsSwitch() && !slices.Contains(Allowed(thing, false, false), c.Kind) {
		return Decision{}, ErrDecisionFinal
	}
	decision := Decision{
		ID: d.NewID(), Kind: c.Kind, Subject: undone.Subject, ByID: by.Actor.ID, PublicReason: c.PublicReason, Text: c.Text,
		Until: c.Until, KeepRecords: c.KeepRecords, CaseID: undone.CaseID, Undoes: undone.ID, At: now,
	}
	decision.PlayerID = thing.PlayerID
	stored, err := d.Decisions.Undo(ctx, decision, decision.attribution(by), noteOf(conflict), isOver)
	if err != nil {
		return Decision{}, err
	}
	return d.await(ctx, stored)
}

// thingToJudge returns what a decision is about, for who undoes it or answers an appeal against it, and the conflict of
// interest that the actor overrules. It returns ErrConflict.
func (d *Desk) thingToJudge(ctx context.Context, by access.Actor, about Decision) (Thing, Conflict, error) {
	if about.PlayerID == by.ID {
		return Thing{}, "", ErrConflict.WithData("conflict", OwnCase)
	}
	thing, err := d.Things.Get(ctx, about.Subject.Kind, about.Subject.ID)
	if err != nil {
		return Thing{}, "", err
	}
	reporters, err := d.Cases.Reporters(ctx, about.Subject.Kind, about.Subject.ID)
	if err != nil {
		return Thing{}, "", err
	}
	conflict := FindConflict(by.ID, thing, reporters)
	return thing, conflict, checkConflict(by, conflict, true)
}

// pollEvery is how often await looks.
const pollEvery = 40 * time.Millisecond

// await returns the decision when it is carried out or refused, or as it is after d.Wait. What was decided stays
// decided also where the caller has left.
func (d *Desk) await(ctx context.Context, decision Decision) (Decision, error) {
	deadline, cancel := context.WithTimeout(ctx, d.Wait)
	defer cancel()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for decision.State == Pending {
		select {
		case <-deadline.Done():
			return decision, nil
		case <-ticker.C:
		}
		now, err := d.Decisions.Decision(ctx, decision.ID)
		if err != nil {
			return Decision{}, err
		}
		decision = now
	}
	return decision, nil
}

func isAdmin(a access.Actor) bool { return slices.Contains(a.Roles, access.Admin) }

// noteOf returns what the audit log says of an overruled conflict.
func noteOf(conflict Conflict) map[string]any {
	if conflict == "" {
		return map[string]any{}
	}
	return map[string]any{"conflictOverruled": conflict}
}
