package moderation

import (
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

const (
	// maxBan is the longest ban with an end.
	maxBan = 3653 * day
	// minDecisionText and maxDecisionText bound the text of a decision.
	minDecisionText, maxDecisionText = 10, 500
)

// Choice is what a moderator decides.
type Choice struct {
	Kind         DecisionKind
	PublicReason access.PublicReason
	Text         string
	// Until is the end of a ban, or the zero value.
	Until       time.Time
	KeepRecords bool
	// IntoID is whom a player is merged into.
	IntoID string
	// Override is an admin's wish to decide in spite of a conflict of interest.
	Override bool
}

// check returns the choice with its text trimmed and its time in milliseconds, without what is of other kinds. It
// returns ErrPublicReason, ErrDecisionText, ErrBanUntil or ErrMergeInto.
func (c Choice) check(now time.Time) (Choice, error) {
	if !slices.Contains(access.PublicReasons(), c.PublicReason) {
		return Choice{}, ErrPublicReason
	}
	var err error
	if c.Text, err = checkText(c.Text, minDecisionText, maxDecisionText, ErrDecisionText); err != nil {
		return Choice{}, err
	}
	c.Until = event.InMillis(c.Until)
	switch {
	case c.Kind != Ban:
		c.Until, c.KeepRecords = time.Time{}, false
	case !c.Until.IsZero() && (!c.Until.After(now) || c.Until.After(now.Add(maxBan))):
		return Choice{}, ErrBanUntil
	}
	switch {
	case c.Kind != Merge:
		c.IntoID = ""
	case !event.IsID(c.IntoID):
		return Choice{}, ErrMergeInto
	}
	return c, nil
}

// Allowed returns the kinds of decisions that apply to a thing as it is now, and that an actor may make. hasCase is
// true for a case about it.
func Allowed(by access.Actor, thing Thing, hasCase bool) []DecisionKind {
	allowed := []DecisionKind{}
	choose := func(is bool, kind, otherwise DecisionKind) {
		if is {
			allowed = append(allowed, kind)
			return
		}
		allowed = append(allowed, otherwise)
	}
	if hasCase {
		allowed = append(allowed, Dismiss)
	}
	if r := thing.Record; r != nil {
		choose(r.Removed, RestoreRecord, RemoveRecord)
	}
	if m := thing.Map; m != nil {
		choose(m.Removed, RestoreMap, RemoveMap)
		if !m.Removed {
			choose(m.Unranked, RankMap, UnrankMap)
		}
	}
	p := thing.Player
	if p == nil || p.Deleted {
		return allowed
	}
	allowed = append(allowed, Warn)
	if by.RequireAgainst(p.Roles) == nil {
		choose(p.Banned, Unban, Ban)
	}
	if thing.Subject.Kind == OfPlayer && by.Can(access.MergePlayer) {
		allowed = append(allowed, Merge)
	}
	return allowed
}

// checkKind returns access.ErrNeedsAdmin for a ban, or the end of one, that needs an admin, and ErrNotApplicable for a
// decision that does not apply to a thing as it is now.
func checkKind(by access.Actor, thing Thing, hasCase bool, kind DecisionKind) error {
	if slices.Contains(Allowed(by, thing, hasCase), kind) {
		return nil
	}
	if p := thing.Player; p != nil && (kind == Ban || kind == Unban) {
		if err := by.RequireAgainst(p.Roles); err != nil {
			return err
		}
	}
	return ErrNotApplicable
}

// RepeatPeriod is how long a decision that is sent again is taken for a repetition, because its answer was lost.
const RepeatPeriod = time.Hour

// Undecided is all that the outcome of a new decision depends on. Locks keep it from changing until that is stored.
type Undecided struct {
	// Case is that of the decision, or nil.
	Case *Case
	// Player is whom the decision concerns, or the zero value.
	Player Player
	// Hidings are the bans that an unban lifts.
	Hidings Hidings
	// Repeated is the decision that the same request has made before, or nil.
	Repeated *Decision
	Involved
}

// Decide returns the outcome of a decision. A request that is sent again gets the first decision, unless that is
// carried out and can be made again. It returns ErrCaseClosed, ErrCaseClaimed, ErrCaseNotClaimed, ErrCaseOpen,
// ErrMergeInto, ErrNotApplicable or access.ErrNeedsAdmin.
func (u Undecided) Decide(n NewDecision) (Change, error) {
	refusal := u.check(n)
	if u.isRepetition(refusal != nil) {
		return Change{Decision: *u.Repeated, IsRepeated: true}, nil
	}
	if refusal != nil {
		return Change{}, refusal
	}
	d := n.Decision.withHidings(u.Hidings)
	if d.Kind == Unban && u.Player.Ban != nil {
		d.Until = u.Player.Ban.Until
	}
	c := u.begin(d, d.Commands(n.By))
	c.ClosesCase = d.CaseID != ""
	c.Entries = []access.Entry{{
		By: d.attribution(n.By), Action: access.Decide, Target: d.Subject.ID, After: d.note(n.Overruled),
	}}
	return c, nil
}

// isRepetition reports whether the request was sent before and is answered with its first decision.
func (u Undecided) isRepetition(isRefused bool) bool {
	r := u.Repeated
	return r != nil && (isRefused || r.State == Pending || !r.isSwitch())
}

// check returns why a decision cannot be made.
func (u Undecided) check(n NewDecision) error {
	d := n.Decision
	switch {
	case u.Case != nil:
		if err := u.Case.checkDecider(d.ByID, d.At); err != nil {
			return err
		}
	case u.OpenCaseID != "":
		return ErrCaseOpen.WithData("_id", u.OpenCaseID)
	}
	switch {
	case d.Kind == Merge && d.IntoID == d.Subject.PlayerID:
		return ErrMergeInto
	case u.Player.Deleted && (d.Kind == Ban || d.Kind == Warn): // since the thing was read
		return ErrNotApplicable
	}
	return checkKind(n.By.Actor, n.Thing, u.Case != nil, d.Kind)
}
