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

// CaseView is a case with all that a decision needs. Whom it concerns does not see who has reported what.
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
	// OwnDecisions is DecisionsAbout without those of KindsOfReports.
	OwnDecisions(ctx context.Context, playerID string, limit int) ([]Decision, error)
	// FindRepeated returns the decision that a request has made before which was sent again: the same moderator has
	// decided the same about the same in the last RepeatPeriod, and it was neither refused nor undone, nor decided about
	// again. It returns ErrDecisionUnknown where there is none.
	FindRepeated(ctx context.Context, d Decision) (Decision, error)
	// Decide stores a decision with its first command and its audit row, and closes its case, which has to be claimed by
	// the actor. A decision without commands is carried out at once. Of a repeated one that
	// is not carried out yet, or can be made several times, it returns the first. It returns
	// ErrCaseUnknown, ErrCaseClosed, ErrCaseNotClaimed, ErrCaseClaimed, ErrCaseOpen for a decision without a case about
	// something with an open one, or ErrNotApplicable about a player whose account was deleted meanwhile.
	Decide(ctx context.Context, d Decision, by access.Attribution, note map[string]any) (Decision, error)
	// Undo stores a decision that undoes another one, and grants the open appeal against that one with an answer.
	// appealID is the appeal that is answered by it, or empty, and needsNone is true where nothing is left to change. note
	// is what the audit log says besides. It returns ErrDecisionFinal where the other one was undone meanwhile, or a later
	// decision holds instead of it, and ErrAppealAnswered where the appeal with the id was answered meanwhile.
	Undo(ctx context.Context, d Decision, by access.Attribution, note map[string]any, appealID string, needsNone bool,
	) (Decision, error)
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
	if file.PlayerID == attribution.Actor.ID {
		view.Conflict, view.Reported = OwnCase, nil
	}
	thing, err := d.Things.Get(ctx, file.Kind, file.Subject.ID)
	switch {
	case err == nil:
		view.Thing = thing
		view.Allowed = Allowed(attribution.Actor, thing, file.State == CaseOpen)
		if view.Conflict, err = d.findConflict(ctx, attribution.Actor.ID, thing); err != nil {
			return CaseView{}, err
		}
		if view.Conflict == OwnCase { // also of a map that has another author by now
			view.Reported = nil
		}
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
	actor := attribution.Actor
	conflict, err := d.conflict(ctx, actor, file, override && actor.Can(access.OverruleConflict))
	if err != nil {
		return Claim{}, err
	}
	takeOver := override && actor.Can(access.TakeOverCase)
	return d.Cases.Claim(ctx, id, attribution, d.Now(), takeOver, noteOf(conflict))
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
	conflict, err := d.findConflict(ctx, by.ID, thing)
	if err != nil {
		return "", err
	}
	return conflict, checkConflict(by, conflict, override)
}

// findConflict returns why a player should not judge a thing, or an empty text. All who have ever reported the thing
// count, also in cases that are closed.
func (d *Desk) findConflict(ctx context.Context, playerID string, thing Thing) (Conflict, error) {
	reporters, err := d.Cases.Reporters(ctx, thing.Kind, thing.ID)
	if err != nil {
		return "", err
	}
	return FindConflict(playerID, thing, reporters), nil
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

// noteOf returns what the audit log says of an overruled conflict.
func noteOf(conflict Conflict) map[string]any {
	if conflict == "" {
		return map[string]any{}
	}
	return map[string]any{"conflictOverruled": conflict}
}
