package parkourmap_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/maps/internal/parkourmap"
)

func (b bundle) moderator() *parkourmap.Moderator {
	return &parkourmap.Moderator{Maps: b.maps, Players: b.Players, Now: b.Now}
}

// byRoot is the attribution of an operator's change.
func byRoot(reason access.Reason) access.Attribution {
	return access.Attribution{Actor: access.Operator("root"), Reason: reason}
}

func (b bundle) remove(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("broken"), access.RemoveMap, id))
}

func (b bundle) reassignToRain(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, errorOf(b.moderator().Reassign(t.Context(), byRoot(""), id, "Rain")))
}

// Who may not, gives no reason, or names no map is refused, and nothing changes.
func TestModerator_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	m, ctx := b.moderator(), t.Context()
	player := access.Attribution{Actor: access.Player(judge.ID, "Judge", []string{access.Admin}), Reason: "mine"}
	for name, change := range map[string]func(id string, by access.Attribution) error{
		"remove":   func(id string, by access.Attribution) error { return m.Moderate(ctx, by, access.RemoveMap, id) },
		"rank":     func(id string, by access.Attribution) error { return m.Moderate(ctx, by, access.RankMap, id) },
		"reassign": func(id string, by access.Attribution) error { return errorOf(m.Reassign(ctx, by, id, "Rain")) },
	} {
		checkError(t, name+" by a player", access.ErrForbidden, change(id, player))
		for _, unknown := range []string{"1000", "\x00", "'; drop table maps; --", rain.ID} {
			checkError(t, name+" of "+unknown, parkourmap.ErrMapUnknown, change(unknown, byRoot("x")))
		}
		if name != "reassign" {
			checkError(t, name+" without a reason", access.ErrReasonMissing, change(id, byRoot(" ")))
			checkError(t, name+" for NUL", access.ErrReasonInvalid, change(id, byRoot("\x00")))
		}
	}
	checkError(t, "restore", parkourmap.ErrNotRemoved, m.Moderate(ctx, byRoot("x"), access.RestoreMap, id))
	checkError(t, "rank", parkourmap.ErrNotUnranked, m.Moderate(ctx, byRoot("x"), access.RankMap, id))
	checkError(t, "unlist by a player", access.ErrForbidden, m.DeleteImported(ctx, player, "1000"))
	checkError(t, "unlist without a reason", access.ErrReasonMissing, m.DeleteImported(ctx, byRoot(" "), "1000"))
	for _, unknown := range []string{"1000", id} {
		checkError(t, "unlist of "+unknown, parkourmap.ErrImportedMapUnknown, m.DeleteImported(ctx, byRoot("x"), unknown))
	}
	assert.Equal(t, "versions", []string{"1"}, b.versions(t))
}

func TestModerator_Reassign(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	if _, err := b.moderator().Reassign(t.Context(), byRoot(""), id, "\x01"); err == nil {
		t.Error("a name that is none was taken")
	}
	checkError(t, "to the same author", parkourmap.ErrAlreadyAuthor,
		errorOf(b.moderator().Reassign(t.Context(), byRoot(""), id, "cloudstep")))
	if author, err := b.moderator().Reassign(t.Context(), byRoot(""), id, "rain"); err != nil || author.ID != rain.ID {
		t.Errorf("to Rain: %v, %v", author, err)
	}
	b.remove(t, id)
	checkError(t, "a removed map", parkourmap.ErrMapUnknown,
		errorOf(b.moderator().Reassign(t.Context(), byRoot(""), id, "cloudstep")))
}

// A map that was removed and restored is as before, also after changes of its versions in between.
func TestModerator_Restore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.submitted(t), b.submitted(t, widened(700))
	restore := func(id string) {
		t.Helper()
		require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("a mistake"), access.RestoreMap, id))
	}
	before := b.known(t)
	b.remove(t, second.ID)
	checkError(t, "removed twice", parkourmap.ErrAlreadyRemoved,
		b.moderator().Moderate(t.Context(), byRoot("again"), access.RemoveMap, second.ID))
	restore(second.ID)
	for i, m := range b.known(t) {
		if m.Version <= before[i].Version {
			t.Errorf("version %d has the state %d, want more than %d", m.MapVersion, m.Version, before[i].Version)
		}
		m.Version = before[i].Version
		if diff := cmp.Diff(before[i], m); diff != "" {
			t.Errorf("version %d (-before +after):\n%s", m.MapVersion, diff)
		}
	}
	// While the second version is removed, its physics cannot be submitted; the third supersedes it permanently.
	b.remove(t, second.ID)
	checkError(t, "the removed version submitted again", parkourmap.ErrMapRemoved,
		errorOf(b.Submit(t.Context(), submission(t, widened(700), recoloured))))
	b.submitted(t, widened(800))
	b.remove(t, first.ID)
	restore(second.ID)
	assert.Equal(t, "versions", []string{"1 removed", "2 superseded", "3"}, b.versions(t))
}

// An unranked version stays unranked when it is updated, removed and restored. One with other physics is ranked.
func TestModerator_Unrank(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.submitted(t)
	unranked := func(want ...bool) {
		t.Helper()
		var got []bool
		for _, m := range b.known(t) {
			got = append(got, m.Unranked)
			if state := m.State(); state.Unranked != m.Unranked && !m.IsRemoved() {
				t.Errorf("the state of version %d says %v", m.MapVersion, state.Unranked)
			}
		}
		assert.Equal(t, "unranked", want, got)
	}
	require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("a gap at the start"), access.UnrankMap, first.ID))
	unranked(true)
	checkError(t, "unranked twice", parkourmap.ErrAlreadyUnranked,
		b.moderator().Moderate(t.Context(), byRoot("again"), access.UnrankMap, first.ID))
	b.submitted(t, recoloured)
	unranked(true)
	b.submitted(t, widened(700))
	unranked(true, false)
	b.remove(t, first.ID)
	// Also while it is removed.
	require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("a mistake"), access.RankMap, first.ID))
	unranked(false, false)
	require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("no mistake"), access.UnrankMap, first.ID))
	require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("back"), access.RestoreMap, first.ID))
	unranked(true, false)
	require.NoError(t, b.moderator().Moderate(t.Context(), byRoot("a mistake"), access.RankMap, first.ID))
	unranked(false, false)
}
