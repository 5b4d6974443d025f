package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// CaseState is whether a case is decided.
type CaseState string

// The states of cases. A decision closes an open case. It is open again when that decision is refused, or a dismissal
// is undone.
const (
	CaseOpen   CaseState = "open"
	CaseClosed CaseState = "closed"
)

// ClaimPeriod is how long a claim lasts after the last work on its case.
const ClaimPeriod = 20 * time.Minute

const (
	// CaseKeptFor is how long a closed case is kept with its reports and flags, and an answered appeal.
	CaseKeptFor = 2 * 365 * day
	// SilentFlagKeptFor is how long a flag without a case is kept.
	SilentFlagKeptFor = 90 * day
)

// Claim is whom a case belongs to, and until when.
type Claim struct {
	PlayerID, Name string
	Until          time.Time
	// IsOwn is true for the moderator who asks.
	IsOwn bool
}

// Case is everything that was reported of one thing until it was decided.
type Case struct {
	ID       string
	Subject  Subject
	State    CaseState
	Priority int
	// Reports and Flags count the reports and the flags that are not silent.
	Reports, Flags     int
	OpenedAt, ClosedAt time.Time
	// Claim is the last claim, also one that has ended, or nil. Of a closed case there is none.
	Claim *Claim
}

// seenBy returns the case as a moderator sees it at a time, without a claim that has ended.
func (c Case) seenBy(moderatorID string, now time.Time) Case {
	if c.Claim = c.claimAt(now); c.Claim != nil {
		c.Claim = &Claim{c.Claim.PlayerID, c.Claim.Name, c.Claim.Until, c.Claim.PlayerID == moderatorID}
	}
	return c
}

// claimAt returns the claim that lasts at a time, or nil.
func (c Case) claimAt(now time.Time) *Claim {
	if c.Claim == nil || !c.Claim.Until.After(now) {
		return nil
	}
	return c.Claim
}

// ClaimBy returns the claim of a player from now on. One that is only renewed has no row in the audit log. It returns
// ErrCaseClosed, or ErrCaseClaimed while another one's claim lasts and takeOver is false.
func (c Case) ClaimBy(
	by access.Attribution, takeOver bool, overruled Conflict, now time.Time,
) (Changed[Claim], error) {
	current := c.claimAt(now)
	isOwn := current != nil && current.PlayerID == by.Actor.ID
	switch {
	case c.State == CaseClosed:
		return Changed[Claim]{}, ErrCaseClosed
	case current != nil && !isOwn && !takeOver:
		return Changed[Claim]{}, errClaimed(*current)
	}
	change := Changed[Claim]{Value: Claim{by.Actor.ID, by.Actor.Name, now.Add(ClaimPeriod), true}}
	if isOwn {
		return change, nil
	}
	after := noteOf(overruled, c.Subject.PlayerID)
	after["caseId"] = c.ID
	change.Entries = []access.Entry{{By: by, Action: access.ClaimCase, Target: c.Subject.ID, After: after}}
	return change, nil
}

// checkDecider returns why a moderator cannot decide the case: ErrCaseClosed, ErrCaseClaimed or ErrCaseNotClaimed. A
// claim that has ended counts while nobody else has the case.
func (c Case) checkDecider(moderatorID string, now time.Time) error {
	switch {
	case c.State == CaseClosed:
		return ErrCaseClosed
	case c.Claim != nil && c.Claim.PlayerID == moderatorID:
		return nil
	case c.claimAt(now) != nil:
		return errClaimed(*c.Claim)
	}
	return ErrCaseNotClaimed
}

// errClaimed returns ErrCaseClaimed with who has the case.
func errClaimed(c Claim) error {
	return ErrCaseClaimed.WithData("claim", map[string]any{
		"player": map[string]any{"_id": c.PlayerID, "name": c.Name}, "until": c.Until,
	})
}

// CaseFilter selects a page of cases. Empty fields select all.
type CaseFilter struct {
	Kind  SubjectKind
	State CaseState
	// Assigned selects open cases that are mine, free or claimed, as the API names it. PlayerID is who asks.
	Assigned, PlayerID string
	ByAge              bool
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
	Decisions, History []DeskDecision
	OtherCases         []Case
	Allowed            []DecisionKind
	Conflict           Conflict
}

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
	// Claim locks a case and stores what Case.ClaimBy returns. Its errors are those, ErrCaseUnknown and
	// access.ErrDeleted.
	Claim(ctx context.Context, by access.Attribution, id string, takeOver bool, overruled Conflict, at time.Time,
	) (Claim, error)
	// Release ends a claim of the actor. It returns access.ErrDeleted.
	Release(ctx context.Context, by access.Attribution, id string) error
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
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadDesk, d.Things.Players.Get)
	if err != nil {
		return nil, 0, err
	}
	f.PlayerID, f.Now = reader.Actor.ID, d.Now()
	cases, total, err := d.Cases.Cases(ctx, f)
	for i, c := range cases {
		cases[i] = c.seenBy(f.PlayerID, f.Now)
	}
	return cases, total, err
}

// maxHistory bounds the decisions and the cases that are shown of a player.
const maxHistory = 50

// Case returns a case with all that a decision needs, or ErrCaseUnknown.
func (d *Desk) Case(ctx context.Context, by access.Actor, id string) (CaseView, error) {
	_, reader, err := access.Authorize(ctx, access.Attribution{Actor: by}, access.ReadDesk, d.Things.Players.Get)
	if err != nil {
		return CaseView{}, err
	}
	file, err := d.file(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	now := d.Now()
	file.Case = file.seenBy(reader.Actor.ID, now)
	view := CaseView{CaseFile: file, Thing: Thing{Subject: file.Subject}}
	parties, err := d.parties(ctx, file.Subject.Kind, file.Subject.ID)
	switch {
	case err == nil:
		view.Thing, view.Allowed = parties.Thing, Allowed(reader.Actor, parties.Thing, file.State == CaseOpen)
	case problem.From(err).Kind == problem.KindUnavailable:
		view.RecordUnavailable = file.Subject.Kind == OfRecord
	case !problem.IsNotFound(err):
		return CaseView{}, err
	}
	parties.Others = []string{file.Subject.PlayerID} // the map may have another author by now
	view.Conflict, _ = checkConflict(reader.Actor, parties, false)
	if view.Conflict == OwnCase {
		view.Reported = nil
	}
	decisions, err := d.Decisions.DecisionsOfCase(ctx, id, maxHistory)
	for _, decision := range decisions {
		view.Decisions = append(view.Decisions, decision.seenAt(now))
	}
	if err != nil || file.Subject.PlayerID == "" {
		return view, err
	}
	history, err := d.Decisions.DecisionsAbout(ctx, file.Subject.PlayerID, maxHistory)
	if err != nil {
		return CaseView{}, err
	}
	for _, decision := range history {
		if decision.CaseID != id {
			view.History = append(view.History, decision.seenAt(now))
		}
	}
	cases, err := d.Cases.CasesAbout(ctx, file.Subject.PlayerID, maxHistory+1)
	for _, c := range cases {
		if c.ID != id {
			view.OtherCases = append(view.OtherCases, c.seenBy(reader.Actor.ID, now))
		}
	}
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
func (d *Desk) Claim(ctx context.Context, by access.Attribution, id string, override bool) (Claim, error) {
	_, by, err := access.Authorize(ctx, by, access.ClaimCase, d.Things.Players.Get)
	if err != nil {
		return Claim{}, err
	}
	file, err := d.file(ctx, id)
	if err != nil {
		return Claim{}, err
	}
	mayOverrule := override && by.Actor.Can(access.OverruleConflict)
	parties, err := d.parties(ctx, file.Subject.Kind, file.Subject.ID)
	if err != nil && (problem.IsNotFound(err) || mayOverrule) { // what is known without the thing
		parties, err = d.partiesOf(ctx, Thing{Subject: file.Subject})
	}
	if err != nil {
		return Claim{}, err
	}
	overruled, err := checkConflict(by.Actor, parties, override)
	if err != nil {
		return Claim{}, err
	}
	takeOver := override && by.Actor.Can(access.TakeOverCase)
	return d.Cases.Claim(ctx, by, id, takeOver, overruled, event.InMillis(d.Now()))
}

// Release gives a case back.
func (d *Desk) Release(ctx context.Context, by access.Attribution, id string) error {
	_, by, err := access.Authorize(ctx, by, access.ClaimCase, d.Things.Players.Get)
	if err != nil {
		return err
	}
	if !event.IsID(id) {
		return ErrCaseUnknown
	}
	return d.Cases.Release(ctx, by, id)
}
