package postgres_test

import (
	"slices"
	"testing"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/moderation/internal/moderation"
	"capzone.dev/services/moderation/internal/postgres"
)

func TestPlayerColumns(t *testing.T) {
	t.Parallel()
	pgtest.WantPlayerColumns(t, setup(t).pool, postgres.PlayerColumns, "map_id", "record_id", "case_id", "decision_id",
		"undoes", "appeal_id", "granted_by", "banned_by")
}

// Everything of a merged player becomes that of the player merged into, also what is added later under the old id.
func TestStore_merge(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.report(cloe, player(anna), minute(0))
	f.report(emil, player(anna), minute(1))
	kept := f.report(cloe, player(ben), minute(2))
	f.report(anna, record(1, cloe), minute(3))
	both := f.report(ben, record(1, cloe), minute(4))
	claimed := f.report(anna, record(2, cloe), minute(5))
	_, err := f.Claim(t.Context(), by(anna), claimed, false, "", minute(6))
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
