package app_test

import (
	"bytes"
	"image"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/services/maps/internal/parkourmaptest"
	"capzone.dev/services/maps/internal/postgres"
)

func TestAPI_submit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	s := b.submissionOf(cloudstep, 1000, "Skyline Run", "CloudStep")
	s.image = picture(t, 2000, 1000)
	m := b.submitted(s)

	t.Run("publishes the first record, with a readable file", func(t *testing.T) {
		fact := servicetest.AwaitFact[event.MapCreated](b.Servers, event.MapCreatedSubject)
		want := event.MapCreated{
			MapID: m.UnderscoreId, SubmittedByID: cloudstep.ID, ReplayBucket: b.cfg.Bucket,
			ReplayKey:  "replays/" + objectstore.Hash(s.replay) + ".lbReplay",
			ReplayHash: objectstore.Hash(s.replay), FinishTime: 41267, FinishTimeStamp: parkourmaptest.FinishedAt,
		}
		assert.Equal(t, "fact", want, fact)
		stored, err := b.Files.GetFrom(t.Context(), fact.ReplayBucket, fact.ReplayKey, 5<<20)
		if err != nil || !bytes.Equal(stored, s.replay) {
			t.Errorf("the stored replay differs: %v", err)
		}
	})
	t.Run("publishes the state", func(t *testing.T) {
		state := b.awaitState(m.UnderscoreId, func(event.MapState) bool { return true })
		createdAt, err := time.Parse(time.RFC3339, m.CreatedAt)
		require.NoError(t, err)
		want := event.MapState{
			ID: m.UnderscoreId, Version: 1, Name: "Skyline Run", GameMapID: 1000, GameMode: "Classic",
			AuthorID: cloudstep.ID, SubmittedByID: cloudstep.ID,
			Fingerprint: parkourmaptest.Drawing(1000, "Skyline Run", "").PhysicsFingerprint().String(),
			Medals:      &event.Medals{Author: 41267, Gold: 43733, Silver: 49533, Bronze: 61900},
			MapVersion:  1, PictureBucket: b.cfg.Bucket, PictureKey: strings.TrimPrefix(*m.PictureUrl, "/media/"),
			CreatedAt: createdAt, UpdatedAt: createdAt,
		}
		assert.Equal(t, "state", want, state)
	})
	t.Run("serves the image in two sizes, immutable", func(t *testing.T) {
		if !regexp.MustCompile(`^/media/maps/[0-9a-f]{64}\.webp$`).MatchString(m.ImageUrl) ||
			m.ThumbnailUrl != strings.TrimSuffix(m.ImageUrl, ".webp")+"-480.webp" {
			t.Fatalf("pictures at %s and %s", m.ImageUrl, m.ThumbnailUrl)
		}
		served := b.get(m.ImageUrl)
		checkImage(t, served, image.Pt(1600, 800))
		checkImage(t, b.get(m.ThumbnailUrl), image.Pt(480, 240))
		for name, want := range map[string]string{
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Type": "image/webp",
			"X-Content-Type-Options": "nosniff",
		} {
			assert.Equal(t, name, want, served.Header.Get(name))
		}
		tag := served.Header.Get("ETag")
		if again := b.get(m.ImageUrl, "If-None-Match", tag); tag == "" || again.Status != http.StatusNotModified {
			t.Errorf("an image that the client has: %d", again.Status)
		}
		if part := b.get(m.ImageUrl, "Range", "bytes=0-3"); part.Status != http.StatusPartialContent ||
			string(part.Raw) != "RIFF" {
			t.Errorf("a part: %d %q", part.Status, part.Raw)
		}
	})
	t.Run("again", func(t *testing.T) {
		a := b.submit(s)
		if id := servicetest.Data[map[string]string](t, a)["_id"]; a.Status != http.StatusConflict ||
			a.Code != "map_exists" || id != m.UnderscoreId {
			t.Errorf("got %d %s with %s", a.Status, a.Code, id)
		}
	})
	t.Run("a map without a mode", func(t *testing.T) {
		s := b.submissionOf(cloudstep, 1002, "Any Mode", "cloudstep", func(m *bonkmap.Map, r *lbreplay.Replay) {
			m.Mode, r.GameMode = bonkmap.NoMode, lbreplay.UnknownGameMode
		})
		if a := b.submit(s); a.Status != http.StatusUnprocessableEntity || a.Code != "map_mode_missing" ||
			a.Errors[0]["field"] != "gameMode" {
			t.Errorf("without a mode: %d %s", a.Status, a.Raw)
		}
		s.metadata = `{"gameMode":"Grapple"}`
		if m := b.submitted(s); m.GameMode != "Grapple" {
			t.Errorf("submitted %+v", m)
		}
	})
	t.Run("by a validator, of an unknown author", func(t *testing.T) {
		validator := b.Players.player("judge", "validator")
		m := b.submitted(b.submissionOf(validator, 1001, "Newcomer's", "newcomer"))
		if m.Author.Name != "newcomer" || m.Author.UnderscoreId != b.Players.player("newcomer").ID ||
			m.SubmittedBy.UnderscoreId != validator.ID || m.MedalTimes.Gold != nil {
			t.Errorf("submitted %+v", m)
		}
	})
}

// One of each kind of refusal. All are cases of parkourmap and imaging.
func TestAPI_submit_refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep, rain := b.Players.player("cloudstep"), b.Players.player("Rain")
	altered := func(alter func(*submission)) servicetest.Answer {
		s := b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep")
		alter(&s)
		return b.submit(s)
	}
	post := func(body string, header ...string) servicetest.Answer {
		return b.do(http.MethodPost, "/api/v1/maps/submit", strings.NewReader(body), header...)
	}
	before := b.traces()
	for _, tt := range []struct {
		name   string
		a      servicetest.Answer
		status int
		code   string
		field  string
	}{
		{"no token", post(""), 401, "token_missing", ""},
		{"an unsigned token", post("", "Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."), 401, "token_invalid", ""},
		{"no form", post("{}", "Authorization", "Bearer "+b.keys.Token(cloudstep)), 400, "malformed_request", ""},
		{"no replay", altered(func(s *submission) { s.replay = nil }), 400, "replay_missing", "replayFile"},
		{"a replay over 5 MB", altered(func(s *submission) { s.replay = make([]byte, 5<<20+1) }), 413, "replay_too_large",
			"replayFile"},
		{"another player's replay", altered(func(s *submission) { s.by = rain }), 403, "replay_not_yours", ""},
		{"no image", altered(func(s *submission) { s.image = nil }), 400, "image_missing", "mapImage"},
		{"an SVG", altered(func(s *submission) { s.image = []byte("<svg/>") }), 415, "image_type_invalid", "mapImage"},
		{"half an image", altered(func(s *submission) { s.image = s.image[:len(s.image)/2] }), 422, "image_broken",
			"mapImage"},
		{"an image of 2 MB", altered(func(s *submission) { s.image = append(s.image, make([]byte, 2<<20)...) }), 413,
			"image_too_large", "mapImage"},
		{"metadata that is none", altered(func(s *submission) { s.metadata = "tags=a" }), 400, "metadata_malformed",
			"metadata"},
		{"medals in the wrong order", altered(func(s *submission) {
			s.metadata = `{"medalTimes":{"gold":50000,"silver":45000}}`
		}), 422, "metadata_refused", "medalTimes.silver"},
		{"another method", b.do(http.MethodPut, "/api/v1/maps/submit", nil), 405, "method_not_allowed", ""},
	} {
		if tt.a.Status != tt.status || tt.a.Code != tt.code || tt.a.Message == "" || tt.a.Success {
			t.Errorf("%s: %d %s, want %d %s", tt.name, tt.a.Status, tt.a.Raw, tt.status, tt.code)
		}
		if tt.field != "" && (len(tt.a.Errors) == 0 || tt.a.Errors[0]["field"] != tt.field) {
			t.Errorf("%s: fields at fault %v, want %s", tt.name, tt.a.Errors, tt.field)
		}
	}
	assert.Equal(t, "rows", before, b.traces())
}

// Without storage no map is created, and the sweeper removes the pending uploads.
func TestAPI_submit_storage_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	storage, err := url.Parse(b.cfg.Endpoint)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(storage)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	b.cfg.Endpoint = front.URL
	b.URL, _ = b.startReplica()
	a := b.submit(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep"))
	if a.Status != http.StatusServiceUnavailable || a.Code != "storage_unavailable" {
		t.Errorf("got %d %s", a.Status, a.Raw)
	}
	sweeper := objectstore.NewSweeper(b.Files, b.Pool, postgres.NewStore(b.Pool).IsReferenced)
	_, err = sweeper.Sweep(t.Context(), 0)
	require.NoError(t, err)
	assert.Equal(t, "rows left behind",
		map[string]int{"maps": 0, "map_data": 0, "outbox": 0, "audit": 0, "pending_uploads": 0}, b.traces())
}

// traces counts what a change leaves in the database.
func (b *bundle) traces() map[string]int {
	b.t.Helper()
	counts := map[string]int{}
	for _, table := range []string{"maps", "map_data", "outbox", "audit", "pending_uploads"} {
		var n int
		require.NoError(b.t, b.Pool.QueryRow(b.t.Context(), "select count(*) from "+table).Scan(&n))
		counts[table] = n
	}
	return counts
}
