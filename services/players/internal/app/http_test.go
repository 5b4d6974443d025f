package app_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gen2brain/webp"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/players/internal/app"
	"capzone.dev/services/players/internal/httpapi"
	players "capzone.dev/services/players/internal/postgres"
)

func isUnavailable(err error) bool { return errors.Is(err, eventbus.ErrUnavailable) }

func TestAPI_get_and_search(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.registerWith(event.RegisterPlayer{Name: "Ann", Level: 12, Skin: []byte(`{"layers":[],"bc":9315498}`)})
	b.register("Bob")
	b.register("joHANNes")
	t.Run("a profile is whole", func(t *testing.T) {
		a := b.get("/api/v1/players/" + ann.ID)
		color := "#8e24aa"
		want := httpapi.Player{
			UnderscoreId: ann.ID, Name: "Ann", Level: 12, SkinColor: &color, Roles: []string{}, Registered: true,
			CreatedAt: httpserve.TimeText(ann.CreatedAt), UpdatedAt: httpserve.TimeText(ann.UpdatedAt),
			Trophies: []map[string]any{},
		}
		if diff := cmp.Diff(want, servicetest.Data[httpapi.Player](t, a)); diff != "" || a.Status != http.StatusOK {
			t.Errorf("%d (-want +got):\n%s", a.Status, diff)
		}
		if !regexp.MustCompile(`"createdAt":"[-0-9]{10}T[:0-9]{8}\.\d{3}Z"`).Match(a.Raw) {
			t.Errorf("times are not in UTC with milliseconds: %s", a.Raw)
		}
	})
	t.Run("with the ETag", func(t *testing.T) {
		tag := b.get("/api/v1/players/" + ann.ID).Header.Get("ETag")
		if a := b.get("/api/v1/players/"+ann.ID, "If-None-Match", tag); tag == "" || a.Status != http.StatusNotModified ||
			len(a.Raw) > 0 {
			t.Errorf("with the tag %q: %d %s", tag, a.Status, a.Raw)
		}
	})
	t.Run("with an invalid token", func(t *testing.T) {
		if a := b.get("/api/v1/players/"+ann.ID, "Authorization", "Bearer expired"); a.Status != http.StatusOK {
			t.Errorf("got %d", a.Status)
		}
	})
	for _, tt := range []struct {
		query string
		names []string
		page  map[string]any
	}{
		{"?name=a%FFnn", []string{"Ann", "joHANNes"}, map[string]any{"total": 2.0, "page": 1.0, "limit": 12.0, "pages": 1.0}},
		{"?sortBy=level&sortDir=desc&limit=1", []string{"Ann"}, map[string]any{"total": 3.0, "page": 1.0, "limit": 1.0,
			"pages": 3.0}},
		{"?page=7", []string{}, map[string]any{"total": 3.0, "page": 7.0, "limit": 12.0, "pages": 1.0}},
	} {
		t.Run("search"+tt.query, func(t *testing.T) {
			a := b.get("/api/v1/players/search" + tt.query)
			names := []string{}
			for _, p := range servicetest.Data[[]httpapi.Player](t, a) {
				names = append(names, p.Name)
			}
			if diff := cmp.Diff(tt.names, names); diff != "" || a.Status != http.StatusOK {
				t.Errorf("%d, names (-want +got):\n%s", a.Status, diff)
			}
			assert.Equal(t, "pagination", tt.page, a.Pagination)
		})
	}
	for _, tt := range []struct {
		path   string
		status int
		code   string
	}{
		{"/api/v1/players/0198c2f4-0000-7000-8000-000000000000", 404, "player_unknown"},
		{"/api/v1/players/urn:uuid:" + ann.ID, 404, "player_unknown"},
		{"/api/v1/players/search?sortBy=roles", 400, "sort_unknown"},
		{"/api/v1/players/search?limit=101", 400, "page_invalid"},
		{"/api/v1/players/search?page=x", 400, "malformed_request"},
		{"/api/v1/players/search?name=" + strings.Repeat("x", 65), 400, "name_too_long"},
		{"/api/v1/players", 404, "not_found"},
		{"/media/skins/" + strings.Repeat("0", 64) + ".png", 404, "file_unknown"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			a := b.get(tt.path)
			if a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
				t.Errorf("got %d %s %q, want %d %s", a.Status, a.Code, a.Message, tt.status, tt.code)
			}
		})
	}
	t.Run("the service is ready", func(t *testing.T) {
		if a := servicetest.Do(t, http.MethodGet, b.OpsURL+"/readyz", nil); a.Status != http.StatusOK {
			t.Errorf("/readyz answers %d %s", a.Status, a.Raw)
		}
	})
}

func TestAPI_avatar(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.register("ann"), b.register("bob")

	read := text("updatedAt", httpserve.TimeText(ann.UpdatedAt))
	a := b.put(ann, ann.ID, file("skinImage", picture(t, 600, 300)), read)
	p := servicetest.Data[httpapi.Player](t, a)
	if a.Status != http.StatusOK || p.SkinImageUrl == nil ||
		!regexp.MustCompile(`^/media/skins/[0-9a-f]{64}\.webp$`).MatchString(*p.SkinImageUrl) {
		t.Fatalf("got %d %s", a.Status, a.Raw)
	}
	if p.UpdatedAt <= httpserve.TimeText(ann.UpdatedAt) {
		t.Errorf("updated at %s, before that at %s", p.UpdatedAt, ann.UpdatedAt)
	}
	if a := b.put(ann, ann.ID, file("skinImage", picture(t, 10, 10)), read); a.Status != http.StatusConflict ||
		a.Code != "player_changed" {
		t.Errorf("of an older reading: %d %s", a.Status, a.Raw)
	}
	served := b.get(*p.SkinImageUrl)
	img, err := webp.Decode(bytes.NewReader(served.Raw))
	require.NoError(t, err)
	if size := img.Bounds().Size(); size != image.Pt(256, 128) {
		t.Errorf("the avatar has %v pixels", size)
	}
	want := http.Header{
		"Cache-Control":          {"public, max-age=31536000, immutable"},
		"Content-Type":           {"image/webp"},
		"Etag":                   {`"` + (*p.SkinImageUrl)[len("/media/skins/"):len(*p.SkinImageUrl)-len(".webp")] + `"`},
		"X-Content-Type-Options": {"nosniff"},
	}
	got := cmpopts.IgnoreMapEntries(func(name string, _ []string) bool { return want[name] == nil })
	assert.Equal(t, "headers", want, served.Header, got)
	if again := b.get(*p.SkinImageUrl, "If-None-Match", want.Get("ETag")); again.Status != http.StatusNotModified ||
		len(again.Raw) > 0 {
		t.Errorf("an image that the client has: %d, %d bytes", again.Status, len(again.Raw))
	}
	if head := b.do(http.MethodHead, *p.SkinImageUrl, nil); head.Status != http.StatusOK ||
		head.Header.Get("Etag") != want.Get("Etag") {
		t.Errorf("HEAD: %d %v", head.Status, head.Header)
	}
	if part := b.get(*p.SkinImageUrl, "Range", "bytes=0-3"); part.Status != http.StatusPartialContent ||
		string(part.Raw) != "RIFF" {
		t.Errorf("a part: %d %q", part.Status, part.Raw)
	}

	t.Run("two players may share one", func(t *testing.T) {
		if other := servicetest.Data[httpapi.Player](t, b.put(bob, bob.ID, file("skinImage",
			picture(t, 600, 300)))); *other.SkinImageUrl != *p.SkinImageUrl {
			t.Errorf("the same image lies at %s and %s", *p.SkinImageUrl, *other.SkinImageUrl)
		}
	})
	t.Run("an image that no player has is removed", func(t *testing.T) {
		if a := b.put(ann, ann.ID, file("skinImage", picture(t, 10, 10))); !a.Success {
			t.Fatalf("%d: %s", a.Status, a.Raw)
		}
		b.sweep()
		if a := b.get(*p.SkinImageUrl); a.Status != http.StatusOK {
			t.Errorf("bob's image is gone: %d", a.Status)
		}
		now := servicetest.Data[httpapi.Player](t, b.put(bob, bob.ID, file("skinImage", picture(t, 20, 10))))
		b.sweep()
		store, err := objectstore.Open(t.Context(), b.cfg.For(app.Name))
		require.NoError(t, err)
		if _, err := store.Open(t.Context(), (*p.SkinImageUrl)[len("/media/"):]); !errors.Is(err, storedfile.ErrUnknown) {
			t.Errorf("the old image is stored: %v", err)
		}
		if a := b.get(*p.SkinImageUrl); a.Status != http.StatusNotFound || a.Code != "file_unknown" {
			t.Errorf("the old image: %d", a.Status)
		}
		if a := b.get(*now.SkinImageUrl); a.Status != http.StatusOK {
			t.Errorf("the new image: %d", a.Status)
		}
		b.awaitState(bob.ID, func(s event.PlayerState) bool { return s.SkinImageURL == *now.SkinImageUrl })
	})
}

func TestAPI_refused_updates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann, bob := b.register("ann"), b.register("bob")
	image := picture(t, 10, 10)
	before := b.traces()
	for _, tt := range []struct {
		name   string
		do     func() servicetest.Answer
		status int
		code   string
	}{
		{"a stranger's image", func() servicetest.Answer { return b.put(bob, ann.ID, file("skinImage", image)) }, 403,
			"not_allowed"},
		{"a name", func() servicetest.Answer { return b.put(ann, ann.ID, text("name", "Anne")) }, 403, "comes_from_game"},
		{"a level", func() servicetest.Answer { return b.put(ann, ann.ID, text("level", "99")) }, 403, "comes_from_game"},
		{"something unknown", func() servicetest.Answer { return b.put(ann, ann.ID, text("trophies", "[]")) }, 400,
			"nothing_to_change"},
		{"no time", func() servicetest.Answer { return b.put(ann, ann.ID, text("updatedAt", "now")) }, 400,
			"updated_at_malformed"},
		{"an unknown player", func() servicetest.Answer { return b.put(ann, "x", file("skinImage", image)) }, 404,
			"player_unknown"},
		{"a text for an image", func() servicetest.Answer { return b.put(ann, ann.ID, file("skinImage", []byte("hello"))) },
			415, "image_type_invalid"},
		{"half an image", func() servicetest.Answer { return b.put(ann, ann.ID, file("skinImage", image[:len(image)/2])) },
			422, "image_broken"},
		{"an image over 1 MB", func() servicetest.Answer {
			return b.put(ann, ann.ID, file("skinImage", make([]byte, 1<<20+1)))
		}, 413, "image_too_large"},
		{"a body over all bounds", func() servicetest.Answer { return b.put(ann, ann.ID, file("other", make([]byte, 2<<20))) },
			413, "body_too_large"},
		{"no token", func() servicetest.Answer { return b.do(http.MethodPut, "/api/v1/players/"+ann.ID, nil) }, 401,
			"token_missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := tt.do()
			if a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
				t.Errorf("got %d %s %q, want %d %s", a.Status, a.Code, a.Message, tt.status, tt.code)
			}
		})
	}
	assert.Equal(t, "rows were left behind", before, b.traces())
}

func TestAPI_preview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ann := b.registerWith(event.RegisterPlayer{Name: "Ann", Level: 12, Skin: []byte(`{"layers":[],"bc":9315498}`)})
	path := "/api/v1/players/" + ann.ID + "/preview.png"
	read := func() (servicetest.Answer, image.Image) {
		t.Helper()
		a := b.get(path)
		img, err := png.Decode(bytes.NewReader(a.Raw))
		if err != nil || a.Status != http.StatusOK || img.Bounds().Size() != image.Pt(1200, 630) {
			t.Fatalf("%d, %v: %.200s", a.Status, err, a.Raw)
		}
		return a, img
	}
	first, img := read()
	want := http.Header{
		"Cache-Control": {httpserve.ComputedCacheControl}, "Content-Type": {"image/png"},
		"Surrogate-Key": {"player:" + ann.ID}, "Etag": {first.Header.Get("ETag")},
	}
	if diff := cmp.Diff(want, first.Header, cmpopts.IgnoreMapEntries(func(name string, _ []string) bool {
		return want[name] == nil
	})); diff != "" || first.Header.Get("ETag") == "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	const ballX, ballY = 1060, 262 // beside the letter on the ball
	if got := color.RGBAModel.Convert(img.At(ballX, ballY)); got != (color.RGBA{0x8e, 0x24, 0xaa, 0xff}) {
		t.Errorf("the ball has the colour %v, want that of the skin", got)
	}
	if again, _ := read(); again.Header.Get("ETag") != first.Header.Get("ETag") {
		t.Error("the picture changed without a change of the player")
	}
	if a := b.put(ann, ann.ID, file("skinImage", picture(t, 300, 300))); !a.Success {
		t.Fatalf("%d: %s", a.Status, a.Raw)
	}
	if changed, img := read(); changed.Header.Get("ETag") == first.Header.Get("ETag") ||
		color.RGBAModel.Convert(img.At(ballX, ballY)) == (color.RGBA{0x8e, 0x24, 0xaa, 0xff}) {
		t.Error("the picture does not show the new avatar")
	}
	if a := b.get("/api/v1/players/x/preview.png"); a.Status != http.StatusNotFound || a.Code != "player_unknown" {
		t.Errorf("an unknown player: %d %s", a.Status, a.Code)
	}
}

func TestAPI_ids(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var want []httpapi.EntityId
	for _, name := range []string{"ann", "bob", "cleo"} {
		p := b.register(name)
		want = append(want, httpapi.EntityId{UnderscoreId: p.ID, UpdatedAt: httpserve.TimeText(p.UpdatedAt)})
	}
	slices.SortFunc(want, func(a, b httpapi.EntityId) int { return strings.Compare(a.UnderscoreId, b.UnderscoreId) })
	_, err := ask[event.PlayerState](b, event.EnsurePlayerSubject, event.EnsurePlayer{Name: "Placeholder"})
	require.NoError(t, err)
	a := b.get("/api/v1/players/ids")
	if diff := cmp.Diff(want, servicetest.Data[[]httpapi.EntityId](t, a)); diff != "" ||
		a.Header.Get("Surrogate-Key") != "players" {
		t.Errorf("%d %v (-want +got):\n%s", a.Status, a.Header, diff)
	}
	pagination := map[string]any{"total": 3.0, "page": 1.0, "limit": 10_000.0, "pages": 1.0}
	assert.Equal(t, "pagination", pagination, a.Pagination)
	if past := servicetest.Data[[]httpapi.EntityId](t, b.get("/api/v1/players/ids?page=2")); past == nil || len(past) > 0 {
		t.Errorf("a page past the end has %v", past)
	}
	if a := b.get("/api/v1/players/ids?page=1000001"); a.Status != http.StatusBadRequest || a.Code != "page_invalid" {
		t.Errorf("beyond the last page: %d %s", a.Status, a.Code)
	}
}

// sweep removes the files that no player names, without the usual grace.
func (b *bundle) sweep() {
	b.t.Helper()
	store, err := objectstore.Open(b.t.Context(), b.cfg.For(app.Name))
	require.NoError(b.t, err)
	sweeper := objectstore.NewSweeper(store, b.Pool, players.NewStore(b.Pool).IsReferenced)
	_, err = sweeper.Sweep(b.t.Context(), 0)
	require.NoError(b.t, err)
}

// traces counts what a change leaves in the database.
func (b *bundle) traces() map[string]int {
	b.t.Helper()
	counts := map[string]int{}
	for _, table := range []string{"players", "outbox", "audit", "pending_uploads"} {
		var n int
		require.NoError(b.t, b.Pool.QueryRow(b.t.Context(), "select count(*) from "+table).Scan(&n))
		counts[table] = n
	}
	return counts
}

func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		img.Set(x, x%height, color.RGBA{uint8(x), 99, 200, 255})
	}
	var buffer bytes.Buffer
	require.NoError(t, png.Encode(&buffer, img))
	return buffer.Bytes()
}
