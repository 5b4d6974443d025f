package moderation

import (
	"testing"
)

// Whatever can be undone has an inverse, whose command undoes that of the other.
func TestDecision_IsUndoable(t *testing.T) {
	t.Parallel()
	for _, kind := range DecisionKinds {
		d := Decision{Kind: kind, State: CarriedOut, At: now}
		want := kind != Merge && kind != Reopen && kind != WithdrawWarning
		if d.IsUndoable(now, false) != want {
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
		if change(&d); d.IsUndoable(now, false) {
			t.Errorf("a decision can be undone: %s", name)
		}
		if forAppeal := d.IsUndoable(now, true); forAppeal != (name == "after a year") {
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
