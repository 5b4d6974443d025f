package moderation

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

func TestDecision_Commands(t *testing.T) {
	t.Parallel()
	by := access.Attribution{Reason: "why", PublicReason: access.Edited, DecisionID: "d"}
	of := func(kind DecisionKind, change ...func(d *Decision)) Decision {
		d := Decision{
			ID: "d", Kind: kind, Subject: Subject{ID: "s", PlayerID: "p"}, Text: "why", PublicReason: access.Edited,
		}
		for _, c := range change {
			c(&d)
		}
		return d
	}
	until := func(d *Decision) { d.Until = now }
	keep := func(d *Decision) { d.KeepRecords = true }
	into := func(d *Decision) { d.IntoID = "i" }
	unban := event.UnbanPlayer{Attribution: by, PlayerID: "p"}
	// The second command is the service's own.
	hide := event.HidePlayer{Attribution: by, PlayerID: "p"}
	hide.Actor = access.System("moderation")
	for _, tt := range []struct {
		decision Decision
		want     []event.Command
	}{
		{of(Dismiss), nil},
		{of(Warn), nil},
		{of(Reopen), nil},
		{of(WithdrawWarning), nil},
		{of(RemoveRecord), []event.Command{event.RemoveRecord{Attribution: by, RecordID: "s"}}},
		{of(RestoreRecord), []event.Command{event.RestoreRecord{Attribution: by, RecordID: "s"}}},
		{of(RemoveMap), []event.Command{event.RemoveMap{Attribution: by, MapID: "s"}}},
		{of(RestoreMap), []event.Command{event.RestoreMap{Attribution: by, MapID: "s"}}},
		{of(UnrankMap), []event.Command{event.UnrankMap{Attribution: by, MapID: "s"}}},
		{of(RankMap), []event.Command{event.RankMap{Attribution: by, MapID: "s"}}},
		{of(Ban), []event.Command{event.BanPlayer{Attribution: by, PlayerID: "p"}, hide}},
		{of(Ban, until, keep), []event.Command{event.BanPlayer{Attribution: by, PlayerID: "p", Until: now}}},
		{of(Unban, keep), []event.Command{unban}},
		{of(Unban), []event.Command{unban, event.ShowPlayer(hide)}},
		{of(Merge, into), []event.Command{event.MergePlayer{Attribution: by, PlayerID: "p", IntoID: "i"}}},
	} {
		assert.Equal(t, string(tt.decision.Kind), tt.want, tt.decision.Commands(access.Attribution{}))
	}
}

func TestUnsettled_Settle(t *testing.T) {
	t.Parallel()
	const ban, hide, unban, show = event.BanPlayerSubject, event.HidePlayerSubject, event.UnbanPlayerSubject,
		event.ShowPlayerSubject
	pending := func(d *Decision) { d.State = Pending }
	undoing := func(d *Decision) { d.Undoes = "o" }
	inCase := func(d *Decision) { d.CaseID = "c" }
	hidings := Hidings{
		{"before", now.Add(-2 * time.Hour), CommandDone}, {"later", now, CommandDone},
	}
	question := AppealMessage{ID: "m", Text: "I have a video."}
	granted := Appeal{
		ID: "a", State: AppealGranted, AnsweredAt: now, Messages: []AppealMessage{question, {ID: "d", FromModerator: true}},
	}
	for _, tt := range []struct {
		name          string
		decision      Decision
		commands      []Command
		command, code string
		openCase      string
		// The change, as far as it is not the same for all.
		states   []CommandState
		state    DecisionState
		sends    string
		facts    int
		reports  ReportsChange
		shown    []string
		appeal   *Appeal
		needless bool
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
			code: "player_merged", commands: []Command{{unban, CommandSent}}, state: Refused,
			states: []CommandState{CommandRefused},
			appeal: &Appeal{ID: "a", State: AppealOpen, WaitingSince: now, Messages: []AppealMessage{question}}},
	} {
		u := Unsettled{Decision: tt.decision, Commands: tt.commands, Hidings: hidings,
			Involved: Involved{Reporters: []string{"r"}, OpenCaseID: tt.openCase}}
		if tt.decision.Undoes != "" {
			u.Appeal = &granted
		}
		c, ok := u.Settle(Settlement{DecisionID: "d", Command: tt.command, Code: tt.code, Message: "No.", At: now})
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
			c.MovedTo != tt.openCase || !cmp.Equal(c.Appeal, tt.appeal) || c.Decision.Needless != tt.needless {
			t.Errorf("%s: %+v, %t\n%s", tt.name, c, ok, diff)
		}
		if refused := tt.state == Refused; refused != (c.Decision.RefusalCode == tt.code && tt.code != "") {
			t.Errorf("%s: refused with %q", tt.name, c.Decision.RefusalCode)
		}
	}
	removal := Unsettled{
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

func TestSettlement_state(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]CommandState{
		"": CommandDone, "already_hidden": CommandNeedless, "not_hidden": CommandNeedless, "not_banned": CommandNeedless,
		"player_merged": CommandRefused,
	} {
		if got := (Settlement{Code: code}).state(); got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}

// What a ban has hidden is shown when that ban ends, and what a later one has hidden stays hidden.
func TestHidings_End(t *testing.T) {
	t.Parallel()
	first, second := Hiding{"1", now, CommandDone}, Hiding{"2", now, CommandDone}
	about := Hiding{"2", now, CommandSent}
	for _, tt := range []struct {
		name    string
		hidings Hidings
		ended   string
		want    []string
		err     error
	}{
		{"none", nil, "1", nil, nil},
		{"the ban", Hidings{first}, "1", []string{"1"}, nil},
		{"a ban that has hidden nothing", Hidings{first}, "3", nil, nil},
		{"the ban before a later one", Hidings{first, about}, "1", []string{"1"}, nil},
		{"the later ban", Hidings{first, second}, "2", []string{"1", "2"}, nil},
		{"by an operator", Hidings{first, second}, "", []string{"1", "2"}, nil},
		{"a ban that is about to hide", Hidings{first, about}, "2", nil, errHidingPending},
	} {
		got, show, err := tt.hidings.End(AfterBan(tt.ended), "p")
		if !cmp.Equal(tt.want, got) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, got, err, tt.want, tt.err)
		}
		if len(got) > 0 && (show.PlayerID != "p" || show.DecisionID != got[len(got)-1] || show.Actor.ID != Service) {
			t.Errorf("%s: sends %+v", tt.name, show)
		}
	}
}
