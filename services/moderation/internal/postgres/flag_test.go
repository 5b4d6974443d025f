package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/services/moderation/internal/moderation"
)

// Flags open a case, unless their kind is silent.
func TestStore_AddFlags(t *testing.T) {
	t.Parallel()
	f := setup(t)
	add := func(about moderation.Subject, kinds ...moderation.FlagKind) (caseID string) {
		t.Helper()
		var flags []moderation.Flag
		for _, kind := range kinds {
			flags = append(flags, moderation.Flag{
				ID: f.newID(), Kind: kind, Numbers: map[string]any{"percent": 20.0}, At: minute(1),
			})
		}
		require.NoError(t, f.AddFlags(t.Context(), moderation.Flagging{
			CaseID: f.newID(), Subject: about, Flags: flags,
		}))
		caseID = pgtest.Value[string](t, f.pool,
			"select coalesce(max(id::text), '') from cases where subject_id = $1 and open", about.ID)
		if has, err := f.HasFlaggedCase(t.Context(), about.ID); has != (caseID != "") || err != nil {
			t.Errorf("has a case: %v, %v", has, err)
		}
		return caseID
	}
	if add(record(0, anna)) != "" {
		t.Error("a record without flags has a case")
	}
	for i := range 10 {
		about, kind := record(i+1, anna), moderation.Dismiss
		if i == 0 {
			kind = moderation.Warn
		}
		f.decide(add(about, moderation.LargeLead, moderation.SameMoment), kind, about, minute(i+1))
		if has, err := f.HasFlaggedCase(t.Context(), about.ID); has || err != nil {
			t.Errorf("has a case after the decision: %v, %v", has, err)
		}
	}
	if add(record(20, anna), moderation.LargeLead) != "" {
		t.Error("a silent flag has opened a case")
	}
	file, err := f.CaseFile(t.Context(), add(record(21, anna), moderation.LargeLead, moderation.CopiedFinish))
	if err != nil || file.Flags != 1 || file.Priority != 25 || len(file.Flagged) != 2 || !file.Flagged[0].Silent {
		t.Errorf("%+v, %v", file, err)
	}
	precisions, err := f.FlagPrecisions(t.Context())
	want := []moderation.FlagPrecision{
		{Kind: moderation.LargeLead, Closed: 10, Confirmed: 1}, {Kind: moderation.NewAccount},
		{Kind: moderation.SameMoment, Closed: 10, Confirmed: 1}, {Kind: moderation.ImpossiblePace},
		{Kind: moderation.CopiedFinish}, {Kind: moderation.RelabelledReplay}, {Kind: moderation.OldVersion},
	}
	if diff := cmp.Diff(want, precisions); diff != "" || err != nil {
		t.Errorf("precision, %v (-want +got):\n%s", err, diff)
	}
}
