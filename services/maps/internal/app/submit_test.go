package app_test

import (
	"bytes"
	"image"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/gen2brain/webp"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/services/maps/internal/parkourmaptest"
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
			MapID: m.ID, SubmittedByID: cloudstep.ID, ReplayBucket: b.cfg.Bucket,
			ReplayKey:  "replays/" + objectstore.Hash(s.replay) + ".lbReplay",
			ReplayHash: objectstore.Hash(s.replay), FinishTime: 41267, FinishTimeStamp: parkourmaptest.FinishedAt,
		}
		if diff := cmp.Diff(want, fact); diff != "" {
			t.Errorf("fact (-want +got):\n%s", diff)
		}
		stored, err := b.Files.GetFrom(t.Context(), fact.ReplayBucket, fact.ReplayKey, 5<<20)
		if err != nil || !bytes.Equal(stored, s.replay) {
			t.Errorf("the stored replay differs: %v", err)
		}
	})
	t.Run("publishes the state", func(t *testing.T) {
		state := b.awaitState(m.ID, func(event.MapState) bool { return true })
		want := event.MapState{
			ID:            m.ID,
			Version:       1,
			Name:          "Skyline Run",
			GameMapID:     1000,
			GameMode:      "Classic",
			AuthorID:      cloudstep.ID,
			SubmittedByID: cloudstep.ID,
			Fingerprint:   parkourmaptest.Drawing(1000, "Skyline Run", "").PhysicsFingerprint().String(),
			Medals:        &event.Medals{Author: 41267, Gold: 43733, Silver: 49533, Bronze: 61900},
			MapVersion:    1,
			PictureBucket: b.cfg.Bucket,
			PictureKey:    strings.TrimPrefix(m.PictureURL, "/media/"),
			CreatedAt:     m.CreatedAt,
			UpdatedAt:     m.CreatedAt,
		}
		if diff := cmp.Diff(want, state); diff != "" {
			t.Errorf("state (-want +got):\n%s", diff)
		}
	})
	t.Run("serves the image in two sizes, immutable", func(t *testing.T) {
		if !regexp.MustCompile(`^/media/maps/[0-9a-f]{64}\.webp$`).MatchString(m.ImageURL) ||
			m.ThumbnailURL != strings.TrimSuffix(m.ImageURL, ".webp")+"-480.webp" {
			t.Fatalf("pictures at %s and %s", m.ImageURL, m.ThumbnailURL)
		}
		for url, size := range map[string]image.Point{m.ImageURL: image.Pt(1600, 800), m.ThumbnailURL: image.Pt(480, 240)} {
			served := b.get(url)
			img, err := webp.Decode(bytes.NewReader(served.Raw))
			require.NoError(t, err)
			if img.Bounds().Size() != size {
				t.Errorf("%s has %v pixels, want %v", url, img.Bounds().Size(), size)
			}
			want := http.Header{
				"Cache-Control": {
					"public, max-age=31536000, immutable",
				},
				"Content-Type":           {"image/webp"},
				"X-Content-Type-Options": {"nosniff"},
			}
			others := cmpopts.IgnoreMapEntries(func(name string, _ []string) bool { return want[name] == nil })
			if diff := cmp.Diff(want, served.Header, others); diff != "" {
				t.Errorf("headers (-want +got):\n%s", diff)
			}
			tag := served.Header.Get("ETag")
			if again := b.get(url, "If-None-Match", tag); tag == "" || again.Status != http.StatusNotModified {
				t.Errorf("an image that the client has: %d", again.Status)
			}
			if part := b.get(url, "Range", "bytes=0-3"); part.Status != http.StatusPartialContent || string(part.Raw) != "RIFF" {
				t.Errorf("a part: %d %q", part.Status, part.Raw)
			}
		}
	})
	t.Run("again", func(t *testing.T) {
		a := b.submit(s)
		if id := servicetest.Data[map[string]string](t, a)["_id"]; a.Status != http.StatusConflict ||
			a.Code != "map_exists" || id != m.ID {
			t.Errorf("got %d %s with %s", a.Status, a.Code, id)
		}
	})
	t.Run("by a validator, of an unknown author", func(t *testing.T) {
		validator := b.Players.player("judge", "validator")
		m := b.submitted(b.submissionOf(validator, 1001, "Newcomer's", "newcomer"))
		if m.Author.Name != "newcomer" || m.Author.ID != b.Players.player("newcomer").ID || m.SubmittedBy.ID != validator.ID {
			t.Errorf("by %+v, submitted by %+v", m.Author, m.SubmittedBy)
		}
		if diff := cmp.Diff(map[string]*int64{"author": nil, "gold": nil, "silver": nil, "bronze": nil},
			m.MedalTimes); diff != "" {
			t.Errorf("medals (-want +got):\n%s", diff)
		}
	})
}

func TestAPI_submit_refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep, rain := b.Players.player("cloudstep"), b.Players.player("Rain")
	good := func() submission { return b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep") }
	altered := func(alter func(*submission)) func() servicetest.Answer {
		return func() servicetest.Answer {
			s := good()
			alter(&s)
			return b.submit(s)
		}
	}
	drawn := func(by event.PlayerState, author string,
		alter func(*bonkmap.Map, *lbreplay.Replay)) func() servicetest.Answer {
		return func() servicetest.Answer { return b.submit(b.submissionOf(by, 1000, "Skyline Run", author, alter)) }
	}
	metadata := func(text string) func() servicetest.Answer { return altered(func(s *submission) { s.metadata = text }) }
	before := b.traces()
	for _, tt := range []struct {
		name   string
		do     func() servicetest.Answer
		status int
		code   string
		field  string
	}{
		{"no token", func() servicetest.Answer { return b.do(http.MethodPost, "/api/v1/maps/submit", nil) }, 401,
			"token_missing", ""},
		{"an unsigned token", func() servicetest.Answer {
			return b.do(http.MethodPost, "/api/v1/maps/submit", nil, "Authorization", "Bearer eyJhbGciOiJub25lIn0.e30.")
		}, 401, "token_invalid", ""},
		{"no form", func() servicetest.Answer {
			return b.do(http.MethodPost, "/api/v1/maps/submit", strings.NewReader("{}"), "Authorization",
				"Bearer "+b.keys.Token(cloudstep))
		}, 400, "malformed_request", ""},
		{"no replay", altered(func(s *submission) { s.replay = nil }), 400, "replay_missing", "replayFile"},
		{"a replay over 5 MB", altered(func(s *submission) { s.replay = make([]byte, 5<<20+1) }), 413, "replay_too_large",
			"replayFile"},
		{"a relabelled map", drawn(cloudstep, "cloudstep",
			func(_ *bonkmap.Map, replay *lbreplay.Replay) {
				replay.MapName = "Other"
			}), 422, "replay_disagrees", "replayFile"},
		{"another player's replay", altered(func(s *submission) { s.by = rain }), 403, "replay_not_yours", ""},
		{"a map of no mode", drawn(cloudstep, "cloudstep", func(m *bonkmap.Map, replay *lbreplay.Replay) {
			m.Mode, replay.GameMode = bonkmap.NoMode, lbreplay.UnknownGameMode
		}), 422, "map_mode_missing", "gameMode"},
		{"no image", altered(func(s *submission) { s.image = nil }), 400, "image_missing", "mapImage"},
		{"an SVG", altered(func(s *submission) { s.image = []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`) }), 415,
			"image_type_invalid", "mapImage"},
		{"half an image", altered(func(s *submission) { s.image = s.image[:len(s.image)/2] }), 422, "image_broken",
			"mapImage"},
		{"an image of 2 MB", altered(func(s *submission) { s.image = append(s.image, make([]byte, 2<<20)...) }), 413,
			"image_too_large", "mapImage"},
		{"metadata that is none", metadata("tags=a"), 400, "metadata_malformed", "metadata"},
		{"medals in the wrong order", metadata(`{"medalTimes":{"gold":50000,"silver":45000}}`), 422, "metadata_refused",
			"medalTimes.silver"},
		{"another method", func() servicetest.Answer { return b.do(http.MethodPut, "/api/v1/maps/submit", nil) }, 405,
			"method_not_allowed", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := tt.do()
			if a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
				t.Errorf("got %d %s %q, want %d %s", a.Status, a.Code, a.Message, tt.status, tt.code)
			}
			if tt.field != "" && (len(a.Errors) == 0 || a.Errors[0]["field"] != tt.field) {
				t.Errorf("fields at fault: %v, want %s", a.Errors, tt.field)
			}
		})
	}
	if diff := cmp.Diff(before, b.traces()); diff != "" {
		t.Errorf("rows were left behind (-before +after):\n%s", diff)
	}
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
