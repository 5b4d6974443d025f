package moderation

import (
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// DecisionKind is what was decided, as the API names it.
type DecisionKind string

// The kinds of decisions.
const (
	Dismiss       DecisionKind = "dismiss"
	RemoveRecord  DecisionKind = "remove_record"
	RestoreRecord DecisionKind = "restore_record"
	RemoveMap     DecisionKind = "remove_map"
	RestoreMap    DecisionKind = "restore_map"
	UnrankMap     DecisionKind = "unrank_map"
	RankMap       DecisionKind = "rank_map"
	Warn          DecisionKind = "warn"
	Ban           DecisionKind = "ban"
	Unban         DecisionKind = "unban"
	Merge         DecisionKind = "merge"
	// Reopen and WithdrawWarning undo Dismiss and Warn.
	Reopen          DecisionKind = "reopen"
	WithdrawWarning DecisionKind = "withdraw_warning"
)

// inverses has the kind that undoes each kind. A merge has none, and what is made by undoing alone is not undone.
var inverses = map[DecisionKind]DecisionKind{
	Dismiss: Reopen, Warn: WithdrawWarning,
	RemoveRecord: RestoreRecord, RestoreRecord: RemoveRecord,
	RemoveMap: RestoreMap, RestoreMap: RemoveMap,
	UnrankMap: RankMap, RankMap: UnrankMap,
	Ban: Unban, Unban: Ban,
}

// punishments are the kinds against which there is an appeal.
var punishments = []DecisionKind{RemoveRecord, RemoveMap, UnrankMap, Warn, Ban}

// DecisionState is whether a decision is carried out.
type DecisionState string

// The states of decisions.
const (
	Pending    DecisionState = "pending"
	CarriedOut DecisionState = "carried_out"
	Refused    DecisionState = "refused"
)

const (
	// undoPeriod is how long a decision can be undone.
	undoPeriod = 365 * day
	// maxBan is the longest ban with an end.
	maxBan = 3653 * day
	// minDecisionText and maxDecisionText bound the text of a decision.
	minDecisionText, maxDecisionText = 10, 500
)

// Decision is what the moderators have decided.
type Decision struct {
	ID   string
	Kind DecisionKind
	Subject
	// ByID is the moderator.
	ByID         string
	PublicReason access.PublicReason
	Text         string
	State        DecisionState
	// RefusalCode and RefusalMessage are why the owner of the data has refused it.
	RefusalCode, RefusalMessage string
	// Until is when a ban ends by itself, or the zero value.
	Until       time.Time
	KeepRecords bool
	// IntoID is whom the player is merged into.
	IntoID string
	CaseID string
	// Undoes is the decision that this one undoes, and UndoneBy the one that has undone it, which is not refused.
	Undoes, UndoneBy string
	// Needless is true of a ban or unban that is carried out and had nothing to change: the ban was over, or was lifted
	// already.
	Needless bool
	At       time.Time
}

// IsUndoable reports whether a decision can be undone at a time, as far as itself tells. For an appeal it can be undone
// at any time.
func (d Decision) IsUndoable(now time.Time, forAppeal bool) bool {
	return d.State == CarriedOut && d.UndoneBy == "" && inverses[d.Kind] != "" &&
		(forAppeal || now.Before(d.At.Add(undoPeriod)))
}

// IsSwitch reports whether a decision has set a state that a later one sets back, so that only the last of several
// holds. Each dismissal and warning stands alone, and a ban knows its decision.
func (d Decision) IsSwitch() bool { return d.Kind != Dismiss && d.Kind != Warn && d.Kind != Ban }

// isInForce reports whether a decision has an effect still that its undoing ends. A ban has none when its time is over,
// or when the player is banned by something else. An unban has none when the ban that it has lifted would be over. What
// was needless never had one.
func (d Decision) isInForce(thing Thing, now time.Time) bool {
	isOver := !d.Until.IsZero() && !now.Before(d.Until)
	switch {
	case d.Needless:
		return false
	case d.Kind == Unban:
		return !isOver
	case d.Kind != Ban || thing.Player == nil:
		return true
	case thing.Player.Banned:
		return thing.Player.Ban.DecisionID == d.ID
	}
	return !isOver
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
	switch {
	case p.Banned:
		allowed = append(allowed, Unban)
	case mayBan(by, *p):
		allowed = append(allowed, Ban)
	}
	if thing.Kind == OfPlayer && by.Can(access.MergePlayer) {
		allowed = append(allowed, Merge)
	}
	return allowed
}

// mayBan reports whether an actor who may decide may ban a player. Who has a role is banned by those alone who give
// roles.
func mayBan(by access.Actor, p Player) bool { return len(p.Roles) == 0 || by.Can(access.ChangeRoles) }

// checkKind returns ErrBanAdminsOnly, or ErrNotApplicable for a decision that does not apply to a thing as it is now.
func checkKind(by access.Actor, thing Thing, hasCase bool, kind DecisionKind) error {
	switch {
	case slices.Contains(Allowed(by, thing, hasCase), kind):
		return nil
	case kind == Ban && thing.Player != nil && !mayBan(by, *thing.Player):
		return ErrBanAdminsOnly
	}
	return ErrNotApplicable
}

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

// check returns the choice with its text trimmed. It returns ErrPublicReason, ErrDecisionText, ErrBanUntil or
// ErrMergeInto.
func (c Choice) check(thing Thing, now time.Time) (Choice, error) {
	if !slices.Contains(access.PublicReasons(), c.PublicReason) {
		return Choice{}, ErrPublicReason
	}
	var err error
	if c.Text, err = checkText(c.Text, minDecisionText, maxDecisionText, ErrDecisionText); err != nil {
		return Choice{}, err
	}
	switch c.Kind {
	case Ban:
		if !c.Until.IsZero() && (!c.Until.After(now) || c.Until.After(now.Add(maxBan))) {
			return Choice{}, ErrBanUntil
		}
		c.IntoID = ""
	case Merge:
		if !event.IsID(c.IntoID) || c.IntoID == thing.PlayerID {
			return Choice{}, ErrMergeInto
		}
		c.Until, c.KeepRecords = time.Time{}, false
	default:
		c.Until, c.KeepRecords, c.IntoID = time.Time{}, false, ""
	}
	return c, nil
}

// Commands returns what carries a decision out, in order: the second is sent when the first is carried out, by the
// service itself, so that it is not refused to a moderator who has lost the role meanwhile. by has the id of the
// decision. hidesRecords is true for an unban after a ban that has hidden the records.
func (d Decision) Commands(by access.Attribution, hidesRecords bool) []event.Command {
	second := by
	second.Actor = access.System(Service)
	hide := event.HidePlayer{Attribution: second, PlayerID: d.PlayerID}
	switch d.Kind {
	case RemoveRecord:
		return []event.Command{event.RemoveRecord{Attribution: by, RecordID: d.Subject.ID}}
	case RestoreRecord:
		return []event.Command{event.RestoreRecord{Attribution: by, RecordID: d.Subject.ID}}
	case RemoveMap:
		return []event.Command{event.RemoveMap{Attribution: by, MapID: d.Subject.ID}}
	case RestoreMap:
		return []event.Command{event.RestoreMap{Attribution: by, MapID: d.Subject.ID}}
	case UnrankMap:
		return []event.Command{event.UnrankMap{Attribution: by, MapID: d.Subject.ID}}
	case RankMap:
		return []event.Command{event.RankMap{Attribution: by, MapID: d.Subject.ID}}
	case Ban:
		ban := event.BanPlayer{Attribution: by, PlayerID: d.PlayerID, Until: d.Until}
		if d.KeepRecords {
			return []event.Command{ban}
		}
		return []event.Command{ban, hide}
	case Unban:
		unban := event.UnbanPlayer{Attribution: by, PlayerID: d.PlayerID}
		if !hidesRecords {
			return []event.Command{unban}
		}
		return []event.Command{unban, event.ShowPlayer(hide)}
	case Merge:
		return []event.Command{event.MergePlayer{Attribution: by, PlayerID: d.PlayerID, IntoID: d.IntoID}}
	case Dismiss, Warn, Reopen, WithdrawWarning:
	}
	return nil
}

// Settlements are the commands that each fact reports as carried out.
var Settlements = map[string]string{
	event.RecordRemovedSubject:  event.RemoveRecordSubject,
	event.RecordRestoredSubject: event.RestoreRecordSubject,
	event.RecordsHiddenSubject:  event.HidePlayerSubject,
	event.RecordsShownSubject:   event.ShowPlayerSubject,
	event.MapRemovedSubject:     event.RemoveMapSubject,
	event.MapRestoredSubject:    event.RestoreMapSubject,
	event.MapUnrankedSubject:    event.UnrankMapSubject,
	event.MapRankedSubject:      event.RankMapSubject,
	event.PlayerBannedSubject:   event.BanPlayerSubject,
	event.PlayerUnbannedSubject: event.UnbanPlayerSubject,
	event.PlayerMergedSubject:   event.MergePlayerSubject,
}

// Confirms reports whether a decision confirms what was reported.
func (d Decision) Confirms() bool {
	if d.Undoes == "" {
		return d.Kind != Dismiss
	}
	return slices.Contains(punishments, d.Kind)
}

// DecisionKinds lists the kinds of decisions.
var DecisionKinds = []DecisionKind{
	Dismiss, RemoveRecord, RestoreRecord, RemoveMap, RestoreMap, UnrankMap, RankMap, Warn, Ban, Unban, Merge, Reopen,
	WithdrawWarning,
}
