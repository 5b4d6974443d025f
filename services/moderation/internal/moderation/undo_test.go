package moderation

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

func TestUndoable_Undo(t *testing.T) {
	t.Parallel()
	later := func(d *Decision) { d.ID, d.At = "later", now.Add(-time.Minute) }
	other := func(d *Decision) { d.Subject.ID = "other" }
	past := func(d *Decision) { d.Until = now.Add(-time.Minute) }
	admin := access.Attribution{Actor: access.Player("mod", "mod", []string{access.Admin})}
	withRole := Player{Roles: []string{access.Validator}}
	for _, tt := range []struct {
		name   string
		undone Decision
		later  []Decision
		thing  Thing
		by     access.Attribution
		want   error
	}{
		{"a removal", decided(RemoveRecord), nil, aRecord(true, Player{}), mod, nil},
		{"a removal of what is there again", decided(RemoveRecord), nil, aRecord(false, Player{}), mod,
			ErrDecisionOvertaken},
		{"a removal before another one", decided(RemoveRecord), []Decision{
			decided(RestoreRecord, later), decided(RemoveRecord, later),
		}, aRecord(true, Player{}), mod, ErrDecisionOvertaken},
		{"a removal before one that was undone", decided(RemoveRecord), []Decision{
			decided(RestoreRecord, later, func(d *Decision) { d.UndoneBy = "u" }),
			decided(RemoveRecord, later, func(d *Decision) { d.Undoes = "later" }),
		}, aRecord(true, Player{}), mod, nil},
		{"a removal before one that was refused", decided(RemoveRecord), []Decision{
			decided(RestoreRecord, later, func(d *Decision) { d.State = Refused }),
		}, aRecord(true, Player{}), mod, nil},
		{"a removal beside one of another record", decided(RemoveRecord), []Decision{decided(RemoveRecord, later, other)},
			aRecord(true, Player{}), mod, nil},
		{"a warning before another one", decided(Warn), []Decision{decided(Warn, later)}, aRecord(false, Player{}), mod, nil},
		{"a ban", decided(Ban), nil, aRecord(false, banned("d", time.Time{})), mod, nil},
		{"a ban that an operator has lifted", decided(Ban), nil, aRecord(false, Player{}), mod, nil},
		{"a ban while another one is in force", decided(Ban), nil, aRecord(false, banned("o", time.Time{})), mod,
			ErrDecisionOvertaken},
		{"a ban before another one about something else", decided(Ban), []Decision{decided(Ban, later, other)},
			aRecord(false, banned("d", time.Time{})), mod, ErrDecisionOvertaken},
		{"a ban that is over while another one is in force", decided(Ban, past), []Decision{decided(Ban, later)},
			aRecord(false, banned("later", time.Time{})), mod, nil},
		{"an unban", decided(Unban), nil, aRecord(false, Player{}), mod, nil},
		{"an unban of who has a role", decided(Unban), nil, aRecord(false, withRole), mod, access.ErrNeedsAdmin},
		{"an unban of who has a role, by an admin", decided(Unban), nil, aRecord(false, withRole), admin, nil},
		{"an unban of who is banned again", decided(Unban), nil, aRecord(false, banned("o", time.Time{})), mod,
			ErrDecisionOvertaken},
		{"what is undone already", decided(Warn, func(d *Decision) { d.UndoneBy = "u" }), nil, aRecord(false, Player{}), mod,
			ErrDecisionFinal},
	} {
		undo := decided(inverses[tt.undone.Kind], func(d *Decision) { d.ID, d.Undoes, d.At = "u", "d", now })
		u := Undoable{Decision: tt.undone, Later: tt.later}
		if _, err := u.Undo(NewDecision{Decision: undo, By: tt.by, Thing: tt.thing}); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// Undoing a ban whose time is over changes the history alone, and cannot be undone itself. It grants the appeal, which
// is to be open still where the undoing is its answer.
func TestUndoable_Undo_change(t *testing.T) {
	t.Parallel()
	ban := decided(Ban, func(d *Decision) { d.Until = now.Add(-time.Minute) })
	undo := decided(Unban, func(d *Decision) { d.ID, d.Undoes, d.At = "u", "d", now })
	asked := AppealMessage{Text: "I have a video."}
	u := Undoable{Decision: ban, Involved: Involved{Appeal: &Appeal{
		ID: "a", PlayerID: "p", State: AppealOpen, WaitingSince: ban.At, Messages: []AppealMessage{asked},
	}}}
	n := NewDecision{Decision: undo, By: mod, Thing: aRecord(false, Player{}), AppealID: "a"}
	got, err := u.Undo(n)
	subject := event.DecidedSubject{Kind: "record", ID: "s", PlayerID: "p"}
	want := Change{
		Decision: undo,
		Appeal: &Appeal{
			ID: "a", PlayerID: "p", State: AppealGranted, AnsweredAt: now,
			Messages: []AppealMessage{asked, {ID: "u", FromModerator: true, Text: "It is so.", At: now}},
		},
		Facts: []event.Fact{
			event.ModerationDecided{
				DecisionID: "u", PlayerID: "p", Decided: subject, Kind: "unban", PublicReason: "edited", At: now,
			},
			event.AppealAnswered{AppealID: "a", DecisionID: "d", PlayerID: "p", Decided: subject, Granted: true, At: now},
		},
		Entries: []access.Entry{
			{
				By: undo.attribution(mod), Action: access.UndoDecision, Target: "s",
				Before: map[string]any{"decision": Ban, "decisionId": "d"}, After: map[string]any{"decision": Unban},
			},
			{
				By: undo.attribution(mod), Action: access.AnswerAppeal, Target: "s",
				Before: map[string]any{"appeal": AppealOpen}, After: map[string]any{"appeal": AppealGranted, "appealId": "a"},
			},
		},
	}
	want.Decision.Needless = true
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if got.Decision.isUndoable(now, true) {
		t.Error("what had nothing to change can be undone")
	}
	u.Appeal = nil
	if _, err := u.Undo(n); !errors.Is(err, ErrAppealAnswered) {
		t.Errorf("an appeal that was answered meanwhile: %v", err)
	}
	u.UndoneBy, n.AppealID = &undo, ""
	if got, err := u.Undo(n); !got.IsRepeated || err != nil {
		t.Errorf("sent again: %+v, %v", got, err)
	}
}
