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
	// CaseFile returns a case, or ErrCaseUnknown.
	CaseFile(ctx context.Context, id string) (CaseFile, error)
	// Reporters returns who has ever reported a thing.
	Reporters(ctx context.Context, kind SubjectKind, id string) ([]string, error)
	// CasesAbout returns the newest cases about a player.
	CasesAbout(ctx context.Context, playerID string, limit int) ([]Case, error)
	// Claim locks a case and stores what Case.ClaimBy returns. Its errors are those, and ErrCaseUnknown.
	Claim(ctx context.Context, id string, by access.Attribution, now time.Time, takeOver bool, overruled Conflict,
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
	// Decide locks what a decision is about, and stores what the rule returns. asked is the decision with an id. It
	// returns the decision as it is then, the error of the rule, ErrCaseUnknown or ErrDecisionUnknown.
	Decide(ctx context.Context, asked Decision, rule func(Locked) (Change, error)) (Decision, error)
}

// Desk is what moderators see and do. All its methods return access.ErrForbidden for whom it is not for, or a problem
// of kind unavailable. A decision is returned when it is carried out or refused, or after Waits.
type Desk struct {
	Cases     CaseStore
	Decisions DecisionStore
	Things    *Things
	Now       func() time.Time
	NewID     func() string
	// Waits are the pauses after which a request looks whether its decision is carried out.
	Waits []time.Duration
}

// List returns a page of cases, and the number of all.
func (d *Desk) List(ctx context.Context, by access.Actor, f CaseFilter) ([]Case, int64, error) {
	by, err := authorize(ctx, by, access.ReadDesk, d.Things.Players)
	if err != nil {
		return nil, 0, err
	}
	f.PlayerID, f.Now = by.ID, d.Now()
	return d.Cases.Cases(ctx, f)
}

// Case returns a case with all that a decision needs, or ErrCaseUnknown.
func (d *Desk) Case(ctx context.Context, by access.Actor, id string) (CaseView, error) {
	by, err := authorize(ctx, by, access.ReadDesk, d.Things.Players)
	if err != nil {
		return CaseView{}, err
	}
	file, err := d.file(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	view := CaseView{CaseFile: file, Thing: Thing{Subject: file.Subject}}
	parties, err := d.parties(ctx, file.Subject.Kind, file.Subject.ID)
	switch {
	case err == nil:
		view.Thing, view.Allowed = parties.Thing, Allowed(by, parties.Thing, file.State == CaseOpen)
	case problem.From(err).Kind == problem.KindUnavailable:
		view.RecordUnavailable = file.Subject.Kind == OfRecord
	case !problem.IsNotFound(err):
		return CaseView{}, err
	}
	parties.Others = []string{file.Subject.PlayerID} // the map may have another author by now
	view.Conflict, _ = checkConflict(by, parties, false)
	if view.Conflict == OwnCase {
		view.Reported = nil
	}
	if view.Decisions, err = d.Decisions.DecisionsOfCase(ctx, id, maxHistory); err != nil || file.Subject.PlayerID == "" {
		return view, err
	}
	if view.History, err = d.Decisions.DecisionsAbout(ctx, file.Subject.PlayerID, maxHistory); err != nil {
		return CaseView{}, err
	}
	view.History = slices.DeleteFunc(view.History, func(h Decision) bool { return h.CaseID == id })
	view.OtherCases, err = d.Cases.CasesAbout(ctx, file.Subject.PlayerID, maxHistory+1)
	view.OtherCases = slices.DeleteFunc(view.OtherCases, func(c Case) bool { return c.ID == id })
	return view, err
}

// file returns a case, or ErrCaseUnknown.
func (d *Desk) file(ctx context.Context, id string) (CaseFile, error) {
	if !event.IsID(id) {
		return CaseFile{}, ErrCaseUnknown
	}
	return d.Cases.CaseFile(ctx, id)
}

// Claim gives an open case to the actor for ClaimPeriod. With override an admin takes over a case that another one has
// claimed, and one in which there is a conflict of interest. It returns ErrCaseUnknown, ErrCaseClosed, ErrCaseClaimed
// with the claim, or ErrConflict.
func (d *Desk) Claim(ctx context.Context, by access.Actor, id string, override bool) (Claim, error) {
	by, err := authorize(ctx, by, access.ClaimCase, d.Things.Players)
	if err != nil {
		return Claim{}, err
	}
	file, err := d.file(ctx, id)
	if err != nil {
		return Claim{}, err
	}
	actor := by
	mayOverrule := override && actor.Can(access.OverruleConflict)
	parties, err := d.parties(ctx, file.Subject.Kind, file.Subject.ID)
	if err != nil && (problem.IsNotFound(err) || mayOverrule) { // what is known without the thing
		parties, err = d.partiesOf(ctx, Thing{Subject: file.Subject})
	}
	if err != nil {
		return Claim{}, err
	}
	overruled, err := checkConflict(actor, parties, override)
	if err != nil {
		return Claim{}, err
	}
	takeOver := override && actor.Can(access.TakeOverCase)
	return d.Cases.Claim(ctx, id, access.Attribution{Actor: by}, d.Now(), takeOver, overruled)
}

// Release gives a case back.
func (d *Desk) Release(ctx context.Context, by access.Actor, id string) error {
	by, err := authorize(ctx, by, access.ClaimCase, d.Things.Players)
	if err != nil {
		return err
	}
	if !event.IsID(id) {
		return ErrCaseUnknown
	}
	return d.Cases.Release(ctx, id, by.ID)
}
