package app_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
)

func TestGateway_robots(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	got := b.get(t, "/robots.txt")
	want := "User-agent: *\nAllow: /\nAllow: /api/v1/*/preview.png\nDisallow: /api/\n\nSitemap: " + origin + "/sitemap.xml\n"
	if got.status != http.StatusOK || got.body != want ||
		!strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
}

func TestGateway_sitemap(t *testing.T) {
	t.Parallel()
	s := startCommunity(t)
	b := s.startSite(t)
	type entry struct {
		Address string `xml:"loc"`
		Changed string `xml:"lastmod"`
	}
	read := func(path string) (entries []entry) {
		t.Helper()
		var document struct {
			Parts []entry `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
			URLs  []entry `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
		}
		got := b.get(t, path)
		if err := xml.Unmarshal([]byte(got.body), &document); err != nil || got.status != http.StatusOK {
			t.Fatalf("%s: %d %v", path, got.status, err)
		}
		return append(document.Parts, document.URLs...)
	}
	if diff := cmp.Diff([]entry{
		{Address: origin + "/sitemap-pages.xml"}, {Address: origin + "/sitemap-maps-1.xml"},
		{Address: origin + "/sitemap-maps-2.xml"}, {Address: origin + "/sitemap-players-1.xml"},
	}, read("/sitemap.xml")); diff != "" {
		t.Errorf("index (-want +got):\n%s", diff)
	}
	if got := read("/sitemap-pages.xml"); len(got) == 0 || got[0].Address != origin+"/" ||
		!slices.ContainsFunc(got, func(e entry) bool { return e.Address == origin+"/map-search/listed" }) {
		t.Errorf("pages %v", got)
	}
	// The stub has one map on each of seven pages of ids.
	page := entry{origin + "/leaderboard/" + mapID, "2026-11-22T10:00:00.000Z"}
	assert.Equal(t, "first part", []entry{page, page, page, page, page}, read("/sitemap-maps-1.xml"))
	assert.Equal(t, "second part", []entry{page, page}, read("/sitemap-maps-2.xml"))
	if got := read("/sitemap-players-1.xml"); len(got) != 1 || got[0].Address != origin+"/player/"+playerID {
		t.Errorf("players %v", got)
	}
	for _, path := range []string{
		"/sitemap-maps-3.xml", "/sitemap-maps-65535.xml", "/sitemap-maps-0.xml", "/sitemap-maps-01.xml",
		"/sitemap-maps--1.xml", "/sitemap-maps-1.txt", "/sitemap-maps-99999999999999999999.xml",
		"/sitemap-maps-x.xml", "/sitemap-records-1.xml",
	} {
		if got := b.get(t, path, "Accept", "application/xml"); got.status != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, got.status)
		}
	}
	s.change(func() {
		for page := range 10 {
			path := fmt.Sprintf("/api/v1/maps/ids?page=%d", page)
			if got, want := s.reads[path], page >= 1 && page <= 7; (got > 0) != want {
				t.Errorf("%s was read %d times", path, got)
			}
			delete(s.reads, path)
		}
		delete(s.reads, "/api/v1/players/ids?page=1")
		if len(s.reads) > 0 {
			t.Errorf("pages past the end were read: %v", s.reads)
		}
	})
}

// atom is what a feed reader finds in a feed.
type atom struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Links   []struct {
		Rel string `xml:"rel,attr"`
		URL string `xml:"href,attr"`
	} `xml:"link"`
	Entries []struct {
		ID      string `xml:"id"`
		Title   string `xml:"title"`
		Updated string `xml:"updated"`
		Summary string `xml:"summary"`
		Author  string `xml:"author>name"`
		Link    struct {
			URL string `xml:"href,attr"`
		} `xml:"link"`
	} `xml:"entry"`
}

func TestGateway_feeds(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	for _, tt := range []struct{ path, id, title, page, updated, summary string }{
		{"/feeds/maps.atom", mapID, hostileName, "/leaderboard/" + mapID, "2026-11-21T10:00:00Z", hostileName},
		{"/feeds/world-records.atom", recordID, "00:43.10 by Ada on " + hostileName, "/record/" + recordID,
			"2026-11-22T10:00:00Z", "The world record was 00:50.00 before. Place 1 now, worth 600.0 points."},
	} {
		t.Run(tt.path, func(t *testing.T) {
			got := b.get(t, tt.path)
			var feed atom
			if err := xml.Unmarshal([]byte(got.body), &feed); err != nil || got.status != http.StatusOK ||
				got.header.Get("Content-Type") != "application/atom+xml; charset=utf-8" {
				t.Fatalf("%d %v: %v %s", got.status, got.header, err, got.body)
			}
			if feed.ID != origin+tt.path || feed.Updated != tt.updated || len(feed.Links) != 2 || feed.Links[0].Rel != "self" ||
				feed.Links[0].URL != origin+tt.path || len(feed.Entries) != 1 {
				t.Fatalf("feed %+v", feed)
			}
			e := feed.Entries[0]
			if e.ID != "urn:uuid:"+tt.id || e.Title != tt.title || e.Link.URL != origin+tt.page || e.Author != "Ada" ||
				e.Updated != tt.updated || e.Summary != tt.summary {
				t.Errorf("entry %+v", e)
			}
			if _, err := time.Parse(time.RFC3339, feed.Updated); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGateway_oEmbed(t *testing.T) {
	t.Parallel()
	s := startCommunity(t)
	b := s.startSite(t)
	ask := func(address, more string) response {
		return b.get(t, "/oembed?url="+url.QueryEscape(address)+more)
	}
	record := origin + "/record/" + recordID
	got := ask(record+"?from=chat#top", "&format=json")
	var answer map[string]any
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != http.StatusOK {
		t.Fatalf("%d %v %s", got.status, err, got.body)
	}
	thumbnail, _ := answer["thumbnail_url"].(string)
	if !strings.HasPrefix(thumbnail, origin+"/api/v1/records/"+recordID+"/preview.png?v=") {
		t.Errorf("thumbnail %q", thumbnail)
	}
	if diff := cmp.Diff(map[string]any{
		"version": "1.0", "type": "link", "title": "00:43.10 by Ada on " + hostileName, "author_name": "Ada",
		"author_url": origin + "/player/" + playerID, "provider_name": "Capzone & friends", "provider_url": origin + "/",
		"cache_age": 10.0, "thumbnail_url": thumbnail, "thumbnail_width": 1200.0, "thumbnail_height": 630.0,
	}, answer); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if small := ask(record, "&maxwidth=400"); strings.Contains(small.body, "thumbnail") || small.status != http.StatusOK {
		t.Errorf("for a width of 400: %d %s", small.status, small.body)
	}
	for _, tt := range []struct {
		address, more string
		status        int
	}{
		{"", "", 400},
		{record, "&format=xml", 501},
		{origin + "/record/" + mapID, "", 404},
		{origin + "/record/x", "", 404},
		{origin + "/compare/" + playerID + "/" + opponentID, "", 200},
		{origin + "/compare/" + playerID + "/" + playerID, "", 404},
		{origin + "/compare/" + playerID, "", 404},
		{origin + "/record/", "", 404},
		{origin + "/login-with-bonk", "", 404},
		{"https://elsewhere.example/record/" + recordID, "", 404},
		{"http://capzone.example/record/" + recordID, "", 404},
		{"https://user@capzone.example/record/" + recordID, "", 404},
		{"https://capzone.example@elsewhere.example/record/" + recordID, "", 404},
		{"javascript:alert(1)", "", 404},
		{"%zz", "", 404},
		{origin + "/", "", 200},
		{origin, "", 200},
		{record + "/", "", 200},
		{" " + record + "\n", "", 200},
		{"HTTPS://Capzone.Example/record/" + recordID, "", 200},
	} {
		if got := ask(tt.address, tt.more); got.status != tt.status {
			t.Errorf("%s%s: %d %s, want %d", tt.address, tt.more, got.status, got.body, tt.status)
		}
	}
	s.change(func() { s.away = "/players" })
	if got := ask(origin+"/player/"+playerID, ""); got.status != http.StatusServiceUnavailable {
		t.Errorf("while the service is away: %d, want 503", got.status)
	}
	s.change(func() { s.away = "" })
	if profile := ask(origin+"/player/"+playerID, ""); !strings.Contains(profile.body, `-1-1925.5"`) {
		t.Errorf("of a profile: %s, want an address with rank and points", profile.body)
	}
}

func TestGateway_picture_of_the_home_page(t *testing.T) {
	t.Parallel()
	s := startCommunity(t)
	b := s.startSite(t)
	got := b.get(t, "/preview.png?v=1")
	size, err := png.DecodeConfig(strings.NewReader(got.body))
	if err != nil || got.status != http.StatusOK || size.Width != 1200 || size.Height != 630 ||
		got.header.Get("Content-Type") != "image/png" || got.header.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("%d %v: %v, %d by %d", got.status, got.header, err, size.Width, size.Height)
	}
	if same := b.get(t, "/preview.png", "If-None-Match", got.header.Get("ETag")); same.status != http.StatusNotModified {
		t.Errorf("with the ETag: %d", same.status)
	}
}
