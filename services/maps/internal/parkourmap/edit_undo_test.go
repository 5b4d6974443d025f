package parkourmap_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestEditor_Undo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, judge, access.Moderator)
	id := b.submitted(t).ID
	editor := b.editor(&medalCounts{counts: event.MedalCounts{Author: 1, Gold: 1, Silver: 1, Bronze: 1}})
	before := b.known(t)[0]
	edit := func(req parkourmap.RequestedEdit) string {
		t.Helper()
		require.NoError(t, b.edit(t, editor, byCloudstep, id, req))
		return b.lastEdit(t, id).ID
	}
	by := access.Attribution{Actor: access.Player(judge.ID, "Judge", []string{access.Moderator}), Reason: "indecent"}
	undo := func(editID string) error { return errorOf(editor.Undo(t.Context(), by, id, editID)) }
	picture := edit(parkourmap.RequestedEdit{Description: new("One."), Image: otherPicture})
	second := edit(parkourmap.RequestedEdit{Description: new("Two.")})
	for name, tt := range map[string]struct {
		id, edit string
		by       access.Attribution
		want     error
	}{
		"no moderator":        {id, picture, access.Attribution{Actor: byRain.Actor, Reason: "x"}, access.ErrForbidden},
		"the author":          {id, picture, access.Attribution{Actor: byCloudstep.Actor, Reason: "x"}, access.ErrForbidden},
		"no reason":           {id, picture, access.Attribution{Actor: by.Actor}, access.ErrReasonMissing},
		"no map":              {"x", picture, by, parkourmap.ErrMapUnknown},
		"no edit":             {id, "x", by, parkourmap.ErrEditUnknown},
		"an unknown edit":     {id, uuid.NewString(), by, parkourmap.ErrEditUnknown},
		"an overwritten edit": {id, picture, by, parkourmap.ErrEditOverwritten},
	} {
		checkError(t, name, tt.want, errorOf(editor.Undo(t.Context(), tt.by, tt.id, tt.edit)))
	}
	// The replaced picture is kept, and not served.
	isReferenced := func(key string) (referenced bool) {
		err := postgres.InTx(t.Context(), b.pool, func(tx pgx.Tx) (err error) {
			referenced, err = b.maps.IsReferenced(t.Context(), tx, key)
			return err
		})
		require.NoError(t, err)
		return referenced
	}
	for _, key := range []string{before.Files.Image, before.Files.Thumbnail} {
		if public, err := b.maps.IsPublic(t.Context(), key); err != nil || public || !isReferenced(key) {
			t.Errorf("%s: public %v, %v, referenced %v", key, public, err, isReferenced(key))
		}
	}
	for _, editID := range []string{second, picture} {
		require.NoError(t, undo(editID))
	}
	after := b.known(t)[0]
	after.Version, after.UpdatedAt = before.Version, before.UpdatedAt
	assert.Equal(t, "the map after all was undone", before, after)
	if public, err := b.maps.IsPublic(t.Context(), before.Files.Image); err != nil || !public {
		t.Errorf("the picture is public: %v, %v", public, err)
	}
	checkError(t, "undone twice", parkourmap.ErrEditOverwritten, undo(picture))
	edits, err := editor.List(t.Context(), byCloudstep.Actor, id)
	require.NoError(t, err)
	if len(edits) != 4 || edits[0].Undoes != picture || edits[0].Reason != "indecent" || edits[0].EditorID != judge.ID {
		t.Errorf("edits: %+v", edits)
	}
	// An undo is undone too.
	if err := undo(edits[0].ID); err != nil {
		t.Error(err)
	}
	if m := b.known(t)[0]; m.Description != "One." || m.Files.Image == before.Files.Image {
		t.Errorf("after the undo was undone: %+v", m)
	}
	// What authors do with their own maps is in the edits alone, which can be changed when an account is deleted.
	audits := pgtest.Rows[struct{ Actor, Action, Reason, Values string }](t, b.pool,
		"select actor, action, reason, before::text || after::text as values from audit order by id")
	actions := make([]string, len(audits))
	for i, a := range audits {
		actions[i] = a.Action + " " + a.Reason
		if strings.Contains(a.Values, "One.") {
			t.Errorf("the log has an author's text: %s", a.Values)
		}
	}
	undone := "undo edit of map indecent"
	assert.Equal(t, "audit log", []string{undone, undone, undone}, actions)
	b.remove(t, id)
	checkError(t, "of a removed map", parkourmap.ErrMapUnknown, undo(edits[1].ID))
}

// What an author cannot take from others by an edit, the author cannot take by undoing one. Another moderator can.
func TestEditor_Undo_of_medals(t *testing.T) {
	t.Parallel()
	author := access.Attribution{Actor: byCloudstep.Actor, Reason: "It was too easy."}
	moderator := access.Attribution{Actor: byJudge.Actor, Reason: "It was too easy."}
	for _, tt := range []struct {
		name string
		by   access.Attribution
		held event.MedalCounts
		err  error
	}{
		{"by the author while another player holds the medal", author, event.MedalCounts{Gold: 1}, parkourmap.ErrMedalsHeld},
		{"by the author while others hold other medals", author, event.MedalCounts{Author: 1, Silver: 1}, nil},
		{"by another moderator", moderator, event.MedalCounts{Gold: 1}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.setRoles(t, cloudstep, access.Moderator)
			b.setRoles(t, judge, access.Moderator)
			id := b.submitted(t).ID
			before := b.known(t)[0]
			counts := &medalCounts{}
			gold := int64(before.Medals.Gold) + 900
			require.NoError(t, b.edit(t, b.editor(counts), byCloudstep, id,
				parkourmap.RequestedEdit{Medals: parkourmap.RequestedMedals{Gold: &gold}}))
			edited := b.known(t)[0]
			counts.counts = tt.held // a player finishes
			_, err := b.editor(counts).Undo(t.Context(), tt.by, id, b.lastEdit(t, id).ID)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			want := before.Medals
			if tt.err != nil {
				want = edited.Medals
				if p := problem.From(err); len(p.Fields) != 1 || p.Fields[0].Field != "medalTimes.gold" {
					t.Errorf("the fields are %+v", p.Fields)
				}
			}
			assert.Equal(t, "medals", want, b.known(t)[0].Medals)
		})
	}
}

// The first medal times of a map are not undone by their author while others hold the medals.
func TestEditor_Undo_of_first_medals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, cloudstep, access.Moderator)
	id := b.submitted(t, validator).ID
	counts := &medalCounts{}
	require.NoError(t, b.edit(t, b.editor(counts), byCloudstep, id,
		parkourmap.RequestedEdit{Medals: parkourmap.RequestedMedals{Author: ms(40_000)}}))
	by, first := access.Attribution{Actor: byCloudstep.Actor, Reason: "No medals."}, b.lastEdit(t, id).ID
	counts.counts = event.MedalCounts{Bronze: 1}
	checkError(t, "while another player holds a medal", parkourmap.ErrMedalsHeld,
		errorOf(b.editor(counts).Undo(t.Context(), by, id, first)))
	counts.counts = event.MedalCounts{}
	if _, err := b.editor(counts).Undo(t.Context(), by, id, first); err != nil {
		t.Errorf("while nobody holds one: %v", err)
	}
	assert.Equal(t, "medals", (*racetime.Medals)(nil), b.known(t)[0].Medals)
}

// A text that is deleted while an undo waits for the map does not come back.
func TestEditor_Undo_while_texts_are_deleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, judge, access.Moderator)
	id := b.submitted(t).ID
	editor := b.editor(&medalCounts{})
	for _, description := range []string{"My address.", ""} {
		require.NoError(t, b.edit(t, editor, byCloudstep, id, parkourmap.RequestedEdit{Description: &description}))
	}
	emptied := b.lastEdit(t, id).ID
	tx, err := b.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	require.NoError(t, errorOf(tx.Exec(t.Context(), "select from maps for update")))
	done := make(chan error, 1)
	go func() {
		by := access.Attribution{Actor: byJudge.Actor, Reason: "It was useful."}
		_, err := editor.Undo(context.WithoutCancel(t.Context()), by, id, emptied)
		done <- err
	}()
	eventually.WaitFor(t, "the undo waits for the map", func() bool { return pgtest.Waiting(t, b.pool) > 0 })
	require.NoError(t, errorOf(tx.Exec(t.Context(), `update map_edits set before = before || '{"description": ""}'`)))
	require.NoError(t, tx.Commit(t.Context()))
	checkError(t, "the error", parkourmap.ErrNothingToEdit, <-done)
	if description := b.known(t)[0].Description; description != "" {
		t.Errorf("the map has the description %q again", description)
	}
}

// lastEdit returns the newest edit of a map.
func (b bundle) lastEdit(t *testing.T, mapID string) parkourmap.ListedEdit {
	t.Helper()
	edits, err := b.maps.Edits(t.Context(), mapID)
	if err != nil || len(edits) == 0 {
		t.Fatalf("edits: %+v, %v", edits, err)
	}
	return edits[0]
}
