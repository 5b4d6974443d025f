package app_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
	"capzone.dev/devstack/servicetest"
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
	path := "/api/v1/records/" + first.Record.UnderscoreId + "/preview.png"
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
	b.publish(m.MapState)
	if drawn := b.preview(path); bytes.Equal(drawn.Raw, second.Raw) {
		t.Error("the preview does not show the map")
	}
	m.Version, m.PictureKey = 3, "maps/removed.webp"
	b.publish(m.MapState)
	if a := b.get(path); !bytes.Equal(a.Raw, second.Raw) {
		t.Error("without the stored picture the preview is not that of a map without one")
	}
	ofBoth := "/api/v1/players/" + ann.ID + "/compare/" + bob.ID + "/preview.png"
	compared := b.preview(ofBoth)
	keys := strings.Fields(compared.Header.Get(httpserve.SurrogateKeyHeader))
	if !slices.Contains(keys, "player:"+ann.ID) || !slices.Contains(keys, "player:"+bob.ID) {
		t.Errorf("surrogate keys of a comparison %q", keys)
	}
	mirrored := b.preview("/api/v1/players/" + bob.ID + "/compare/" + ann.ID + "/preview.png")
	if bytes.Equal(mirrored.Raw, compared.Raw) {
		t.Error("the mirrored comparison has the same preview")
	}
	b.commands([]string{"remove", first.Record.UnderscoreId, "a test"})
	b.wantCodes(map[string]string{
		path: "record_unknown", "/api/v1/players/" + ann.ID + "/compare/" + ann.ID + "/preview.png": "same_player",
	})
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
