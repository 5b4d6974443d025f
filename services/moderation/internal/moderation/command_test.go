package moderation

import (
	"errors"
	"testing"

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
func TestEndedHidings(t *testing.T) {
	t.Parallel()
	first, second := Hiding{"1", now, CommandDone}, Hiding{"2", now, CommandDone}
	about := Hiding{"2", now, CommandSent}
	for _, tt := range []struct {
		name    string
		hidings []Hiding
		ended   string
		want    []string
		err     error
	}{
		{"none", nil, "1", nil, nil},
		{"the ban", []Hiding{first}, "1", []string{"1"}, nil},
		{"a ban that has hidden nothing", []Hiding{first}, "3", nil, nil},
		{"the ban before a later one", []Hiding{first, about}, "1", []string{"1"}, nil},
		{"the later ban", []Hiding{first, second}, "2", []string{"1", "2"}, nil},
		{"by an operator", []Hiding{first, second}, "", []string{"1", "2"}, nil},
		{"a ban that is about to hide", []Hiding{first, about}, "2", nil, errHidingPending},
	} {
		got, err := EndedHidings(tt.hidings, tt.ended)
		if !cmp.Equal(tt.want, got) || !errors.Is(err, tt.err) {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}
