package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
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

	t.Run("get", func(t *testing.T) {
		a := b.get("/api/v1/maps/" + first.ID)
		if a.Status != http.StatusOK || !a.Success {
			t.Fatalf("got %d %s", a.Status, a.Raw)
		}
		got := servicetest.Data[map[string]any](t, a)
		player := map[string]any{"_id": cloudstep.ID, "name": "cloudstep", "skinImageUrl": nil, "skinColor": "#8e24aa"}
		want := map[string]any{
			"_id":            first.ID,
			"name":           "Skyline Run",
			"gameMode":       "Classic",
			"author":         player,
			"submittedBy":    player,
			"tags":           []any{"speed", "wall jump"},
			"recordCount":    0.0,
			"description":    "Mind the gap.",
			"medalTimes":     map[string]any{"author": 41267.0, "gold": 43733.0, "silver": 49533.0, "bronze": 61900.0},
			"bonkDbId":       1000.0,
			"bonkDBID":       1000.0,
			"contributors":   []any{"Rain"},
			"remixOf":        map[string]any{"bonkDbId": 7.0, "name": "Old Sky", "author": "Rain"},
			"imageUrl":       first.ImageURL,
			"thumbnailUrl":   first.ThumbnailURL,
			"createdAt":      got["createdAt"],
			"updatedAt":      got["createdAt"],
			"drawingUrl":     first.DrawingURL,
			"pictureUrl":     first.PictureURL,
			"version":        1.0,
			"newest":         true,
			"unranked":       false,
			"unrankedReason": nil,
			"worldRecord":    nil,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("map (-want +got):\n%s", diff)
		}
		if !regexp.MustCompile(`"createdAt":"[-0-9]{10}T[:0-9]{8}\.\d{3}Z"`).Match(a.Raw) {
			t.Errorf("times are not in UTC with milliseconds: %s", a.Raw)
		}
	})
	t.Run("with the ETag", func(t *testing.T) {
		tag := b.get("/api/v1/maps/" + first.ID).Header.Get("ETag")
		if a := b.get("/api/v1/maps/"+first.ID, "If-None-Match", tag); tag == "" || a.Status != http.StatusNotModified {
			t.Errorf("with the tag %q: %d", tag, a.Status)
		}
	})
	t.Run("with an invalid token", func(t *testing.T) {
		if a := b.get("/api/v1/maps/search", "Authorization", "Bearer expired"); a.Status != http.StatusOK {
			t.Errorf("got %d", a.Status)
		}
	})
	t.Run("popular tags", func(t *testing.T) {
		if diff := cmp.Diff([]string{"speed", "wall jump"},
			servicetest.Data[[]string](t, b.get("/api/v1/maps/popular-tags"))); diff != "" {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
	})
	for _, tt := range []struct {
		query string
		names []string
		page  map[string]int64
	}{
		{"", []string{third.Name, second.Name, first.Name}, map[string]int64{"total": 3, "page": 1, "limit": 12, "pages": 1}},
		{"?name=&author=&gameMode=&tags=&unknown=1", []string{third.Name, second.Name, first.Name},
			map[string]int64{"total": 3, "page": 1, "limit": 12, "pages": 1}},
		{"?name=SKY&sortBy=name", []string{third.Name, first.Name},
			map[string]int64{"total": 2, "page": 1, "limit": 12, "pages": 1}},
		{"?tags=speed&sortBy=name", []string{second.Name, first.Name},
			map[string]int64{"total": 2, "page": 1, "limit": 12, "pages": 1}},
		{"?sortBy=recordCount&sortDir=desc&limit=1&page=3", []string{first.Name},
			map[string]int64{"total": 3, "page": 3, "limit": 1, "pages": 3}},
		{"?page=9", []string{}, map[string]int64{"total": 3, "page": 9, "limit": 12, "pages": 1}},
	} {
		t.Run("search"+tt.query, func(t *testing.T) {
			a := b.get("/api/v1/maps/search" + tt.query)
			names := []string{}
			for _, m := range servicetest.Data[[]wireMap](t, a) {
				names = append(names, m.Name)
			}
			if diff := cmp.Diff(tt.names, names); diff != "" || a.Status != http.StatusOK {
				t.Errorf("%d, names (-want +got):\n%s", a.Status, diff)
			}
			if diff := cmp.Diff(tt.page, a.Pagination); diff != "" {
				t.Errorf("pagination (-want +got):\n%s", diff)
			}
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
		{"/api/v1/maps/search?page=2&after=" + parkourmap.Position{ID: first.ID, Value: "1"}.Cursor(
			parkourmap.Sort{By: parkourmap.ByCreated, Descending: true}), 400, "after_invalid"},
		{"/api/v1/maps/search?page=x", 400, "malformed_request"},
		{"/api/v1/maps/search?name=" + url.QueryEscape(strings.Repeat("ä", 101)), 400, "term_too_long"},
		{"/api/v1/maps", 404, "not_found"},
		{"/media/maps/" + strings.Repeat("0", 64) + ".webp", 404, "file_unknown"},
		{"/media/maps/..%2Freplays%2Fx.webp", 404, "not_found"},
	} {
		t.Run(tt.path, func(t *testing.T) {
			a := b.get(tt.path)
			if a.Status != tt.status || a.Code != tt.code || a.Message == "" || a.Success {
				t.Errorf("got %d %s %q, want %d %s", a.Status, a.Code, a.Message, tt.status, tt.code)
			}
		})
	}
	t.Run("the service is ready", func(t *testing.T) {
		resp, err := http.Get(b.OpsURL + "/readyz")
		require.NoError(t, err)
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("/readyz answers %d", resp.StatusCode)
		}
	})
}
