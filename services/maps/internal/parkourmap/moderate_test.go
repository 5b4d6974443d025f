package parkourmap_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

func (b bundle) moderator() *parkourmap.Moderator {
	return &parkourmap.Moderator{Maps: b.maps, Players: b.Players, Now: b.Now}
}

// byRoot is the attribution of an operator's change.
func byRoot(reason access.Reason) access.Attribution {
	return access.Attribution{Actor: access.Operator("root"), Reason: reason}
}

// moderate changes a map for an operator.
func (b bundle) moderate(t *testing.T, action access.Action, id string, reason access.Reason) error {
	t.Helper()
	return b.moderator().Moderate(t.Context(), parkourmap.Moderation{Action: action, MapID: id, By: byRoot(reason)})
}

func (b bundle) remove(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, b.moderate(t, access.RemoveMap, id, "broken"))
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
	moderate := func(action access.Action) func(string, access.Attribution) error {
		return func(id string, by access.Attribution) error {
			return m.Moderate(ctx, parkourmap.Moderation{Action: action, MapID: id, By: by})
		}
	}
	for name, change := range map[string]func(id string, by access.Attribution) error{
		"remove": moderate(access.RemoveMap), "rank": moderate(access.RankMap),
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
	checkError(t, "restore", parkourmap.ErrNotRemoved, b.moderate(t, access.RestoreMap, id, "x"))
	checkError(t, "rank", parkourmap.ErrNotUnranked, b.moderate(t, access.RankMap, id, "x"))
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
		require.NoError(t, b.moderate(t, access.RestoreMap, id, "a mistake"))
	}
	before := b.known(t)
	b.remove(t, second.ID)
	checkError(t, "removed twice", parkourmap.ErrAlreadyRemoved,
		b.moderate(t, access.RemoveMap, second.ID, "again"))
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
		errorOf(b.submit(t, submission(t, widened(700), recoloured))))
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
	require.NoError(t, b.moderate(t, access.UnrankMap, first.ID, "a gap at the start"))
	unranked(true)
	checkError(t, "unranked twice", parkourmap.ErrAlreadyUnranked,
		b.moderate(t, access.UnrankMap, first.ID, "again"))
	b.submitted(t, recoloured)
	unranked(true)
	b.submitted(t, widened(700))
	unranked(true, false)
	b.remove(t, first.ID)
	// Also while it is removed.
	require.NoError(t, b.moderate(t, access.RankMap, first.ID, "a mistake"))
	unranked(false, false)
	require.NoError(t, b.moderate(t, access.UnrankMap, first.ID, "no mistake"))
	require.NoError(t, b.moderate(t, access.RestoreMap, first.ID, "back"))
	unranked(true, false)
	require.NoError(t, b.moderate(t, access.RankMap, first.ID, "a mistake"))
	unranked(false, false)
}

func TestVersions_Moderate(t *testing.T) {
	t.Parallel()
	at, removedAt := now.Add(time.Hour), now.Add(time.Minute)
	// The second version was removed, the third is unranked and by another author.
	versions := parkourmap.Versions{
		{ID: "a", MapVersion: 1, AuthorID: "cloudstep", UpdatedAt: now, Superseded: true},
		{ID: "b", MapVersion: 2, AuthorID: "cloudstep", UpdatedAt: now, RemovedAt: removedAt, Superseded: true},
		{ID: "c", MapVersion: 3, AuthorID: "rain", UpdatedAt: now, Unranked: true, UnrankedReason: access.Broken},
	}
	by := access.Attribution{
		Actor: access.Operator("root"), Reason: "why", PublicReason: access.Broken, DecisionID: "d",
	}
	fact := func(id string) event.MapRemoved { return event.MapRemoved{MapID: id, Reason: "why", DecisionID: "d"} }
	for _, tt := range []struct {
		action access.Action
		id     string
		err    error
		// change is made to the versions, and facts are appended.
		change func(v parkourmap.Versions)
		facts  []event.Fact
	}{
		{action: access.RemoveMap, id: "x", err: parkourmap.ErrMapUnknown},
		{action: access.RemoveMap, id: "b", err: parkourmap.ErrAlreadyRemoved},
		{action: access.RestoreMap, id: "a", err: parkourmap.ErrNotRemoved},
		{action: access.UnrankMap, id: "c", err: parkourmap.ErrAlreadyUnranked},
		{action: access.RankMap, id: "a", err: parkourmap.ErrNotUnranked},
		{action: access.ReassignMap, id: "b", err: parkourmap.ErrMapUnknown},
		{action: access.ReassignMap, id: "c", err: parkourmap.ErrAlreadyAuthor},
		{action: access.RemoveMap, id: "c", facts: []event.Fact{fact("c")}, change: func(v parkourmap.Versions) {
			v[2].RemovedAt, v[0].Superseded, v[1].Superseded = at, false, false
		}},
		{action: access.RestoreMap, id: "b", facts: []event.Fact{event.MapRestored(fact("b"))},
			change: func(v parkourmap.Versions) { v[1].RemovedAt = time.Time{} }},
		{action: access.UnrankMap, id: "b", facts: []event.Fact{event.MapUnranked(fact("b"))},
			change: func(v parkourmap.Versions) { v[1].Unranked, v[1].UnrankedReason = true, access.Broken }},
		{action: access.RankMap, id: "c", facts: []event.Fact{event.MapRanked(fact("c"))},
			change: func(v parkourmap.Versions) { v[2].Unranked, v[2].UnrankedReason = false, "" }},
		{action: access.ReassignMap, id: "a", facts: []event.Fact{
			event.MapReassigned{MapID: "a", OldAuthorID: "cloudstep", NewAuthorID: "rain", Reason: "why"},
			event.MapReassigned{MapID: "b", OldAuthorID: "cloudstep", NewAuthorID: "rain", Reason: "why"},
		}, change: func(v parkourmap.Versions) {
			v[0].AuthorID, v[0].UpdatedAt, v[1].AuthorID, v[1].UpdatedAt = "rain", at, "rain", at
		}},
	} {
		got, err := versions.Moderate(parkourmap.Moderation{
			Action: tt.action, MapID: tt.id, AuthorID: "rain", By: by, At: at,
		})
		name := string(tt.action) + " " + tt.id
		checkError(t, name, tt.err, err)
		if tt.err != nil {
			assert.Equal(t, name, parkourmap.Change{}, got)
			continue
		}
		want := slices.Clone(versions)
		tt.change(want)
		assert.Equal(t, name, want, got.Versions)
		assert.Equal(t, name, tt.facts, got.Facts)
		for _, entry := range got.Entries {
			if entry.Action != tt.action || entry.By.Reason != "why" || entry.Before["removed"] == nil {
				t.Errorf("%s: entry %+v", name, entry)
			}
		}
		assert.Equal(t, name+": entries", len(tt.facts), len(got.Entries))
	}
}
