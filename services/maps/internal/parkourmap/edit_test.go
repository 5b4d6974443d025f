package parkourmap_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/parkourmap"
)

// medalCounts stands in for the records service.
type medalCounts struct {
	counts event.MedalCounts
	err    error
	asked  []event.CountMedals
}

func (c *medalCounts) CountMedals(_ context.Context, req event.CountMedals) (event.MedalCounts, error) {
	c.asked = append(c.asked, req)
	return c.counts, c.err
}

// editor returns an editor of the bundle's maps, whose medals others hold as counts says.
func (b bundle) editor(counts *medalCounts) *parkourmap.Editor {
	return &parkourmap.Editor{
		Maps: b.maps, Players: b.Players, Medals: counts, Images: images{}, Files: b.files, Now: b.Now, NewID: b.NewID,
	}
}

// edit edits the newest state of the map by an editor.
func (b bundle) edit(
	t *testing.T, e *parkourmap.Editor, by access.Attribution, id string, req parkourmap.RequestedEdit,
) error {
	t.Helper()
	req.UpdatedAt = b.known(t)[0].UpdatedAt
	_, err := e.Edit(t.Context(), by, id, req)
	return err
}

// otherPicture is an image with other keys than the one of a submission.
var otherPicture = []byte("picture" + otherKeys)

var (
	byCloudstep = access.Attribution{Actor: access.Player(cloudstep.ID, "cloudstep", nil)}
	byJudge     = access.Attribution{Actor: access.Player(judge.ID, "Judge", []string{access.Validator})}
	byRain      = access.Attribution{Actor: access.Player(rain.ID, "Rain", nil)}
)

func TestEditor_Edit(t *testing.T) {
	t.Parallel()
	medals := func(gold, silver, bronze *int64) parkourmap.RequestedEdit {
		return parkourmap.RequestedEdit{Medals: parkourmap.RequestedMedals{Gold: gold, Silver: silver, Bronze: bronze}}
	}
	everything, invalid := medals(ms(45_000), nil, nil), medals(ms(1), nil, ms(-1))
	everything.Description, everything.Tags, everything.Image = new("New."), []string{" Fast ", "fast"}, otherPicture
	invalid.Description, invalid.Tags = new("\x00"), []string{"a,b"}
	same := parkourmap.RequestedEdit{Description: new("Mind the gap."), Tags: []string{"SPEED"}}
	for _, tt := range []struct {
		name string
		by   access.Attribution
		edit parkourmap.RequestedEdit
		held event.MedalCounts
		want []parkourmap.EditedField
		err  error
		// invalid are the fields of the problem.
		invalid []string
	}{
		{name: "the author changes everything", by: byCloudstep, edit: everything,
			held: event.MedalCounts{Author: 3, Silver: 3, Bronze: 3}, want: []parkourmap.EditedField{
				parkourmap.DescriptionField, parkourmap.TagsField, parkourmap.MedalsField, parkourmap.PictureField,
			}},
		{name: "a validator changes the tags", by: byJudge, edit: parkourmap.RequestedEdit{Tags: []string{}},
			want: []parkourmap.EditedField{parkourmap.TagsField}},
		{name: "a validator sets no medals", by: byJudge, edit: medals(ms(45_000), nil, nil),
			err: parkourmap.ErrMedalsNotAuthor},
		{name: "another player", by: byRain, edit: parkourmap.RequestedEdit{Description: new("Mine.")},
			err: access.ErrForbidden},
		{name: "nothing", by: byCloudstep, err: parkourmap.ErrNothingToEdit},
		{name: "what is so already", by: byCloudstep, edit: same, err: parkourmap.ErrNothingToEdit},
		{name: "invalid values", by: byCloudstep, edit: invalid, err: parkourmap.ErrMetadataRefused,
			invalid: []string{"description", "tags", "medalTimes.bronze"}},
		{name: "medals out of order", by: byCloudstep, edit: medals(ms(1000), nil, nil),
			err: parkourmap.ErrMetadataRefused, invalid: []string{"medalTimes.gold"}},
		{name: "medals that others hold", by: byCloudstep, edit: medals(ms(44_000), ms(50_000), nil),
			held: event.MedalCounts{Gold: 1, Bronze: 1}, err: parkourmap.ErrMedalsHeld, invalid: []string{"medalTimes.gold"}},
		{name: "an image that is none", by: byCloudstep, edit: parkourmap.RequestedEdit{Image: []byte("text")},
			err: errNoImage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.submitted(t)
			before := b.known(t)[0]
			events := len(outboxtest.All(t, b.pool))
			tt.edit.UpdatedAt = before.UpdatedAt
			_, err := b.editor(&medalCounts{counts: tt.held}).Edit(t.Context(), tt.by, before.ID, tt.edit)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if tt.err != nil {
				var invalid []string
				if p := problem.From(err); p != nil {
					for _, f := range p.Fields {
						invalid = append(invalid, f.Field)
					}
				}
				if diff := cmp.Diff(tt.invalid, invalid); diff != "" && tt.invalid != nil {
					t.Errorf("invalid fields (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(before, b.known(t)[0]); diff != "" || len(outboxtest.All(t, b.pool)) != events {
					t.Errorf("a refused edit left something (-before +after):\n%s", diff)
				}
				return
			}
			edits, err := b.maps.Edits(t.Context(), before.ID)
			if err != nil || len(edits) != 1 {
				t.Fatalf("edits: %+v, %v", edits, err)
			}
			if diff := cmp.Diff(tt.want, edits[0].Fields()); diff != "" || edits[0].EditorID != tt.by.Actor.ID ||
				edits[0].Editor.Name != tt.by.Actor.Name {
				t.Errorf("edit %+v, fields (-want +got):\n%s", edits[0], diff)
			}
			after := b.known(t)[0]
			if after.Version != before.Version+1 || !after.UpdatedAt.After(before.UpdatedAt) {
				t.Errorf("the map has version %d and was updated at %v", after.Version, after.UpdatedAt)
			}
			var facts []string
			for _, m := range outboxtest.All(t, b.pool)[events:] {
				facts = append(facts, m.Subject)
			}
			want := []string{event.MapStatePrefix + before.ID, event.MapEditedSubject}
			if tt.by.Actor.ID != byCloudstep.Actor.ID { // not the author
				want = append(want, event.AuditWrittenSubject)
			}
			assert.Equal(t, "events", want, facts)
		})
	}
}

// An edit of what the editor has not seen is refused.
func TestEditor_Edit_outdated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	edit := parkourmap.RequestedEdit{Description: new("without a time")}
	editor := b.editor(&medalCounts{})
	checkError(t, "without the time of the map", parkourmap.ErrMetadataRefused,
		errorOf(editor.Edit(t.Context(), byCloudstep, id, edit)))
	edit.UpdatedAt = b.known(t)[0].UpdatedAt
	require.NoError(t, errorOf(editor.Edit(t.Context(), byCloudstep, id, edit)))
	edit.Description = new("version 2")
	checkError(t, "after another edit", parkourmap.ErrMapChanged,
		errorOf(editor.Edit(t.Context(), byCloudstep, id, edit)))
}

// renderDuring is Images during whose Render something happens.
type renderDuring struct {
	images
	happens func()
}

func (r renderDuring) Render(ctx context.Context, image []byte) (full, thumbnail []byte, err error) {
	r.happens()
	return r.images.Render(ctx, image)
}

// The description of an author whose account was deleted is not written back by edits that began before.
func TestEditor_Edit_while_author_is_deleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	read := b.known(t)[0].UpdatedAt
	editor := b.editor(&medalCounts{})
	editor.Images = renderDuring{happens: func() {
		b.apply(t, parkourmap.Player{ID: cloudstep.ID, Version: 2, Name: "deleted player 0001", Deleted: true})
	}}
	running := parkourmap.RequestedEdit{UpdatedAt: read, Image: otherPicture}
	checkError(t, "an edit whose picture was rendered meanwhile", parkourmap.ErrMapChanged,
		errorOf(editor.Edit(t.Context(), byJudge, id, running)))
	late := parkourmap.RequestedEdit{UpdatedAt: read, Description: new("Mind the gap.")}
	checkError(t, "an edit from a page that was opened before", parkourmap.ErrMapChanged,
		errorOf(editor.Edit(t.Context(), byJudge, id, late)))
	if m := b.known(t)[0]; m.Description != "" || !m.UpdatedAt.After(read) {
		t.Errorf("the map has the description %q and was updated at %v", m.Description, m.UpdatedAt)
	}
}

// The medals are counted once, by the times before, without the author.
func TestEditor_Edit_medals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	m := b.known(t)[0]
	counts := &medalCounts{}
	gold := int64(m.Medals.Gold) + 3000
	edit := parkourmap.RequestedEdit{UpdatedAt: m.UpdatedAt, Medals: parkourmap.RequestedMedals{Gold: &gold}}
	counts.err = errAway
	checkError(t, "without the records service", errAway,
		errorOf(b.editor(counts).Edit(t.Context(), byCloudstep, id, edit)))
	counts.err = nil
	require.NoError(t, errorOf(b.editor(counts).Edit(t.Context(), byCloudstep, id, edit)))
	asked := event.CountMedals{MapID: id, WithoutPlayerID: cloudstep.ID, Medals: event.Medals(*m.Medals)}
	assert.Equal(t, "asked", []event.CountMedals{asked, asked}, counts.asked)
	want := *m.Medals
	want.Gold = int(gold)
	want = want.Snapped()
	assert.Equal(t, "medals", &want, b.known(t)[0].Medals)
}

// The author of a map that a validator has submitted gives it medal times, the author time first.
func TestEditor_Edit_first_medals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t, validator).ID
	edit := func(medals parkourmap.RequestedMedals) error {
		return b.edit(t, b.editor(&medalCounts{}), byCloudstep, id, parkourmap.RequestedEdit{Medals: medals})
	}
	gold, author := int64(45_000), int64(40_000)
	checkError(t, "gold alone", parkourmap.ErrMetadataRefused, edit(parkourmap.RequestedMedals{Gold: &gold}))
	require.NoError(t, edit(parkourmap.RequestedMedals{Author: &author, Gold: &gold}))
	want := racetime.DefaultMedals(int(author))
	want.Gold = int(gold)
	want = want.Snapped()
	assert.Equal(t, "medals", &want, b.known(t)[0].Medals)
}

func TestEditor_List(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	for name, tt := range map[string]struct {
		by   access.Attribution
		id   string
		want error
	}{
		"the author": {byCloudstep, id, nil}, "a validator": {byJudge, id, nil},
		"another player": {byRain, id, access.ErrForbidden}, "no map": {byCloudstep, "x", parkourmap.ErrMapUnknown},
		"an unknown map": {byCloudstep, uuid.NewString(), parkourmap.ErrMapUnknown},
	} {
		checkError(t, name, tt.want, errorOf(b.editor(&medalCounts{}).List(t.Context(), tt.by.Actor, tt.id)))
	}
}

// The newest hundred edits of a map are kept, and the pictures of older ones are released.
func TestEditor_Edit_many(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	first := b.known(t)[0].Files
	at := now
	editor := b.editor(&medalCounts{})
	editor.Now = func() time.Time { at = at.Add(time.Second); return at }
	for n := range parkourmap.MaxEdits + 2 {
		edit := parkourmap.RequestedEdit{Description: new(fmt.Sprint("edit ", n))}
		if n == 0 {
			edit.Image = otherPicture
		}
		require.NoError(t, b.edit(t, editor, byCloudstep, id, edit))
	}
	edits, err := b.maps.Edits(t.Context(), id)
	if err != nil || len(edits) != parkourmap.MaxEdits || edits[0].After.Description != "edit 101" {
		t.Errorf("%d edits, %v", len(edits), err)
	}
	released := pgtest.Rows[struct{ Key string }](t, b.pool, "select key from pending_uploads")
	if !slices.ContainsFunc(released, func(r struct{ Key string }) bool { return r.Key == first.Image }) {
		t.Errorf("released: %v, want %s", released, first.Image)
	}
}

// Edits by a merged player are the other's.
func TestEditor_Edit_merge(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	edit := func(by access.Attribution) {
		t.Helper()
		req := parkourmap.RequestedEdit{Description: new(uuid.NewString())}
		require.NoError(t, b.edit(t, b.editor(&medalCounts{}), by, id, req))
	}
	edit(byCloudstep)
	merged := parkourmap.Player{ID: cloudstep.ID, Version: 2, Removed: true, MergedInto: rain.ID}
	b.apply(t, merged)
	edit(byCloudstep) // with a token of before the merge
	edits, err := b.editor(&medalCounts{}).List(t.Context(), byRain.Actor, id)
	if err != nil || len(edits) != 2 {
		t.Fatalf("edits: %v, %v", edits, err)
	}
	for _, e := range edits {
		if e.Editor.Name != "Rain" {
			t.Errorf("an edit is by %+v", e.Editor)
		}
	}
}

func TestVersions_Edit(t *testing.T) {
	t.Parallel()
	at := now.Add(time.Hour)
	old, changed := parkourmap.EditedValues{Description: "old"}, parkourmap.EditedValues{Description: "changed"}
	versions := parkourmap.Versions{{ID: "a", Description: "old", UpdatedAt: now}, {ID: "b", RemovedAt: now}}
	undoable := parkourmap.Edit{ID: "e", MapID: "a", Before: changed, After: old}
	by := access.Attribution{Actor: access.Player("editor", "", nil), Reason: "why"}
	values := func(description string) map[string]any { return map[string]any{"description": description} }
	for name, tt := range map[string]struct {
		id        string
		after     parkourmap.EditedValues
		updatedAt time.Time
		undone    parkourmap.Edit
		action    access.Action
		err       error
	}{
		"unknown":  {id: "x", after: changed, updatedAt: now, err: parkourmap.ErrMapUnknown},
		"removed":  {id: "b", after: changed, err: parkourmap.ErrMapUnknown},
		"outdated": {id: "a", after: changed, updatedAt: at, err: parkourmap.ErrMapChanged},
		"nothing":  {id: "a", after: old, updatedAt: now, err: parkourmap.ErrNothingToEdit},
		"overwritten": {id: "a", undone: parkourmap.Edit{ID: "e", After: changed}, action: access.UndoEdit,
			err: parkourmap.ErrEditOverwritten},
		"by the author":            {id: "a", after: changed, updatedAt: now, action: access.EditOwnMap},
		"by a validator":           {id: "a", after: changed, updatedAt: now, action: access.EditMap},
		"an edit undone":           {id: "a", undone: undoable, action: access.UndoEdit},
		"undone, of a removed map": {id: "b", undone: undoable, action: access.UndoEdit, err: parkourmap.ErrMapUnknown},
	} {
		change, edit, err := versions.Edit(parkourmap.PlannedEdit{
			ID: "f", MapID: tt.id, UpdatedAt: tt.updatedAt, After: tt.after, Undoes: tt.undone.ID, Action: tt.action,
			By: by, At: at,
		}, tt.undone)
		checkError(t, name, tt.err, err)
		if tt.err != nil {
			assert.Equal(t, name, parkourmap.Change{}, change)
			continue
		}
		assert.Equal(t, name, parkourmap.Edit{
			ID: "f", MapID: "a", At: at, EditorID: "editor", Before: old, After: changed, Undoes: tt.undone.ID, Reason: "why",
		}, edit)
		want := parkourmap.Change{
			Versions: parkourmap.Versions{{ID: "a", Description: "changed", UpdatedAt: at}, versions[1]},
			Facts: []event.Fact{event.MapEdited{
				MapID: "a", EditID: "f", EditorID: "editor", Undoes: tt.undone.ID, Reason: "why",
			}},
		}
		if tt.action != access.EditOwnMap {
			want.Entries = []access.Entry{{
				By: by, Action: tt.action, Target: "a", Before: values("3 characters"), After: values("7 characters"),
			}}
		}
		assert.Equal(t, name, want, change)
	}
}
