package parkourmap_test

import (
	"context"
	"errors"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

// What an author cannot take from others by an edit, the author cannot take by undoing one. Another moderator can.
func TestEditor_Undo_of_medals(t *testing.T) {
	t.Parallel()
	author := access.Attribution{Actor: byCloudstep, Reason: "It was too easy."}
	moderator := access.Attribution{Actor: byJudge, Reason: "It was too easy."}
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
			_, err := b.editor(counts).Edit(t.Context(), byCloudstep, id, parkourmap.RequestedEdit{
				UpdatedAt: before.UpdatedAt, Medals: parkourmap.RequestedMedals{Gold: &gold},
			})
			require.NoError(t, err)
			edited := b.known(t)[0]
			counts.counts = tt.held // a player finishes
			_, err = b.editor(counts).Undo(t.Context(), id, b.lastEdit(t, id).ID, tt.by)
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
			checkEqual(t, "medals", want, b.known(t)[0].Medals)
		})
	}
}

// The first medal times of a map are not undone by their author while others hold the medals.
func TestEditor_Undo_of_first_medals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, cloudstep, access.Moderator)
	id := b.submitted(t, validator).ID
	counts, authorTime := &medalCounts{}, int64(40_000)
	_, err := b.editor(counts).Edit(t.Context(), byCloudstep, id, parkourmap.RequestedEdit{
		UpdatedAt: b.known(t)[0].UpdatedAt, Medals: parkourmap.RequestedMedals{Author: &authorTime},
	})
	require.NoError(t, err)
	by, first := access.Attribution{Actor: byCloudstep, Reason: "No medals."}, b.lastEdit(t, id).ID
	counts.counts = event.MedalCounts{Bronze: 1}
	if _, err := b.editor(counts).Undo(t.Context(), id, first, by); !errors.Is(err, parkourmap.ErrMedalsHeld) {
		t.Errorf("while another player holds a medal: %v, want %v", err, parkourmap.ErrMedalsHeld)
	}
	counts.counts = event.MedalCounts{}
	if _, err := b.editor(counts).Undo(t.Context(), id, first, by); err != nil {
		t.Errorf("while nobody holds one: %v", err)
	}
	checkEqual(t, "medals", (*racetime.Medals)(nil), b.known(t)[0].Medals)
}

// A text that is deleted while an undo waits for the map does not come back.
func TestEditor_Undo_while_texts_are_deleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, judge, access.Moderator)
	id := b.submitted(t).ID
	editor := b.editor(&medalCounts{})
	for _, description := range []string{"My address.", ""} {
		_, err := editor.Edit(t.Context(), byCloudstep, id, parkourmap.RequestedEdit{
			UpdatedAt: b.known(t)[0].UpdatedAt, Description: &description,
		})
		require.NoError(t, err)
	}
	emptied := b.lastEdit(t, id).ID
	tx, err := b.pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), "select from maps for update"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := editor.Undo(context.WithoutCancel(t.Context()), id, emptied,
			access.Attribution{Actor: byJudge, Reason: "It was useful."})
		done <- err
	}()
	eventually.WaitFor(t, "the undo waits for the map", func() bool {
		return pgtest.Waiting(t, b.pool) > 0
	})
	if _, err := tx.Exec(t.Context(), `update map_edits set before = before || '{"description": ""}'`); err != nil {
		t.Fatal(err)
	}
	require.NoError(t, tx.Commit(t.Context()))
	if err := <-done; !errors.Is(err, parkourmap.ErrNothingToEdit) {
		t.Errorf("error %v, want %v", err, parkourmap.ErrNothingToEdit)
	}
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
