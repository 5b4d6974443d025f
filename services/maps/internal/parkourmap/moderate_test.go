package parkourmap_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/access"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Who may not, gives no reason, or names no map is refused, and nothing changes.
func TestModerator_refusals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	player := access.Attribution{Actor: access.Player(judge.ID, "Judge", []string{access.Admin}), Reason: "mine"}
	change := map[string]func(id string, by access.Attribution) error{
		"remove":  func(id string, by access.Attribution) error { return b.moderator().Remove(t.Context(), id, by) },
		"restore": func(id string, by access.Attribution) error { return b.moderator().Restore(t.Context(), id, by) },
		"unrank":  func(id string, by access.Attribution) error { return b.moderator().Unrank(t.Context(), id, by) },
		"rank":    func(id string, by access.Attribution) error { return b.moderator().Rank(t.Context(), id, by) },
		"unlist":  func(id string, by access.Attribution) error { return b.moderator().Unlist(t.Context(), id, by) },
		"reassign": func(id string, by access.Attribution) error {
			_, err := b.moderator().Reassign(t.Context(), id, "Rain", by)
			return err
		},
	}
	for _, tt := range []struct {
		change string
		id     string
		by     access.Attribution
		want   error
	}{
		{"remove", id, player, access.ErrForbidden},
		{"restore", id, player, access.ErrForbidden},
		{"unrank", id, player, access.ErrForbidden},
		{"rank", id, player, access.ErrForbidden},
		{"reassign", id, player, access.ErrForbidden},
		{"unlist", "1000", player, access.ErrForbidden},
		{"unlist", "1000", byRoot(" "), access.ErrReasonMissing},
		{"unlist", "1000", byRoot("x"), parkourmap.ErrListedMapUnknown},
		{"unlist", id, byRoot("x"), parkourmap.ErrListedMapUnknown},
		{"remove", id, byRoot(""), access.ErrReasonMissing},
		{"restore", id, byRoot(""), access.ErrReasonMissing},
		{"unrank", id, byRoot(" "), access.ErrReasonMissing},
		{"rank", id, byRoot("\x00"), access.ErrReasonInvalid},
		{"remove", "1000", byRoot("x"), parkourmap.ErrMapUnknown},
		{"restore", "'; drop table maps; --", byRoot("x"), parkourmap.ErrMapUnknown},
		{"reassign", "\x00", byRoot("x"), parkourmap.ErrMapUnknown},
		{"unrank", "1000", byRoot("x"), parkourmap.ErrMapUnknown},
		{"rank", "1000", byRoot("x"), parkourmap.ErrMapUnknown},
		{"unrank", rain.ID, byRoot("x"), parkourmap.ErrMapUnknown},
		{"rank", rain.ID, byRoot("x"), parkourmap.ErrMapUnknown},
		{"remove", rain.ID, byRoot("x"), parkourmap.ErrMapUnknown},
		{"restore", rain.ID, byRoot("x"), parkourmap.ErrMapUnknown},
		{"reassign", rain.ID, byRoot("x"), parkourmap.ErrMapUnknown},
		{"restore", id, byRoot("x"), parkourmap.ErrNotRemoved},
		{"rank", id, byRoot("x"), parkourmap.ErrNotUnranked},
	} {
		if err := change[tt.change](tt.id, tt.by); !errors.Is(err, tt.want) {
			t.Errorf("%s of %q by %+v: %v, want %v", tt.change, tt.id, tt.by, err, tt.want)
		}
	}
	checkEqual(t, "versions", []string{"1"}, b.versions(t))
}

func TestModerator_Reassign(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	if _, err := b.moderator().Reassign(t.Context(), id, "\x01", byRoot("")); err == nil {
		t.Error("a name that is none was taken")
	}
	if _, err := b.moderator().Reassign(t.Context(), id, "cloudstep", byRoot("")); !errors.Is(err,
		parkourmap.ErrAlreadyAuthor) {
		t.Errorf("to the same author: %v", err)
	}
	if author, err := b.moderator().Reassign(t.Context(), id, "rain", byRoot("")); err != nil || author.ID != rain.ID {
		t.Errorf("to Rain: %v, %v", author, err)
	}
	b.remove(t, id)
	_, err := b.moderator().Reassign(t.Context(), id, "cloudstep", byRoot(""))
	if !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("a removed map: %v", err)
	}
}

// A map that was removed and restored is as before, also after changes of its versions in between.
func TestModerator_Restore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second := b.submitted(t), b.submitted(t, widened(700))
	restore := func(id string) {
		t.Helper()
		require.NoError(t, b.moderator().Restore(t.Context(), id, byRoot("a mistake")))
	}
	before := b.known(t)
	b.remove(t, second.ID)
	err := b.moderator().Remove(t.Context(), second.ID, byRoot("again"))
	if !errors.Is(err, parkourmap.ErrAlreadyRemoved) {
		t.Errorf("removed twice: %v", err)
	}
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
	_, err = b.Submit(t.Context(), submission(t, widened(700), recoloured))
	if !errors.Is(err, parkourmap.ErrMapRemoved) {
		t.Errorf("the removed version submitted again: %v", err)
	}
	third := b.submitted(t, widened(800))
	b.remove(t, first.ID)
	restore(second.ID)
	if diff := cmp.Diff([]string{"1 removed", "2 superseded", "3"}, b.versions(t)); diff != "" || third.MapVersion != 3 {
		t.Errorf("versions (-want +got):\n%s", diff)
	}
	// An earlier release has deleted the pictures of a map that it has removed.
	pgtest.Exec(t, b.pool, `update maps set image_key = null, thumbnail_key = null, drawing_key = null,
		picture_key = null, picture_thumbnail_key = null, picture_bucket = null where id = $1`, first.ID)
	err = b.moderator().Restore(t.Context(), first.ID, byRoot("a mistake"))
	if !errors.Is(err, parkourmap.ErrPictureMissing) {
		t.Errorf("restored without pictures: %v", err)
	}
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
		checkEqual(t, "unranked", want, got)
	}
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	must(b.moderator().Unrank(t.Context(), first.ID, byRoot("a gap at the start")))
	unranked(true)
	err := b.moderator().Unrank(t.Context(), first.ID, byRoot("again"))
	if !errors.Is(err, parkourmap.ErrAlreadyUnranked) {
		t.Errorf("unranked twice: %v", err)
	}
	b.submitted(t, recoloured)
	unranked(true)
	b.submitted(t, widened(700))
	unranked(true, false)
	b.remove(t, first.ID)
	must(b.moderator().Rank(t.Context(), first.ID, byRoot("a mistake"))) // also while it is removed
	unranked(false, false)
	must(b.moderator().Unrank(t.Context(), first.ID, byRoot("no mistake")))
	must(b.moderator().Restore(t.Context(), first.ID, byRoot("back")))
	unranked(true, false)
	must(b.moderator().Rank(t.Context(), first.ID, byRoot("a mistake")))
	unranked(false, false)
}
