package app_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/gen2brain/webp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func TestAPI_drawings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.submissionOf(b.Players.player("cloudstep"), 1000, `</title><script>alert(1)</script>`, "cloudstep")
	s.image, s.useDrawing = nil, "true"
	m := b.submitted(s)
	id := m.UnderscoreId

	svg := b.get(*m.DrawingUrl)
	if svg.Status != http.StatusOK || !bytes.HasPrefix(svg.Raw, []byte("<svg ")) ||
		bytes.Contains(svg.Raw, []byte("<script")) {
		t.Errorf("the drawing: %d %s", svg.Status, svg.Raw)
	}
	for name, want := range map[string]string{
		"Content-Type":            "image/svg+xml",
		"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "public, max-age=31536000, immutable",
	} {
		assert.Equal(t, name, want, svg.Header.Get(name))
	}
	assert.Equal(t, "image", *m.PictureUrl, m.ImageUrl)
	checkImage(t, b.get(m.ImageUrl), image.Pt(1200, 630))
	checkImage(t, b.get(m.ThumbnailUrl), image.Pt(480, 320))

	data := servicetest.Data[httpapi.MapData](t, b.get("/api/v1/maps/"+id+"/data"))
	if decoded, err := bonkmap.Decode(data.MapData); err != nil || decoded.Name != m.Name {
		t.Errorf("the data decodes to %+v, %v", decoded, err)
	}
	for _, part := range []string{"/data", "/preview.png", "/versions"} {
		if a := b.get("/api/v1/maps/" + parkourmaptest.MapID(9) + part); a.Status != http.StatusNotFound {
			t.Errorf("%s of an unknown map: %d", part, a.Status)
		}
	}
	a := b.get("/api/v1/maps/ids?page=1")
	assert.Equal(t, "ids", []httpapi.EntityId{{UnderscoreId: id, UpdatedAt: m.UpdatedAt}},
		servicetest.Data[[]httpapi.EntityId](t, a))
	if a.Pagination["total"] != 1.0 || a.Pagination["limit"] != 10_000.0 {
		t.Errorf("ids: %s", a.Raw)
	}
}

// checkImage checks that a WebP picture of a size was answered.
func checkImage(t *testing.T, a servicetest.Answer, size image.Point) {
	t.Helper()
	img, err := webp.Decode(bytes.NewReader(a.Raw))
	if err != nil || img.Bounds().Size() != size {
		t.Errorf("got %d %v, want a picture of %v", a.Status, err, size)
	}
}

func TestAPI_drawMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	draw := func(s submission, more ...servicetest.Part) servicetest.Answer {
		body, contentType := servicetest.Form(t, append(more, servicetest.Part{
			Name: "replayFile", File: "replay.lbReplay", Data: s.replay,
		})...)
		return b.do(http.MethodPost, "/api/v1/maps/drawing", body, "Content-Type", contentType, "Authorization",
			"Bearer "+b.keys.Token(s.by))
	}
	before := b.traces()
	a := draw(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/svg+xml" ||
		!bytes.HasPrefix(a.Raw, []byte("<svg ")) {
		t.Errorf("got %d %s", a.Status, a.Raw)
	}
	in := func(mode bonkmap.Mode) func(*bonkmap.Map, *lbreplay.Replay) {
		return func(m *bonkmap.Map, r *lbreplay.Replay) { m.Mode, r.GameMode = mode, lbreplay.UnknownGameMode }
	}
	asked := draw(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep", in(bonkmap.NoMode)),
		servicetest.Part{Name: "gameMode", Data: []byte("Grapple")})
	saved := draw(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep", in(bonkmap.Grapple)))
	assert.Equal(t, "drawn in the asked mode", string(saved.Raw), string(asked.Raw))
	unknown := draw(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"),
		servicetest.Part{Name: "gameMode", Data: []byte("Racing")})
	assert.Equal(t, "in a mode that there is not", http.StatusBadRequest, unknown.Status)
	if a := b.do(http.MethodPost, "/api/v1/maps/drawing", nil); a.Status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", a.Status)
	}
	assert.Equal(t, "rows", before, b.traces())
}

// Maps are drawn again, in the background, when an operator wants it. A new replica begins with a pass.
func TestService_draws_in_the_background(t *testing.T) {
	b := setup(t)
	m := b.submitted(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep"))
	id := m.UnderscoreId
	_, err := b.Pool.Exec(t.Context(), `update maps set drawing_due = true, drawing_key = null, picture_key = null,
		picture_thumbnail_key = null, picture_bucket = null`)
	require.NoError(t, err)
	b.startReplica()
	b.awaitState(id, func(s event.MapState) bool { return s.Version == 2 && "/media/"+s.PictureKey == *m.PictureUrl })
	assert.Equal(t, "draw printed", "Maps that the running service draws again: 1.\n", b.operator("draw", id))
	b.startReplica()
	b.awaitState(id, func(s event.MapState) bool { return s.Version == 3 })
	if _, err := b.command("draw", parkourmaptest.MapID(9)); err == nil {
		t.Error("draw of an unknown map returned no error")
	}
	assert.Equal(t, "the drawn map", m, b.read(id))
}

func TestAPI_versions(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	first := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	a := b.submit(b.submissionOf(cloudstep, 1000, "Skyline Dash", "cloudstep"))
	updated := servicetest.Data[httpapi.ParkourMap](t, a)
	if a.Status != http.StatusOK || updated.UnderscoreId != first.UnderscoreId || updated.Name != "Skyline Dash" {
		t.Errorf("the same physics by another name: %d %s", a.Status, a.Raw)
	}
	second := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep",
		func(m *bonkmap.Map, _ *lbreplay.Replay) { m.Shapes[0] = bonkmap.Box{Width: 700, Height: 20} }))
	assert.Equal(t, "versions", []httpapi.MapVersion{
		{UnderscoreId: second.UnderscoreId, Version: 2, Name: "Skyline Run", Newest: true, CreatedAt: second.CreatedAt},
		{UnderscoreId: first.UnderscoreId, Version: 1, Name: "Skyline Dash", CreatedAt: first.CreatedAt},
	}, servicetest.Data[[]httpapi.MapVersion](t, b.get("/api/v1/maps/"+first.UnderscoreId+"/versions")))
	b.awaitState(first.UnderscoreId, func(s event.MapState) bool { return s.Superseded && s.MapVersion == 1 })
	state, err := eventbus.Call[event.MapState](t.Context(), b.NATS, event.GetMapSubject,
		event.GetMap{GameMapID: 1000, Fingerprint: parkourmaptest.Drawing(1000, "", "").PhysicsFingerprint().String()})
	if err != nil || state.ID != first.UnderscoreId {
		t.Errorf("the version with the fingerprint of the first: %+v, %v", state, err)
	}
	assert.Equal(t, "remove printed",
		"Map "+second.UnderscoreId+" is removed.\nVersion 1 stays: "+first.UnderscoreId+"\n",
		b.operator("remove", second.UnderscoreId, "broken"))
}

func TestAPI_previewMap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	id := b.submitted(b.submissionOf(cloudstep, 1000, `<b>"Sky"</b> 空`, "cloudstep")).UnderscoreId
	preview := func() []byte {
		t.Helper()
		a := b.get("/api/v1/maps/" + id + "/preview.png")
		img, err := png.Decode(bytes.NewReader(a.Raw))
		if err != nil || img.Bounds().Size() != image.Pt(1200, 630) || a.Header.Get("Content-Type") != "image/png" ||
			!strings.Contains(a.Header.Get("Surrogate-Key"), id) {
			t.Fatalf("got %d %v, %v", a.Status, a.Header, err)
		}
		return a.Raw
	}
	before := preview()
	require.NoError(t, b.Publish(t.Context(), event.MapStats{MapID: id, Version: 1, Records: 1,
		WorldRecord: &event.WorldRecord{RecordID: parkourmaptest.MapID(1), PlayerID: cloudstep.ID, FinishTime: 41267},
	}))
	b.awaitRecords(id, 1)
	m := b.read(id)
	assert.Equal(t, "world record",
		&httpapi.WorldRecord{UnderscoreId: parkourmaptest.MapID(1), FinishTime: 41267, Player: m.Author}, m.WorldRecord)
	if bytes.Equal(before, preview()) {
		t.Error("the preview does not show the world record")
	}
}
