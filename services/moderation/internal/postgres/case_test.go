package postgres_test

import (
	"errors"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
	"capzone.dev/services/moderation/internal/moderation"
)

// A new claim leaves a row in the audit log, and a renewed one none. Nobody releases the case of another.
func TestStore_Claim(t *testing.T) {
	t.Parallel()
	f := setup(t)
	caseID := f.report(ben, record(1, anna), minute(0))
	for _, at := range []int{0, 10} {
		claim, err := f.Claim(t.Context(), by(mod), caseID, false, "", minute(at))
		want := moderation.Claim{PlayerID: mod, Until: minute(at).Add(moderation.ClaimPeriod), IsOwn: true}
		if err != nil || claim != want {
			t.Errorf("claimed: %+v, %v, want %+v", claim, err, want)
		}
	}
	_, err := f.Claim(t.Context(), by(emil), caseID, false, "", minute(20))
	claim, _ := problem.From(err).Data["claim"].(map[string]any)
	want := map[string]any{"player": map[string]any{"_id": mod, "name": "Mod"}, "until": minute(30)}
	assert.Equal(t, "who has the case", want, claim)
	if n := pgtest.Value[int](t, f.pool, "select count(*) from audit where action = 'claim case'"); n != 1 {
		t.Errorf("%d rows in the audit log, want one", n)
	}
	require.NoError(t, f.Release(t.Context(), by(emil), caseID))
	if file, err := f.CaseFile(t.Context(), caseID); err != nil || file.Claim == nil {
		t.Errorf("released by another: %+v, %v", file, err)
	}
	require.NoError(t, f.Release(t.Context(), by(mod), caseID))
	if file, err := f.CaseFile(t.Context(), caseID); err != nil || file.Claim != nil {
		t.Errorf("released: %+v, %v", file, err)
	}
	_, err = f.Claim(t.Context(), by(mod), f.newID(), false, "", minute(0))
	if !errors.Is(err, moderation.ErrCaseUnknown) {
		t.Errorf("an unknown case: %v", err)
	}
}

// A moderator may be merged between the check of the role and the change.
func TestStore_Release_by_a_merged_moderator(t *testing.T) {
	t.Parallel()
	f := setup(t)
	caseID := f.report(ben, record(1, anna), minute(0))
	_, err := f.Claim(t.Context(), by(mod), caseID, false, "", minute(0))
	require.NoError(t, err)
	f.merge(mod, emil)
	require.NoError(t, f.Release(t.Context(), by(mod), caseID))
	if file, err := f.CaseFile(t.Context(), caseID); err != nil || file.Claim != nil {
		t.Errorf("released: %+v, %v", file, err)
	}
}
