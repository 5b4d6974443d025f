package moderation

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

func TestLocked_Decide(t *testing.T) {
	t.Parallel()
	inCase := func(d *Decision) { d.CaseID = "c" }
	ownCase := Case{State: CaseOpen, Claim: &Claim{PlayerID: "mod", Until: now}}
	into := func(id string) func(d *Decision) { return func(d *Decision) { d.IntoID = id } }
	admin := access.Attribution{Actor: access.Player("mod", "mod", []string{access.Admin})}
	ofPlayer := Thing{Subject: Subject{Kind: OfPlayer, ID: "p", PlayerID: "p"}, Player: &Player{ID: "p"}}
	for _, tt := range []struct {
		name  string
		l     Locked
		by    access.Attribution
		thing Thing
		want  error
	}{
		{"without a case", Locked{Decision: decided(Warn)}, mod, aRecord(false, Player{}), nil},
		{"a thing with an open case", Locked{Decision: decided(Warn), OpenCaseID: "o"}, mod, aRecord(false, Player{}),
			ErrCaseOpen},
		{"the own case", Locked{Decision: decided(Dismiss, inCase), Case: &ownCase}, mod, aRecord(false, Player{}), nil},
		{"a free case", Locked{Decision: decided(Warn, inCase), Case: &freeCase}, mod, aRecord(false, Player{}),
			ErrCaseNotClaimed},
		{"a dismissal without a case", Locked{Decision: decided(Dismiss)}, mod, aRecord(false, Player{}), ErrNotApplicable},
		{"a removal", Locked{Decision: decided(RemoveRecord)}, mod, aRecord(false, Player{}), nil},
		{"a removal of what is removed", Locked{Decision: decided(RemoveRecord)}, mod, aRecord(true, Player{}),
			ErrNotApplicable},
		{"a ban of who is banned", Locked{Decision: decided(Ban)}, mod, aRecord(false, banned("", now)), ErrNotApplicable},
		{"a ban of who has a role", Locked{Decision: decided(Ban)}, mod,
			aRecord(false, Player{Roles: []string{access.Validator}}), access.ErrNeedsAdmin},
		{"a warning of who was deleted meanwhile", Locked{Decision: decided(Warn), Player: Player{Deleted: true}}, mod,
			aRecord(false, Player{}), ErrNotApplicable},
		{"a ban of who was deleted meanwhile", Locked{Decision: decided(Ban), Player: Player{Deleted: true}}, mod,
			aRecord(false, Player{}), ErrNotApplicable},
		{"a removal of whose it was", Locked{Decision: decided(RemoveRecord), Player: Player{Deleted: true}}, mod,
			aRecord(false, Player{}), nil},
		{"a merge", Locked{Decision: decided(Merge, into("o"))}, admin, ofPlayer, nil},
		{"a merge with who was merged into the same", Locked{Decision: decided(Merge, into("p"))}, admin, ofPlayer,
			ErrMergeInto},
	} {
		if _, err := tt.l.Decide(tt.by, tt.thing, ""); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// A decision that is sent again is the first one, unless that is carried out and applies again.
func TestLocked_Decide_repeated(t *testing.T) {
	t.Parallel()
	pending := func(d *Decision) { d.State = Pending }
	for _, tt := range []struct {
		name    string
		first   Decision
		removed bool
		want    bool
	}{
		{"a warning", decided(Warn), false, true},
		{"a removal that waits", decided(RemoveRecord, pending), false, true},
		{"a removal that was carried out", decided(RemoveRecord), true, true},
		{"a removal of what was restored otherwise", decided(RemoveRecord), false, false},
	} {
		l := Locked{Decision: decided(tt.first.Kind), Repeated: &tt.first}
		if c, err := l.Decide(mod, aRecord(tt.removed, Player{}), ""); c.IsRepeated != tt.want || err != nil {
			t.Errorf("%s: repeated %t, %v", tt.name, c.IsRepeated, err)
		}
	}
	closed := Locked{Decision: decided(Warn), Case: &closedCase, Repeated: new(decided(Warn))}
	if c, err := closed.Decide(mod, aRecord(false, Player{}), ""); !c.IsRepeated || err != nil {
		t.Errorf("a case that the first request has closed: %+v, %v", c, err)
	}
}

// What is decided is stored with all that follows: the first command or who is told, and the row of the audit log.
func TestLocked_Decide_change(t *testing.T) {
	t.Parallel()
	until := now.Add(time.Hour)
	pending := func(d *Decision) { d.State = Pending }
	subject := event.DecidedSubject{Kind: "record", ID: "s", PlayerID: "p"}
	commands := func(subjects ...string) (list []Command) {
		for _, s := range subjects {
			list = append(list, Command{s, CommandWaiting})
		}
		list[0].State = CommandSent
		return list
	}
	inCase := func(d *Decision) { d.CaseID = "c" }
	ownCase := Case{State: CaseOpen, Claim: &Claim{PlayerID: "mod", Until: now}}
	untilThen := func(d *Decision) { d.Until = until }
	keep := func(d *Decision) { d.KeepRecords = true }
	entry := func(d Decision, after map[string]any) []access.Entry {
		after["decision"], after["conflictOverruled"], after["playerId"] = d.Kind, OwnReport, "p"
		return []access.Entry{{By: d.attribution(mod), Action: access.Decide, Target: "s", After: after}}
	}
	warning, removal, ban := decided(Warn, inCase), decided(RemoveRecord, pending), decided(Ban, pending, untilThen)
	unban, showing := decided(Unban, pending, untilThen, keep), decided(Unban, pending)
	for _, tt := range []struct {
		name   string
		l      Locked
		player Player
		want   Change
	}{
		{
			"a warning in a case", Locked{Case: &ownCase, Reporters: []string{"r"}, Decision: decided(Warn, inCase)}, Player{},
			Change{
				Decision: warning, ClosesCase: true, Reports: ReportsConfirmed,
				Entries: entry(warning, map[string]any{"caseId": "c"}),
				Facts: []event.Fact{
					event.ReportClosed{
						DecisionID: "d", ReporterIDs: []string{"r"}, Decided: subject, Kind: "warn", PublicReason: "edited",
						Confirmed: true, At: warning.At,
					},
					event.ModerationDecided{
						DecisionID: "d", PlayerID: "p", Decided: subject, Kind: "warn", PublicReason: "edited", At: warning.At,
					},
				},
			},
		},
		{
			"a removal", Locked{Decision: decided(RemoveRecord)}, Player{}, Change{
				Decision: removal, Commands: commands(event.RemoveRecordSubject), Send: removal.Commands(mod)[0],
				Entries: entry(removal, map[string]any{}),
			},
		},
		{
			"a ban", Locked{Decision: decided(Ban, untilThen)}, Player{}, Change{
				Decision: ban, Commands: commands(event.BanPlayerSubject, event.HidePlayerSubject), Send: ban.Commands(mod)[0],
				Entries: entry(ban, map[string]any{"keepRecords": false, "until": until}),
			},
		},
		{
			"an unban, which has the end of the ban", Locked{Decision: decided(Unban)}, banned("b", until), Change{
				Decision: unban, Commands: commands(event.UnbanPlayerSubject), Send: unban.Commands(mod)[0],
				Entries: entry(unban, map[string]any{"until": until}),
			},
		},
		{
			"an unban after a ban that hides records", Locked{
				Decision: decided(Unban), Hidings: []Hiding{{DecisionID: "b", State: CommandSent}},
			}, banned("b", time.Time{}), Change{
				Decision: showing, Commands: commands(event.UnbanPlayerSubject, event.ShowPlayerSubject),
				Send: showing.Commands(mod)[0], Entries: entry(showing, map[string]any{}),
			},
		},
	} {
		tt.l.Player = tt.player
		got, err := tt.l.Decide(mod, aRecord(false, tt.player), OwnReport)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

func TestLocked_Undo(t *testing.T) {
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
		l := Locked{Decision: undo, Undone: &tt.undone, Later: tt.later}
		if _, err := l.Undo(tt.by, tt.thing, "", ""); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// Undoing a ban whose time is over changes the history alone, and cannot be undone itself. It grants the appeal, which
// is to be open still where the undoing is its answer.
func TestLocked_Undo_change(t *testing.T) {
	t.Parallel()
	ban := decided(Ban, func(d *Decision) { d.Until = now.Add(-time.Minute) })
	undo := decided(Unban, func(d *Decision) { d.ID, d.Undoes, d.At = "u", "d", now })
	l := Locked{Decision: undo, Undone: &ban, Appeal: &Appeal{ID: "a", PlayerID: "p"}}
	got, err := l.Undo(mod, aRecord(false, Player{}), "", "a")
	subject := event.DecidedSubject{Kind: "record", ID: "s", PlayerID: "p"}
	want := Change{
		Decision: undo, Answer: &AppealMessage{ID: "u", FromModerator: true, Text: "It is so.", At: now},
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
	if got.Decision.IsUndoable(now, true) {
		t.Error("what had nothing to change can be undone")
	}
	l.Appeal = nil
	if _, err := l.Undo(mod, aRecord(false, Player{}), "", "a"); !errors.Is(err, ErrAppealAnswered) {
		t.Errorf("an appeal that was answered meanwhile: %v", err)
	}
	l.Repeated = &undo
	if got, err := l.Undo(mod, aRecord(false, Player{}), "", ""); !got.IsRepeated || err != nil {
		t.Errorf("sent again: %+v, %v", got, err)
	}
}

func TestLocked_Settle(t *testing.T) {
	t.Parallel()
	const ban, hide, unban, show = event.BanPlayerSubject, event.HidePlayerSubject, event.UnbanPlayerSubject,
		event.ShowPlayerSubject
	pending := func(d *Decision) { d.State = Pending }
	undoing := func(d *Decision) { d.Undoes = "o" }
	inCase := func(d *Decision) { d.CaseID = "c" }
	hidings := []Hiding{
		{"before", now.Add(-2 * time.Hour), CommandDone}, {"later", now, CommandDone},
	}
	for _, tt := range []struct {
		name          string
		decision      Decision
		commands      []Command
		command, code string
		openCase      string
		// The change, as far as it is not the same for all.
		states          []CommandState
		state           DecisionState
		sends           string
		facts           int
		reports         ReportsChange
		shown           []string
		takesAnswerBack bool
		needless        bool
	}{
		{name: "a ban before the hiding", decision: decided(Ban, pending), command: ban, sends: hide, state: Pending,
			commands: []Command{{ban, CommandSent}, {hide, CommandWaiting}}, states: []CommandState{CommandDone, CommandSent}},
		{name: "the hiding", decision: decided(Ban, pending, inCase), command: hide, state: CarriedOut, facts: 2,
			commands: []Command{{ban, CommandDone}, {hide, CommandSent}}, states: []CommandState{CommandDone, CommandDone},
			reports: ReportsConfirmed},
		{name: "a hiding of who is hidden", decision: decided(Ban, pending), command: hide, code: "already_hidden",
			commands: []Command{{ban, CommandDone}, {hide, CommandSent}}, state: CarriedOut, facts: 1,
			states: []CommandState{CommandDone, CommandNeedless}},
		{name: "a refusal", decision: decided(Ban, pending, inCase), command: ban, code: "ban_over", state: Refused,
			commands: []Command{{ban, CommandSent}, {hide, CommandWaiting}}, reports: ReportsReopened,
			states: []CommandState{CommandRefused, CommandWaiting}},
		{name: "a refusal with another open case", decision: decided(Ban, pending, inCase), command: ban, code: "ban_over",
			commands: []Command{{ban, CommandSent}, {hide, CommandWaiting}}, openCase: "o", state: Refused,
			reports: ReportsMoved, states: []CommandState{CommandRefused, CommandWaiting}},
		{name: "an unban of who is not banned", decision: decided(Unban, pending), command: unban, code: "not_banned",
			commands: []Command{{unban, CommandSent}}, state: CarriedOut, facts: 1, needless: true,
			states: []CommandState{CommandNeedless}},
		{name: "the showing of what bans before have hidden", decision: decided(Unban, pending), command: show,
			commands: []Command{{unban, CommandDone}, {show, CommandSent}}, state: CarriedOut, facts: 1,
			states: []CommandState{CommandDone, CommandDone}, shown: []string{"before"}},
		{name: "an undoing that grants an appeal", decision: decided(Unban, pending, undoing, inCase), command: unban,
			commands: []Command{{unban, CommandSent}}, state: CarriedOut, facts: 2, reports: ReportsRejected,
			states: []CommandState{CommandDone}},
		{name: "an undoing that is refused", decision: decided(Unban, pending, undoing, inCase), command: unban,
			code: "player_merged", commands: []Command{{unban, CommandSent}}, state: Refused, takesAnswerBack: true,
			states: []CommandState{CommandRefused}},
	} {
		l := Locked{Decision: tt.decision, Commands: tt.commands, Reporters: []string{"r"}, Hidings: hidings,
			OpenCaseID: tt.openCase}
		if tt.decision.Undoes != "" {
			l.Appeal = &Appeal{ID: "a"}
		}
		c, ok := l.Settle(Settlement{DecisionID: "d", Command: tt.command, Code: tt.code, Message: "No."})
		var states []CommandState
		for _, command := range c.Commands {
			states = append(states, command.State)
		}
		sends := ""
		if c.Send != nil {
			sends = c.Send.Subject()
		}
		if diff := cmp.Diff(tt.states, states); diff != "" || !ok || c.Decision.State != tt.state || sends != tt.sends ||
			len(c.Facts) != tt.facts || c.Reports != tt.reports || !cmp.Equal(c.Shown, tt.shown) ||
			c.TakesAnswerBack != tt.takesAnswerBack || c.Decision.Needless != tt.needless {
			t.Errorf("%s: %+v, %t\n%s", tt.name, c, ok, diff)
		}
		if refused := tt.state == Refused; refused != (c.Decision.RefusalCode == tt.code && tt.code != "") {
			t.Errorf("%s: refused with %q", tt.name, c.Decision.RefusalCode)
		}
	}
	removal := Locked{
		Decision: decided(RemoveRecord, pending), Commands: []Command{{event.RemoveRecordSubject, CommandSent}},
	}
	if c, ok := removal.Settle(Settlement{Command: event.RestoreRecordSubject}); ok {
		t.Errorf("another command: %+v", c)
	}
	removal.Decision.State = CarriedOut
	if c, ok := removal.Settle(Settlement{Command: event.RemoveRecordSubject}); ok {
		t.Errorf("a decision that is carried out: %+v", c)
	}
}

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
