package moderation

import (
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
	// Claim is the last claim, or nil. Of a closed case there is none.
	Claim *Claim
	// DecisionID is the decision that has closed the case.
	DecisionID string
}

// ClaimAt returns the claim that lasts at a time, or nil.
func (c Case) ClaimAt(now time.Time) *Claim {
	if c.Claim == nil || !c.Claim.Until.After(now) {
		return nil
	}
	return c.Claim
}

// ClaimBy returns the claim of a player from now on, with its row of the audit log, or without one where the player's
// claim is only renewed. It returns ErrCaseClosed, or ErrCaseClaimed while another one's claim lasts and takeOver is
// false.
func (c Case) ClaimBy(
	by access.Attribution, now time.Time, takeOver bool, overruled Conflict,
) (Claim, []access.Entry, error) {
	current := c.ClaimAt(now)
	isOwn := current != nil && current.PlayerID == by.Actor.ID
	switch {
	case c.State == CaseClosed:
		return Claim{}, nil, ErrCaseClosed
	case current != nil && !isOwn && !takeOver:
		return Claim{}, nil, errClaimed(*current)
	}
	claim := Claim{PlayerID: by.Actor.ID, Name: by.Actor.Name, Until: now.Add(ClaimPeriod)}
	if isOwn {
		return claim, nil, nil
	}
	after := noteOf(overruled, c.Subject.PlayerID)
	after["caseId"] = c.ID
	return claim, []access.Entry{{By: by, Action: access.ClaimCase, Target: c.Subject.ID, After: after}}, nil
}

// checkDecider returns why a moderator cannot decide the case: ErrCaseClosed, ErrCaseClaimed or ErrCaseNotClaimed. A
// claim that has ended counts while nobody else has the case.
func (c Case) checkDecider(moderatorID string, now time.Time) error {
	switch {
	case c.State == CaseClosed:
		return ErrCaseClosed
	case c.Claim != nil && c.Claim.PlayerID == moderatorID:
		return nil
	case c.ClaimAt(now) != nil:
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

// ReportsChange is what becomes of the reports and flags of a case.
type ReportsChange string

// The changes of reports and flags.
const (
	// ReportsConfirmed and ReportsRejected close them.
	ReportsConfirmed ReportsChange = "confirmed"
	ReportsRejected  ReportsChange = "rejected"
	// ReportsReopened takes that back, and opens their case again. ReportsMoved moves them to the case that was
	// opened about the same thing meanwhile.
	ReportsReopened ReportsChange = "reopened"
	ReportsMoved    ReportsChange = "moved"
)
