package parkourmap_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func spawns(n int) change {
	return altered(func(replay *lbreplay.Replay) { replay.Map.Spawns = slices.Repeat(replay.Map.Spawns[:1], n) })
}

func TestSubmitter_Submit_use_drawing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	entry := b.submitted(t, func(in *toSubmit, _ *lbreplay.Replay) { in.Image, in.UseDrawing = nil, true })
	if entry.Files.Image != "" || entry.Files.Thumbnail != "" || entry.Files.Picture == "" || entry.Files.Drawing == "" {
		t.Errorf("files: %+v", entry.Files)
	}
}

func TestSubmitter_Submit_too_complex(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n, sentence := range map[int]string{
		mapimage.MaxMarks + 1: "1000 spawns", mapimage.MaxMarks/2 + 1: "cover each other", // see images.Paint
	} {
		_, err := b.submit(t, submission(t, spawns(n)))
		if !errors.Is(err, parkourmap.ErrMapTooComplex) || !strings.Contains(problem.From(err).Message, sentence) {
			t.Errorf("error = %v, want one that names %q", err, sentence)
		}
	}
}

func TestSubmitter_Draw(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.submitted(t)
	stored := len(b.files.stored)
	for _, tt := range []struct {
		name  string
		alter change
		want  error
	}{
		{"a map that exists", byAuthor, nil},
		{"another version", widened(700), nil},
		{"a map of another author", authored("Rain"), nil},
		{"another player's replay", altered(func(replay *lbreplay.Replay) { replay.PlayerName = "stranger" }),
			parkourmap.ErrReplayNotYours},
		{"a map without a finish", altered(func(replay *lbreplay.Replay) { replay.Map.CapZones = nil }),
			parkourmap.ErrFinishMissing},
		{"too many spawns", spawns(mapimage.MaxMarks + 1), parkourmap.ErrMapTooComplex},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := submission(t, tt.alter)
			svg, err := b.Draw(t.Context(), in.by, in.Replay, bonkmap.Classic)
			if !errors.Is(err, tt.want) || err == nil && !bytes.HasPrefix(svg, []byte("<svg ")) {
				t.Errorf("got %.40q, %v, want the error %v", svg, err, tt.want)
			}
		})
	}
	if len(b.files.stored) != stored {
		t.Errorf("stored %v", b.files.stored[stored:])
	}
}

// due creates the n-th map, which has to be drawn.
func (b bundle) due(t *testing.T, n int, alter func(*bonkmap.Map)) string {
	t.Helper()
	m := parkourmaptest.Drawing(1000+n, "Skyline Run", "cloudstep")
	alter(m)
	encoded, err := bonkmap.Encode(m)
	require.NoError(t, err)
	c := parkourmaptest.NewMap(n)
	c.EncodedMap = encoded
	require.NoError(t, errorOf(b.maps.Submit(t.Context(), c)))
	return c.Map.ID
}

func newDrawer(b bundle, files parkourmap.DrawingFiles) *parkourmap.Drawer {
	return &parkourmap.Drawer{Maps: b.maps, Players: b.Players, Parser: b.Parser, Painter: images{}, Files: files}
}

func TestDrawer_DrawNext(t *testing.T) {
	t.Parallel()
	b := setup(t)
	drawer := newDrawer(b, b.files)
	undecodable := parkourmaptest.NewMap(1)
	require.NoError(t, errorOf(b.maps.Submit(t.Context(), undecodable)))
	crowded := b.due(t, 2, func(m *bonkmap.Map) { m.Spawns = slices.Repeat(m.Spawns, mapimage.MaxMarks+1) })
	usual := b.due(t, 3, func(m *bonkmap.Map) { m.Mode = bonkmap.NoMode }) // that of the leaderboard is Classic

	for _, id := range []string{undecodable.Map.ID, crowded} {
		found, err := drawer.DrawNext(t.Context())
		if !found || !errors.Is(err, parkourmap.ErrUndrawable) {
			t.Errorf("map %s: %v, %v, want ErrUndrawable", id, found, err)
		}
	}
	// While the storage is unavailable the map stays due.
	away := newDrawer(b, unavailableFiles{b.files})
	if _, err := away.DrawNext(t.Context()); problem.From(err).Kind != problem.KindUnavailable {
		t.Errorf("without the storage: %v", err)
	}
	if found, err := drawer.DrawNext(t.Context()); !found || err != nil {
		t.Fatalf("a usual map: %v, %v", found, err)
	}
	if found, err := drawer.DrawNext(t.Context()); found || err != nil {
		t.Errorf("after the last map: %v, %v", found, err)
	}
	m, err := b.maps.ByID(t.Context(), usual)
	require.NoError(t, err)
	want := parkourmaptest.NewMap(3).Map
	want.Version, want.DrawingDue = 2, false
	want.Files.Drawing, want.Files.Picture = "drawings/<svg xml", "maps/drawn Sk"
	want.Files.PictureThumbnail = "maps/small Sk"
	want.Files.PictureBucket = "capzone-maps"
	assert.Equal(t, "map", want, m)
	drawn, err := mapimage.SVG(parkourmaptest.Drawing(1003, "Skyline Run", "cloudstep"))
	require.NoError(t, err)
	assert.Equal(t, "drawing", string(drawn), string(b.files.drawing))
	assert.Equal(t, "claimed files", []string{"drawings/<svg xml", "maps/drawn Sk", "maps/small Sk"}, b.files.claimed())
}

// unavailableFiles is a storage that does not answer.
type unavailableFiles struct{ *files }

func (unavailableFiles) PutDrawing(
	context.Context, parkourmap.Drawing,
) (svg, picture, thumbnail storedfile.Upload, err error) {
	return svg, picture, thumbnail, objectstore.ErrStorageUnavailable
}

// A map that is submitted again while it is drawn keeps the drawing of its submission. One that is removed gets its
// drawing, with which it can be restored.
func TestDrawer_DrawNext_changed_meanwhile(t *testing.T) {
	t.Parallel()
	draw := func(b bundle, do func()) {
		drawer := newDrawer(b, meanwhile{b.files, do})
		if found, err := drawer.DrawNext(t.Context()); !found || err != nil {
			t.Fatalf("DrawNext returned %v, %v", found, err)
		}
	}
	updated, removed := setup(t), setup(t)
	id := updated.submitted(t).ID
	require.NoError(t, errorOf(updated.maps.SetDue(t.Context(), id)))
	draw(updated, func() { updated.submitted(t, recoloured) })
	if m, err := updated.maps.ByID(t.Context(), id); err != nil || m.Version != 2 {
		t.Errorf("the version of the state is %d, %v, want 2, that of the update", m.Version, err)
	}
	id = removed.due(t, 1, func(*bonkmap.Map) {})
	draw(removed, func() { removed.remove(t, id) })
	m, err := removed.maps.ByID(t.Context(), id)
	if err != nil || !m.IsRemoved() || m.Files.Drawing == "" || len(removed.files.claimed()) != 3 {
		t.Errorf("the map is %+v, %v, with the files %v", m, err, removed.files.claimed())
	}
}

// meanwhile calls do before it stores a drawing.
type meanwhile struct {
	*files
	do func()
}

func (m meanwhile) PutDrawing(
	ctx context.Context, d parkourmap.Drawing,
) (svg, picture, thumbnail storedfile.Upload, err error) {
	m.do()
	return m.files.PutDrawing(ctx, d)
}

// One map is drawn at a time, by one of the replicas.
func TestDrawer_DrawNext_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.due(t, 1, func(*bonkmap.Map) {})
	b.due(t, 2, func(*bonkmap.Map) {})
	other := newDrawer(b, b.files)
	drawer := newDrawer(b, meanwhile{b.files, func() {
		if found, err := other.DrawNext(t.Context()); found || err != nil {
			t.Errorf("another drawing at the same time: %v, %v", found, err)
		}
	}})
	if found, err := drawer.DrawNext(t.Context()); !found || err != nil {
		t.Errorf("DrawNext returned %v, %v", found, err)
	}
}

func TestVersions_SetDrawing(t *testing.T) {
	t.Parallel()
	drawing := parkourmap.FileKeys{Drawing: "d", Picture: "p", PictureThumbnail: "t", PictureBucket: "b"}
	due := parkourmap.Versions{{ID: "a", DrawingDue: true, UpdatedAt: now}, {ID: "b", UpdatedAt: now}}
	drawn := slices.Clone(due)
	drawn[0].Files, drawn[0].DrawingDue = drawing, false
	for name, tt := range map[string]struct {
		id        string
		updatedAt time.Time
		want      parkourmap.Versions
		ok        bool
	}{
		"due": {"a", now, drawn, true}, "changed meanwhile": {"a", now.Add(-time.Second), due, false},
		"drawn meanwhile": {"b", now, due, false}, "unknown": {"c", now, due, false},
	} {
		got, ok := due.SetDrawing(parkourmap.DrawnMap{
			DueMap: parkourmap.DueMap{ID: tt.id, UpdatedAt: tt.updatedAt}, Drawing: drawing,
		})
		assert.Equal(t, name, tt.want, got)
		assert.Equal(t, name, tt.ok, ok)
	}
}
