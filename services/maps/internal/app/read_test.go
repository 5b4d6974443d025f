package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestAPI_get_and_search(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep, zero := b.Players.player("cloudstep"), b.Players.player("Zero")
	sky := b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep", func(m *bonkmap.Map, _ *lbreplay.Replay) {
		m.RemixOf = bonkmap.Original{Name: "Old Sky", Author: "Rain", ID: 7}
		m.Contributors = []string{"Rain"}
	})
	sky.metadata = `{"description":"Mind the gap.","tags":["Speed","wall jump"]}`
	first := b.submitted(sky)
	sea := b.submissionOf(zero, 1001, "Ärger im Meer", "zero", func(m *bonkmap.Map, replay *lbreplay.Replay) {
		m.Mode, replay.GameMode = bonkmap.DeathArrows, "Death Arrows"
	})
	sea.metadata = `{"tags":["speed"]}`
	second := b.submitted(sea)
	third := b.submitted(b.submissionOf(zero, 1002, "sky two", "Zero"))

	newest := parkourmap.Search{Sort: parkourmap.Sort{By: parkourmap.ByCreated, Descending: true}}
	after := newest.Cursor(parkourmap.Position{ID: first.UnderscoreId, Value: "1"})

	t.Run("get", func(t *testing.T) {
		a := b.get("/api/v1/maps/" + first.UnderscoreId)
		if a.Status != http.StatusOK || !a.Success {
			t.Fatalf("got %d %s", a.Status, a.Raw)
		}
		player := httpapi.PlayerRef{UnderscoreId: cloudstep.ID, Name: "cloudstep", SkinColor: new("#8e24aa")}
		want := httpapi.ParkourMap{
			UnderscoreId: first.UnderscoreId, Name: "Skyline Run", GameMode: "Classic", Author: player, SubmittedBy: player,
			Tags: []string{"speed", "wall jump"}, Description: "Mind the gap.", Contributors: []string{"Rain"},
			MedalTimes: httpapi.MedalTimes{
				Author: new(int64(41267)), Gold: new(int64(43733)), Silver: new(int64(49533)), Bronze: new(int64(61900)),
			},
			BonkDbId: 1000, BonkDBID: 1000, RemixOf: &httpapi.RemixCredit{BonkDbId: 7, Name: "Old Sky", Author: "Rain"},
			ImageUrl: first.ImageUrl, ThumbnailUrl: first.ThumbnailUrl, DrawingUrl: first.DrawingUrl,
			PictureUrl: first.PictureUrl, CreatedAt: first.CreatedAt, UpdatedAt: first.CreatedAt, Version: 1, Newest: true,
		}
		assert.Equal(t, "map", want, servicetest.Data[httpapi.ParkourMap](t, a))
		if !regexp.MustCompile(`"createdAt":"[-0-9]{10}T[:0-9]{8}\.\d{3}Z"`).Match(a.Raw) {
			t.Errorf("times are not in UTC with milliseconds: %s", a.Raw)
		}
	})
	t.Run("with the ETag", func(t *testing.T) {
		tag := b.get("/api/v1/maps/" + first.UnderscoreId).Header.Get("ETag")
		a := b.get("/api/v1/maps/"+first.UnderscoreId, "If-None-Match", tag)
		if tag == "" || a.Status != http.StatusNotModified {
			t.Errorf("with the tag %q: %d", tag, a.Status)
		}
	})
	t.Run("with an invalid token", func(t *testing.T) {
		if a := b.get("/api/v1/maps/search", "Authorization", "Bearer expired"); a.Status != http.StatusOK {
			t.Errorf("got %d", a.Status)
		}
	})
	t.Run("popular tags", func(t *testing.T) {
		assert.Equal(t, "tags", []string{"speed", "wall jump"},
			servicetest.Data[[]string](t, b.get("/api/v1/maps/popular-tags")))
	})
	for _, tt := range []struct {
		query string
		names []string
		page  map[string]any
	}{
		{"?name=&author=&gameMode=&tags=&unknown=1", []string{third.Name, second.Name, first.Name},
			map[string]any{"total": 3.0, "page": 1.0, "limit": 12.0, "pages": 1.0, "next": nil}},
		{"?name=SKY&tags=speed&sortBy=name", []string{first.Name},
			map[string]any{"total": 1.0, "page": 1.0, "limit": 12.0, "pages": 1.0, "next": nil}},
		{"?sortBy=recordCount&sortDir=desc&limit=1&page=3", []string{first.Name},
			map[string]any{"total": 3.0, "page": 3.0, "limit": 1.0, "pages": 3.0, "next": nil}},
	} {
		t.Run("search"+tt.query, func(t *testing.T) {
			a := b.get("/api/v1/maps/search" + tt.query)
			names := []string{}
			for _, m := range servicetest.Data[[]httpapi.ParkourMap](t, a) {
				names = append(names, m.Name)
			}
			assert.Equal(t, "names", tt.names, names)
			assert.Equal(t, "pagination", tt.page, a.Pagination)
		})
	}
	for _, tt := range []struct {
		path   string
		status int
		code   string
	}{
		{"/api/v1/maps/0198c2f4-0000-7000-8000-000000000000", 404, "map_unknown"},
		{"/api/v1/maps/submit", 404, "map_unknown"},
		{"/api/v1/maps/search?sortBy=bonkDbId", 400, "sort_unknown"},
		{"/api/v1/maps/search?gameMode=Football", 400, "mode_unknown"},
		{"/api/v1/maps/search?page=0", 400, "page_invalid"},
		{"/api/v1/maps/search?after=x", 400, "after_invalid"},
		{"/api/v1/maps/search?page=2&after=" + after, 400, "after_invalid"},
		{"/api/v1/maps/search?name=sky&after=" + after, 400, "after_invalid"},
		{"/api/v1/maps/search?page=x", 400, "malformed_request"},
		{"/api/v1/maps/search?name=" + url.QueryEscape(strings.Repeat("ä", 101)), 400, "term_too_long"},
		{"/api/v1/maps", 404, "not_found"},
		{"/media/maps/" + strings.Repeat("0", 64) + ".webp", 404, "file_unknown"},
		{"/media/maps/..%2Freplays%2Fx.webp", 404, "not_found"},
	} {
		if a := b.get(tt.path); a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
			t.Errorf("%s: %d %s, want %d %s", tt.path, a.Status, a.Raw, tt.status, tt.code)
		}
	}
	if a := servicetest.Do(t, http.MethodGet, b.OpsURL+"/readyz", nil); a.Status != http.StatusOK {
		t.Errorf("/readyz answers %d", a.Status)
	}
}
