package postgres_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/export"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/postgres"
)

// Everything of a merged player becomes that of the player merged into, also what is added later under the old id.
func TestStore_merge(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.report(cloe, player(anna), minute(0))
	f.report(emil, player(anna), minute(1))
	kept := f.report(cloe, player(ben), minute(2))
	f.report(anna, record(1, cloe), minute(3))
	both := f.report(ben, record(1, cloe), minute(4))
	claimed := f.report(anna, record(2, cloe), minute(5))
	_, err := f.Claim(t.Context(), claimed, by(anna), minute(6), false, "")
	require.NoError(t, err)
	warning := f.warn(emil, record(3, anna), 7)
	f.appeal(warning.ID, 9)
	f.merge(anna, ben)
	for _, sql := range []string{
		"select count(*) from cases where $1 in (subject_id, player_id, claimed_by)",
		"select count(*) from reports where reporter_id = $1",
		"select count(*) from decisions where $1 in (subject_id, player_id, by_id, into_id)",
		"select count(*) from appeals where player_id = $1",
	} {
		if n := pgtest.Value[int](t, f.pool, sql, anna); n != 0 {
			t.Errorf("%d rows are left: %s", n, sql)
		}
	}
	for caseID, want := range map[string][]string{kept: {cloe, emil}, both: {ben}, claimed: {ben}} {
		file, err := f.CaseFile(t.Context(), caseID)
		reporters := []string{}
		for _, r := range file.Reported {
			reporters = append(reporters, r.ReporterID)
		}
		slices.Sort(reporters)
		if !slices.Equal(reporters, want) || err != nil || file.Reports != len(want) || file.Priority != 20*len(want) {
			t.Errorf("case about %s, %v: reporters %v, want %v; %+v", file.Subject.Kind, err, reporters, want, file.Case)
		}
	}
	if decisions, err := f.DecisionsAbout(t.Context(), ben, 10); err != nil || len(decisions) != 1 {
		t.Errorf("decisions about the player merged into: %+v, %v", decisions, err)
	}
	// A request that had read the old id.
	d, err := f.tryDecide(f.decision(moderation.Warn, record(9, anna), "", mod, 11))
	if err != nil || d.Subject.PlayerID != ben {
		t.Errorf("decided about %+v, %v", d, err)
	}
}

// The texts of a player whose account was deleted go, and that there was a report and an appeal stays.
func TestStore_ApplyPlayer_deleted(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string]func(f *fixture){
		"at once": func(f *fixture) {
			f.apply(moderation.Player{ID: anna, Version: 3, Name: "deleted player 3f2a", Deleted: true})
		},
		"before a merge into the player": func(f *fixture) {
			f.apply(moderation.Player{ID: emil, Version: 3, Name: "deleted player 3f2a", Deleted: true})
			f.merge(anna, emil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := open(t)
			own := f.report(anna, record(1, cloe), minute(0))
			f.report(ben, record(1, cloe), minute(1))
			warning := f.warn(cloe, record(3, anna), 2)
			appeal := f.appeal(warning.ID, 4, "I have a video.")
			steps(f)
			want := []string{"", "It is strange.", "It is strange."}
			got := f.texts("select text from reports order by created_at")
			require.Equal(t, "reports", want, got)
			// What is written afterwards is not stored either.
			if _, err := f.tryReport(anna, record(2, cloe), minute(5)); !errors.Is(err, event.ErrPlayerDeleted) {
				t.Errorf("another report: %v, want %v", err, event.ErrPlayerDeleted)
			}
			message := moderation.AppealMessage{ID: f.newID(), Text: "Here it is.", At: minute(6)}
			if _, err := f.AddAppealMessage(t.Context(), appeal, message); err != nil {
				t.Error(err)
			}
			answer := moderation.AppealMessage{ID: f.newID(), FromModerator: true, Text: "We have seen it.", At: minute(7)}
			require.NoError(t, f.AnswerAppeal(t.Context(), appeal, answer, moderation.OutcomeKept, by(mod)))
			require.Equal(t, "appeals", []string{"", "", ""}, f.texts("select text from appeal_messages"))
			if file, err := f.CaseFile(t.Context(), own); err != nil || len(file.Reported) != 2 {
				t.Errorf("the case has %+v, %v", file.Reported, err)
			}
		})
	}
}

// A player's export has own reports and what the player is told, and nobody else.
func TestExports(t *testing.T) {
	t.Parallel()
	f := open(t)
	warning := f.warn(cloe, record(3, anna), 1)
	f.report(anna, record(1, emil), minute(3))
	f.appeal(warning.ID, 4, "I have a video.")
	exporter := &export.Exporter{Service: "moderation", DB: f.pool, Parts: postgres.Exports}
	var file bytes.Buffer
	require.NoError(t, exporter.Write(t.Context(), &file, anna))
	things := exporttest.Lines(t, file.String())
	for kind, text := range map[string]string{
		"report": "It is strange.", "decision": "It is so.", "appeal": "I have a video.",
	} {
		if len(things[kind]) != 1 || !strings.Contains(things[kind][0], text) {
			t.Errorf("things of the kind %s: %v", kind, things[kind])
		}
	}
	for _, other := range []string{cloe, mod} {
		if strings.Contains(file.String(), other) {
			t.Errorf("the export of %s names %s:\n%s", anna, other, file.String())
		}
	}
}
