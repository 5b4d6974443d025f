package moderation

import (
	"testing"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

var mod = access.Attribution{Actor: access.Player("mod", "mod", []string{access.Moderator})}

// aRecord is a record of the player p, of which the decisions of the tests are.
func aRecord(removed bool, p Player) Thing {
	p.ID = "p"
	return Thing{
		Subject: Subject{Kind: OfRecord, ID: "s", PlayerID: "p"}, Player: &p,
		Record: &event.InspectedRecord{Removed: removed},
	}
}

// decided returns a decision about the record.
func decided(kind DecisionKind, change ...func(d *Decision)) Decision {
	d := Decision{
		ID: "d", Kind: kind, Subject: Subject{Kind: OfRecord, ID: "s", PlayerID: "p"}, ByID: "mod", State: CarriedOut,
		PublicReason: access.Edited, Text: "It is so.", At: now.Add(-time.Hour),
	}
	for _, c := range change {
		c(&d)
	}
	return d
}

func banned(decisionID string, until time.Time) Player {
	return Player{Banned: true, Ban: &event.Ban{DecisionID: decisionID, Until: until}}
}

// Whatever can be undone has an inverse, whose command undoes that of the other.
func TestDecision_isUndoable(t *testing.T) {
	t.Parallel()
	for _, kind := range DecisionKinds {
		d := Decision{Kind: kind, State: CarriedOut, At: now}
		want := kind != Merge && kind != Reopen && kind != WithdrawWarning
		if d.isUndoable(now, false) != want {
			t.Errorf("%s can be undone: %v", kind, !want)
		}
		if want && (inverses[inverses[kind]] != kind && inverses[inverses[kind]] != "") {
			t.Errorf("%s is undone by %s, that by %s", kind, inverses[kind], inverses[inverses[kind]])
		}
	}
	base := Decision{Kind: Ban, State: CarriedOut, At: now}
	for name, change := range map[string]func(d *Decision){
		"pending":      func(d *Decision) { d.State = Pending },
		"refused":      func(d *Decision) { d.State = Refused },
		"undone":       func(d *Decision) { d.UndoneBy = "other" },
		"needless":     func(d *Decision) { d.Needless = true },
		"after a year": func(d *Decision) { d.At = now.Add(-undoPeriod) },
	} {
		d := base
		if change(&d); d.isUndoable(now, false) {
			t.Errorf("a decision can be undone: %s", name)
		}
		if forAppeal := d.isUndoable(now, true); forAppeal != (name == "after a year") {
			t.Errorf("for an appeal a decision can be undone %s: %t", name, forAppeal)
		}
	}
}

func TestDecision_Confirms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind   DecisionKind
		undoes string
		want   bool
	}{
		{Dismiss, "", false}, {Warn, "", true}, {RemoveRecord, "", true}, {RestoreRecord, "", true}, {Merge, "", true},
		{RestoreRecord, "d", false}, {Unban, "d", false}, {WithdrawWarning, "d", false}, {RemoveRecord, "d", true},
	} {
		if got := (Decision{Kind: tt.kind, Undoes: tt.undoes}).Confirms(); got != tt.want {
			t.Errorf("%s that undoes %q: %v", tt.kind, tt.undoes, got)
		}
	}
}
