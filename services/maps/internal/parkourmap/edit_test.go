package parkourmap_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
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

// otherPicture is an image with other keys than the one of a submission.
var otherPicture = []byte("picture" + otherKeys)

var (
	byCloudstep = access.Player(cloudstep.ID, "cloudstep", nil)
	byJudge     = access.Player(judge.ID, "Judge", []string{access.Validator})
	byRain      = access.Player(rain.ID, "Rain", nil)
)

func TestEditor_Edit(t *testing.T) {
	t.Parallel()
	millis := func(ms int64) *int64 { return &ms }
	for _, tt := range []struct {
		name string
		by   access.Actor
		edit parkourmap.RequestedEdit
		held event.MedalCounts
		want []parkourmap.EditedField
		err  error
		// invalid are the fields of the problem.
		invalid []string
	}{
		{
			"the author changes everything", byCloudstep, parkourmap.RequestedEdit{
				Description: new("New."), Tags: []string{" Fast ", "fast"}, Image: otherPicture,
				Medals: parkourmap.RequestedMedals{Gold: millis(45_000)},
			}, event.MedalCounts{Author: 3, Silver: 3, Bronze: 3}, []parkourmap.EditedField{
				parkourmap.DescriptionField, parkourmap.TagsField, parkourmap.MedalsField, parkourmap.PictureField,
			}, nil, nil,
		},
		{
			"a validator changes the tags", byJudge, parkourmap.RequestedEdit{Tags: []string{}}, event.MedalCounts{},
			[]parkourmap.EditedField{parkourmap.TagsField}, nil, nil,
		},
		{
			"a validator sets no medals", byJudge,
			parkourmap.RequestedEdit{Medals: parkourmap.RequestedMedals{Gold: millis(45_000)}}, event.MedalCounts{}, nil,
			parkourmap.ErrMedalsNotAuthor, nil,
		},
		{
			"another player", byRain, parkourmap.RequestedEdit{Description: new("Mine.")}, event.MedalCounts{}, nil,
			access.ErrForbidden, nil,
		},
		{"nothing", byCloudstep, parkourmap.RequestedEdit{}, event.MedalCounts{}, nil, parkourmap.ErrNothingToEdit, nil},
		{
			"what is so already", byCloudstep,
			parkourmap.RequestedEdit{Description: new("Mind the gap."), Tags: []string{"SPEED"}}, event.MedalCounts{}, nil,
			parkourmap.ErrNothingToEdit, nil,
		},
		{
			"invalid values", byCloudstep, parkourmap.RequestedEdit{
				Description: new("\x00"), Tags: []string{"a,b"},
				Medals: parkourmap.RequestedMedals{Gold: millis(1), Bronze: millis(-1)},
			}, event.MedalCounts{}, nil, parkourmap.ErrMetadataRefused, []string{"description", "tags", "medalTimes.bronze"},
		},
		{
			"medals out of order", byCloudstep,
			parkourmap.RequestedEdit{Medals: parkourmap.RequestedMedals{Gold: millis(1000)}}, event.MedalCounts{}, nil,
			parkourmap.ErrMetadataRefused, []string{"medalTimes.gold"},
		},
		{
			"medals that others hold", byCloudstep, parkourmap.RequestedEdit{
				Medals: parkourmap.RequestedMedals{Gold: millis(44_000), Silver: millis(50_000)},
			}, event.MedalCounts{Gold: 1, Bronze: 1}, nil, parkourmap.ErrMedalsHeld, []string{"medalTimes.gold"},
		},
		{
			"an image that is none", byCloudstep, parkourmap.RequestedEdit{Image: []byte("text")}, event.MedalCounts{}, nil,
			errNoImage, nil,
		},
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
			if diff := cmp.Diff(tt.want, edits[0].Fields()); diff != "" || edits[0].EditorID != tt.by.ID ||
				edits[0].Editor.Name != tt.by.Name {
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
			if tt.by.ID != byCloudstep.ID { // not the author
				want = append(want, event.AuditWrittenSubject)
			}
			checkEqual(t, "events", want, facts)
		})
	}
}

// An edit of what the editor has not seen is refused, and of several at once one counts.
func TestEditor_Edit_concurrently(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	read := b.known(t)[0].UpdatedAt
	var mu sync.Mutex
	edited := 0
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			edit := parkourmap.RequestedEdit{UpdatedAt: read, Description: new(fmt.Sprint("version ", n))}
			_, err := b.editor(&medalCounts{}).Edit(t.Context(), byCloudstep, id, edit)
			switch {
			case err == nil:
				mu.Lock()
				edited++
				mu.Unlock()
			case !errors.Is(err, parkourmap.ErrMapChanged):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if edits, err := b.maps.Edits(t.Context(), id); err != nil || edited != 1 || len(edits) != 1 {
		t.Errorf("%d edits were made, %d are stored, %v", edited, len(edits), err)
	}
	if _, err := b.editor(&medalCounts{}).Edit(t.Context(), byCloudstep, id,
		parkourmap.RequestedEdit{Description: new("without a time")}); !errors.Is(err, parkourmap.ErrMetadataRefused) {
		t.Errorf("without the time of the map: %v", err)
	}
}

// renderDuring is Images during whose Render something happens.
type renderDuring struct {
	images
	happens func()
}

func (r renderDuring) Render(
	ctx context.Context, playerID string, image []byte,
) (full, thumbnail []byte, err error) {
	r.happens()
	return r.images.Render(ctx, playerID, image)
}

// The description of an author whose account was deleted is not written back by edits that began before.
func TestEditor_Edit_while_author_is_deleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	read := b.known(t)[0].UpdatedAt
	editor := b.editor(&medalCounts{})
	editor.Images = renderDuring{happens: func() {
		deleted := parkourmap.Player{ID: cloudstep.ID, Version: 2, Name: "deleted player 0001", Deleted: true}
		if err := b.maps.ApplyPlayer(t.Context(), deleted); err != nil {
			t.Error(err)
		}
	}}
	running := parkourmap.RequestedEdit{UpdatedAt: read, Image: otherPicture}
	if _, err := editor.Edit(t.Context(), byJudge, id, running); !errors.Is(err, parkourmap.ErrMapChanged) {
		t.Errorf("an edit whose picture was rendered meanwhile: %v", err)
	}
	late := parkourmap.RequestedEdit{UpdatedAt: read, Description: new("Mind the gap.")}
	if _, err := editor.Edit(t.Context(), byJudge, id, late); !errors.Is(err, parkourmap.ErrMapChanged) {
		t.Errorf("an edit from a page that was opened before: %v", err)
	}
	if m := b.known(t)[0]; m.Description != "" || !m.UpdatedAt.After(read) {
		t.Errorf("the map has the description %q and was updated at %v", m.Description, m.UpdatedAt)
	}
}

// An earlier release deletes descriptions without raising UpdatedAt.
func TestEditor_Edit_while_description_is_deleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	editor := b.editor(&medalCounts{})
	editor.Images = renderDuring{happens: func() { pgtest.Exec(t, b.pool, "update maps set description = ''") }}
	edit := parkourmap.RequestedEdit{UpdatedAt: b.known(t)[0].UpdatedAt, Image: otherPicture}
	if _, err := editor.Edit(t.Context(), byJudge, id, edit); !errors.Is(err, parkourmap.ErrMapChanged) {
		t.Errorf("the edit: %v", err)
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
	if _, err := b.editor(counts).Edit(t.Context(), byCloudstep, id, edit); !errors.Is(err, errAway) {
		t.Errorf("without the records service: %v", err)
	}
	counts.err = nil
	if _, err := b.editor(counts).Edit(t.Context(), byCloudstep, id, edit); err != nil {
		t.Fatal(err)
	}
	asked := event.CountMedals{MapID: id, WithoutPlayerID: cloudstep.ID, Medals: event.Medals{
		Author: int64(m.Medals.Author), Gold: int64(m.Medals.Gold), Silver: int64(m.Medals.Silver),
		Bronze: int64(m.Medals.Bronze),
	}}
	checkEqual(t, "asked", []event.CountMedals{asked, asked}, counts.asked)
	want := *m.Medals
	want.Gold = int(gold)
	want = want.Snapped()
	checkEqual(t, "medals", &want, b.known(t)[0].Medals)
}

// The author of a map that a validator has submitted gives it medal times, the author time first.
func TestEditor_Edit_first_medals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t, validator).ID
	edit := func(medals parkourmap.RequestedMedals) error {
		read := b.known(t)[0].UpdatedAt
		_, err := b.editor(&medalCounts{}).Edit(t.Context(), byCloudstep, id,
			parkourmap.RequestedEdit{UpdatedAt: read, Medals: medals})
		return err
	}
	gold, author := int64(45_000), int64(40_000)
	if err := edit(parkourmap.RequestedMedals{Gold: &gold}); !errors.Is(err, parkourmap.ErrMetadataRefused) {
		t.Errorf("gold alone: %v", err)
	}
	require.NoError(t, edit(parkourmap.RequestedMedals{Author: &author, Gold: &gold}))
	want := racetime.DefaultMedals(int(author))
	want.Gold = int(gold)
	want = want.Snapped()
	checkEqual(t, "medals", &want, b.known(t)[0].Medals)
}

func TestEditor_Undo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.setRoles(t, judge, access.Moderator)
	id := b.submitted(t).ID
	editor := b.editor(&medalCounts{counts: event.MedalCounts{Author: 1, Gold: 1, Silver: 1, Bronze: 1}})
	before := b.known(t)[0]
	edit := func(req parkourmap.RequestedEdit) string {
		t.Helper()
		req.UpdatedAt = b.known(t)[0].UpdatedAt
		if _, err := editor.Edit(t.Context(), byCloudstep, id, req); err != nil {
			t.Fatal(err)
		}
		edits, err := b.maps.Edits(t.Context(), id)
		require.NoError(t, err)
		return edits[0].ID
	}
	by := access.Attribution{Actor: access.Player(judge.ID, "Judge", []string{access.Moderator}), Reason: "indecent"}
	undo := func(editID string) error {
		_, err := editor.Undo(t.Context(), id, editID, by)
		return err
	}
	picture := edit(parkourmap.RequestedEdit{Description: new("One."), Image: otherPicture})
	second := edit(parkourmap.RequestedEdit{Description: new("Two.")})
	for name, tt := range map[string]struct {
		id, edit string
		by       access.Attribution
		want     error
	}{
		"no moderator":        {id, picture, access.Attribution{Actor: byRain, Reason: "x"}, access.ErrForbidden},
		"the author":          {id, picture, access.Attribution{Actor: byCloudstep, Reason: "x"}, access.ErrForbidden},
		"no reason":           {id, picture, access.Attribution{Actor: by.Actor}, access.ErrReasonMissing},
		"no map":              {"x", picture, by, parkourmap.ErrMapUnknown},
		"no edit":             {id, "x", by, parkourmap.ErrEditUnknown},
		"an unknown edit":     {id, uuid.NewString(), by, parkourmap.ErrEditUnknown},
		"an overwritten edit": {id, picture, by, parkourmap.ErrEditOverwritten},
	} {
		if _, err := editor.Undo(t.Context(), tt.id, tt.edit, tt.by); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
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
		if hidden, err := b.maps.IsHidden(t.Context(), key); err != nil || !hidden || !isReferenced(key) {
			t.Errorf("%s: hidden %v, %v, referenced %v", key, hidden, err, isReferenced(key))
		}
	}
	for _, editID := range []string{second, picture} {
		require.NoError(t, undo(editID))
	}
	after := b.known(t)[0]
	after.Version, after.UpdatedAt = before.Version, before.UpdatedAt
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the map after all was undone (-before +after):\n%s", diff)
	}
	if hidden, err := b.maps.IsHidden(t.Context(), before.Files.Image); err != nil || hidden {
		t.Errorf("the picture is hidden: %v, %v", hidden, err)
	}
	if err := undo(picture); !errors.Is(err, parkourmap.ErrEditOverwritten) {
		t.Errorf("undone twice: %v", err)
	}
	edits, err := editor.List(t.Context(), byCloudstep, id)
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
	checkEqual(t, "audit log", []string{undone, undone, undone}, actions)
	b.remove(t, id)
	if err := undo(edits[1].ID); !errors.Is(err, parkourmap.ErrMapUnknown) {
		t.Errorf("of a removed map: %v", err)
	}
}

func TestEditor_List(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.submitted(t).ID
	for name, tt := range map[string]struct {
		by   access.Actor
		id   string
		want error
	}{
		"the author": {byCloudstep, id, nil}, "a validator": {byJudge, id, nil},
		"another player": {byRain, id, access.ErrForbidden}, "no map": {byCloudstep, "x", parkourmap.ErrMapUnknown},
		"an unknown map": {byCloudstep, uuid.NewString(), parkourmap.ErrMapUnknown},
	} {
		if _, err := b.editor(&medalCounts{}).List(t.Context(), tt.by, tt.id); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
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
		edit := parkourmap.RequestedEdit{UpdatedAt: b.known(t)[0].UpdatedAt, Description: new(fmt.Sprint("edit ", n))}
		if n == 0 {
			edit.Image = otherPicture
		}
		if _, err := editor.Edit(t.Context(), byCloudstep, id, edit); err != nil {
			t.Fatal(err)
		}
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
	edit := func(by access.Actor) {
		t.Helper()
		_, err := b.editor(&medalCounts{}).Edit(t.Context(), by, id, parkourmap.RequestedEdit{
			UpdatedAt: b.known(t)[0].UpdatedAt, Description: new(uuid.NewString()),
		})
		require.NoError(t, err)
	}
	edit(byCloudstep)
	merged := parkourmap.Player{ID: cloudstep.ID, Version: 2, Removed: true, MergedInto: rain.ID}
	require.NoError(t, b.maps.ApplyPlayer(t.Context(), merged))
	edit(byCloudstep) // with a token of before the merge
	edits, err := b.editor(&medalCounts{}).List(t.Context(), byRain, id)
	if err != nil || len(edits) != 2 {
		t.Fatalf("edits: %v, %v", edits, err)
	}
	for _, e := range edits {
		if e.Editor.Name != "Rain" {
			t.Errorf("an edit is by %+v", e.Editor)
		}
	}
}
