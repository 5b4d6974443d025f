package moderation

import (
	"context"
	"time"

	"capzone.dev/platform/access"
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
	// DecisionID is the decision that has closed the case.
	DecisionID string
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
