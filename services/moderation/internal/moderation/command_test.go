package moderation

import (
	"testing"

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
