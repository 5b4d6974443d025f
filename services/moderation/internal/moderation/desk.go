package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

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

// Decide decides a case that the actor has claimed, or about a subject where the caseID is empty. Only admins merge
// players. It returns an error of Undecided.Decide or of Choice.check, ErrCaseUnknown, ErrSubjectUnknown, or
// ErrConflict.
func (d *Desk) Decide(
	ctx context.Context, by access.Attribution, caseID string, about Subject, c Choice,
) (DeskDecision, error) {
	action := access.Decide
	if c.Kind == Merge {
		action = access.MergePlayer
	}
	_, by, err := access.Authorize(ctx, by, action, d.Things.Players.Get)
	if err != nil {
		return DeskDecision{}, err
	}
	if caseID != "" {
		file, err := d.file(ctx, caseID)
		if err != nil {
			return DeskDecision{}, err
		}
		about = file.Subject
	}
	now := event.InMillis(d.Now())
	if c, err = c.check(now); err != nil {
		return DeskDecision{}, err
	}
	parties, err := d.parties(ctx, about.Kind, about.ID)
	if err != nil {
		return DeskDecision{}, err
	}
	if c.Kind == Merge {
		into, err := d.Things.Players.Get(ctx, c.IntoID) // who may have been merged since
		if err != nil {
			return DeskDecision{}, err
		}
		c.IntoID, parties.Others = into.ID, []string{into.ID}
	}
	overruled, err := checkConflict(by.Actor, parties, c.Override)
	if err != nil {
		return DeskDecision{}, err
	}
	decision := Decision{
		ID: d.NewID(), Kind: c.Kind, Subject: parties.Thing.Subject, ByID: by.Actor.ID, PublicReason: c.PublicReason,
		Text: c.Text, Until: c.Until, KeepRecords: c.KeepRecords, IntoID: c.IntoID, CaseID: caseID, At: now,
	}
	stored, err := d.Decisions.Decide(ctx, NewDecision{
		Decision: decision, By: by, Thing: parties.Thing, Overruled: overruled,
	})
	if err != nil {
		return DeskDecision{}, err
	}
	return d.await(ctx, stored)
}

// await returns the decision when it is carried out or refused, or as it is after the last of d.Waits. What was decided
// stays decided also where the caller has left.
func (d *Desk) await(ctx context.Context, decision Decision) (DeskDecision, error) {
	for _, wait := range d.Waits {
		if decision.State != Pending {
			break
		}
		select {
		case <-ctx.Done():
			return decision.seenAt(d.Now()), nil
		case <-time.After(wait):
		}
		now, err := d.Decisions.Decision(ctx, decision.ID)
		if err != nil {
			return DeskDecision{}, err
		}
		decision = now
	}
	return decision.seenAt(d.Now()), nil
}
