package app_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gen2brain/webp"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func TestAPI_drawings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	s := b.submissionOf(cloudstep, 1000, `</title><script>alert(1)</script>`, "cloudstep")
	s.image, s.useDrawing = nil, "true"
	m := b.submitted(s)

	t.Run("SVG", func(t *testing.T) {
		if !regexp.MustCompile(`^/media/maps/[0-9a-f]{64}\.svg$`).MatchString(m.DrawingURL) {
			t.Fatalf("the drawing is at %q", m.DrawingURL)
		}
		a := b.get(m.DrawingURL)
		if a.Status != http.StatusOK || !bytes.HasPrefix(a.Raw, []byte("<svg ")) || bytes.Contains(a.Raw, []byte("<script")) {
			t.Errorf("got %d %s", a.Status, a.Raw)
		}
		for name, want := range map[string]string{
			"Content-Type":            "image/svg+xml",
			"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff",
			"Cache-Control":           "public, max-age=31536000, immutable",
		} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
	t.Run("pictures", func(t *testing.T) {
		if m.ImageURL != m.PictureURL || m.ThumbnailURL != strings.TrimSuffix(m.PictureURL, ".webp")+"-480.webp" {
			t.Fatalf("image %s, thumbnail %s, picture %s", m.ImageURL, m.ThumbnailURL, m.PictureURL)
		}
		for url, size := range map[string]image.Point{m.ImageURL: image.Pt(1200, 630), m.ThumbnailURL: image.Pt(480, 320)} {
			img, err := webp.Decode(bytes.NewReader(b.get(url).Raw))
			if err != nil || img.Bounds().Size() != size {
				t.Errorf("%s: %v, want a picture of %v", url, err, size)
			}
		}
	})
	t.Run("map data", func(t *testing.T) {
		data := servicetest.Data[struct{ MapData string }](t, b.get("/api/v1/maps/"+m.ID+"/data"))
		decoded, err := bonkmap.Decode(data.MapData)
		if err != nil || decoded.Name != m.Name {
			t.Errorf("the data decodes to %+v, %v", decoded, err)
		}
		if a := b.get("/api/v1/maps/" + parkourmaptest.MapID(9) + "/data"); a.Status != http.StatusNotFound {
			t.Errorf("the data of an unknown map: %d", a.Status)
		}
	})
	b.checkVersions(m.ID, []wireVersion{{ID: m.ID, Version: 1, Name: m.Name, Newest: true}})
	t.Run("ids", func(t *testing.T) {
		a := b.get("/api/v1/maps/ids?page=1")
		ids := servicetest.Data[[]wireMap](t, a)
		if len(ids) != 1 || ids[0].ID != m.ID || !ids[0].UpdatedAt.Equal(m.UpdatedAt) || a.Pagination["total"] != 1 ||
			a.Pagination["limit"] != 10_000 {
			t.Errorf("got %s", a.Raw)
		}
	})
}

func TestAPI_drawMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	draw := func(s submission) servicetest.Answer {
		body, contentType := submission{replay: s.replay}.form(t)
		return b.do(http.MethodPost, "/api/v1/maps/drawing", body, "Content-Type", contentType, "Authorization",
			"Bearer "+b.keys.Token(s.by))
	}
	before := b.traces()
	a := draw(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/svg+xml" ||
		!bytes.HasPrefix(a.Raw, []byte("<svg ")) {
		t.Errorf("got %d %s", a.Status, a.Raw)
	}
	crowded := b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep",
		func(m *bonkmap.Map, _ *lbreplay.Replay) {
			for range mapimage.MaxMarks {
				m.Spawns = append(m.Spawns, m.Spawns[0])
			}
		})
	for name, a := range map[string]servicetest.Answer{"drawing": draw(crowded), "submission": b.submit(crowded)} {
		if a.Status != http.StatusUnprocessableEntity || a.Code != "map_too_complex" ||
			!strings.Contains(a.Message, "1000 spawns") {
			t.Errorf("%s of a map with too many spawns: %d %s", name, a.Status, a.Raw)
		}
	}
	if a := b.do(http.MethodPost, "/api/v1/maps/drawing", nil); a.Status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", a.Status)
	}
	if after := b.traces(); after["maps"] != before["maps"] || after["pending_uploads"] != before["pending_uploads"] {
		t.Errorf("rows were left behind: %v, before %v", after, before)
	}
}

// wireVersion is a version of a map as the API returns it.
type wireVersion struct {
	ID      string `json:"_id"`
	Version int
	Name    string
	Newest  bool
}

// checkVersions compares the versions of a map with those wanted, the newest first.
func (b *bundle) checkVersions(id string, want []wireVersion) {
	b.t.Helper()
	got := servicetest.Data[[]wireVersion](b.t, b.get("/api/v1/maps/"+id+"/versions"))
	if diff := cmp.Diff(want, got); diff != "" {
		b.t.Errorf("versions of map %s (-want +got):\n%s", id, diff)
	}
}

// Maps from before there were drawings are drawn in the background, and again when an operator
// wants it. A new replica begins with a pass.
func TestService_draws_in_the_background(t *testing.T) {
	b := setup(t)
	m := b.submitted(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep"))
	_, err := b.Pool.Exec(t.Context(), `update maps set drawing_due = true, drawing_key = null, picture_key = null,
		picture_thumbnail_key = null, picture_bucket = null`)
	require.NoError(t, err)
	b.startReplica()
	eventually.WaitFor(t, "a drawing", func() bool {
		return servicetest.Data[wireMap](t, b.get("/api/v1/maps/"+m.ID)).DrawingURL == m.DrawingURL
	})
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 2 && "/media/"+s.PictureKey == m.PictureURL })

	if out := b.operator("draw", m.ID); out != "Maps that the running service draws again: 1.\n" {
		t.Errorf("draw printed %q", out)
	}
	b.startReplica()
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 3 })
	if _, err := b.command("draw", parkourmaptest.MapID(9)); err == nil {
		t.Error("draw of an unknown map returned no error")
	}
	if got := servicetest.Data[wireMap](t, b.get("/api/v1/maps/"+m.ID)); !got.UpdatedAt.Equal(m.UpdatedAt) {
		t.Errorf("a drawing has changed the time of the last change to %v", got.UpdatedAt)
	}
}

func TestAPI_versions(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	first := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	update := b.submissionOf(cloudstep, 1000, "Skyline Dash", "cloudstep")
	a := b.submit(update)
	updated := servicetest.Data[wireMap](t, a)
	if a.Status != http.StatusOK || updated.ID != first.ID || updated.Name != "Skyline Dash" {
		t.Errorf("the same physics by another name: %d %s", a.Status, a.Raw)
	}
	if a := b.submit(update); a.Status != http.StatusConflict || a.Code != "map_exists" {
		t.Errorf("the same data: %d %s", a.Status, a.Code)
	}
	second := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep",
		func(m *bonkmap.Map, _ *lbreplay.Replay) { m.Shapes[0] = bonkmap.Box{Width: 700, Height: 20} }))
	if second.Version != 2 || !second.Newest {
		t.Errorf("version 2: %+v", second)
	}
	b.checkVersions(first.ID, []wireVersion{
		{ID: second.ID, Version: 2, Name: "Skyline Run", Newest: true}, {ID: first.ID, Version: 1, Name: "Skyline Dash"},
	})
	if a := b.get("/api/v1/maps/search"); a.Pagination["total"] != 1 {
		t.Errorf("found %s", a.Raw)
	}
	b.awaitState(first.ID, func(s event.MapState) bool { return s.Superseded && s.MapVersion == 1 })
	state, err := eventbus.Call[event.GetMap, event.MapState](t.Context(), b.NATS, event.GetMapSubject,
		event.GetMap{GameMapID: 1000, Fingerprint: parkourmaptest.Drawing(1000, "", "").PhysicsFingerprint().String()})
	if err != nil || state.ID != first.ID {
		t.Errorf("the version with the fingerprint of the first: %+v, %v", state, err)
	}
	out := b.operator("remove", second.ID, "broken")
	if want := "Map " + second.ID + " is removed.\nVersion 1 stays: " + first.ID + "\n"; out != want {
		t.Errorf("remove printed %q, want %q", out, want)
	}
	b.checkVersions(first.ID, []wireVersion{{ID: first.ID, Version: 1, Name: "Skyline Dash", Newest: true}})
}

func TestAPI_previewMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	m := b.submitted(b.submissionOf(cloudstep, 1000, `<b>"Sky"</b> 空`, "cloudstep"))
	preview := func() []byte {
		t.Helper()
		a := b.get("/api/v1/maps/" + m.ID + "/preview.png")
		img, err := png.Decode(bytes.NewReader(a.Raw))
		if err != nil || img.Bounds().Size() != image.Pt(1200, 630) || a.Header.Get("Content-Type") != "image/png" ||
			!strings.Contains(a.Header.Get("Surrogate-Key"), m.ID) {
			t.Fatalf("got %d %v, %v", a.Status, a.Header, err)
		}
		return a.Raw
	}
	before := preview()
	require.NoError(t, b.Publish(t.Context(), event.MapStats{MapID: m.ID, Version: 1, Records: 1,
		WorldRecord: &event.WorldRecord{RecordID: parkourmaptest.MapID(1), PlayerID: cloudstep.ID, FinishTime: 41267},
	}))
	b.awaitRecords(m.ID, 1)
	got := servicetest.Data[wireMap](t, b.get("/api/v1/maps/"+m.ID)).WorldRecord
	want := &wireWorldRecord{ID: parkourmaptest.MapID(1), FinishTime: 41267}
	want.Player.ID, want.Player.Name = cloudstep.ID, "cloudstep"
	if got != nil {
		got.Player.SkinColor = nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("world record (-want +got):\n%s", diff)
	}
	if bytes.Equal(before, preview()) {
		t.Error("the preview does not show the world record")
	}
	if a := b.get("/api/v1/maps/" + parkourmaptest.MapID(9) + "/preview.png"); a.Status != http.StatusNotFound {
		t.Errorf("the preview of an unknown map: %d", a.Status)
	}
}

type wireWorldRecord struct {
	ID         string `json:"_id"`
	FinishTime int64
	Player     wirePlayer
}
