package app_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/sharecard"
)

// onePixel is a WebP image.
const onePixel = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

func TestAPI_preview(t *testing.T) {
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	first := b.submitted(ann, m, 50_000)
	path := "/api/v1/records/" + first.Record.ID + "/preview.png"
	worldRecord := b.preview(path)
	if again := b.preview(path); !bytes.Equal(again.Raw, worldRecord.Raw) {
		t.Error("the same record has two previews")
	}
	want := "map:" + m.ID + " player:" + ann.ID
	if keys := worldRecord.Header.Get(httpserve.SurrogateKeyHeader); keys != want {
		t.Errorf("surrogate keys %q, want %q", keys, want)
	}
	b.submitted(bob, m, 45_000)
	second := b.preview(path)
	if bytes.Equal(second.Raw, worldRecord.Raw) {
		t.Error("the preview does not show that the record is second")
	}

	store := s3test.Open(t)
	picture, err := base64.StdEncoding.DecodeString(onePixel)
	require.NoError(t, err)
	upload, err := objectstore.NewUploads(store, b.Pool).Put(t.Context(), "maps/drawn.webp", "image/webp", picture)
	require.NoError(t, err)
	m.Version, m.PictureBucket, m.PictureKey = 2, store.Bucket(), upload.Key
	require.NoError(t, b.Publish(t.Context(), m.MapState))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	if drawn := b.preview(path); bytes.Equal(drawn.Raw, second.Raw) {
		t.Error("the preview does not show the map")
	}
	m.Version, m.PictureKey = 3, "maps/removed.webp"
	require.NoError(t, b.Publish(t.Context(), m.MapState))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if a := b.get(path); !bytes.Equal(a.Raw, second.Raw) {
				t.Error("without the stored picture the preview is not that of a map without one")
			}
		})
	}
	wg.Wait()

	_, err = b.command("remove", first.Record.ID, "a test")
	require.NoError(t, err)
	for _, path := range []string{path, "/api/v1/records/skyline/preview.png"} {
		if a := b.get(path); a.Status != http.StatusNotFound || a.Code != "record_unknown" {
			t.Errorf("%s: %d %s", path, a.Status, a.Code)
		}
	}
}

// preview returns a picture for link previews, which is checked.
func (b *bundle) preview(path string) servicetest.Answer {
	b.t.Helper()
	a := b.get(path)
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "image/png" || a.Header.Get("ETag") == "" {
		b.t.Fatalf("%s: %d %s %s", path, a.Status, a.Header.Get("Content-Type"), a.Raw)
	}
	config, err := png.DecodeConfig(bytes.NewReader(a.Raw))
	require.NoError(b.t, err)
	if size := image.Pt(config.Width, config.Height); size != image.Pt(sharecard.Width, sharecard.Height) {
		b.t.Errorf("the picture has %v", size)
	}
	return a
}

func TestAPI_preview_of_a_comparison(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, m, 45_000)
	path := "/api/v1/players/" + ann.ID + "/compare/" + bob.ID + "/preview.png"
	apart := b.preview(path)
	if keys := strings.Fields(apart.Header.Get(httpserve.SurrogateKeyHeader)); !slices.Contains(keys, "player:"+ann.ID) ||
		!slices.Contains(keys, "player:"+bob.ID) {
		t.Errorf("surrogate keys %q", keys)
	}
	b.submitted(bob, m, 46_000)
	won := b.preview(path)
	if bytes.Equal(won.Raw, apart.Raw) {
		t.Error("the preview does not show the score")
	}
	mirrored := b.preview("/api/v1/players/" + bob.ID + "/compare/" + ann.ID + "/preview.png")
	if bytes.Equal(mirrored.Raw, won.Raw) {
		t.Error("the mirrored comparison has the same preview")
	}
	for opponent, want := range map[string]struct {
		status int
		code   string
	}{
		ann.ID: {http.StatusUnprocessableEntity, "same_player"}, newID(): {http.StatusNotFound, "player_unknown"},
		"bob": {http.StatusNotFound, "player_unknown"},
	} {
		a := b.get("/api/v1/players/" + ann.ID + "/compare/" + opponent + "/preview.png")
		if a.Status != want.status || a.Code != want.code {
			t.Errorf("with %s: %d %s", opponent, a.Status, a.Raw)
		}
	}
}
