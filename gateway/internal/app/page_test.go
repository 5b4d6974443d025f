package app_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"golang.org/x/net/html"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/platform/event"
)

// document is what a reader without scripts finds in a page.
type document struct {
	title   string
	meta    map[string]string // by name or property
	links   map[string]string // addresses, by the relation and the type
	scripts map[string]string // blocks of data, by type
	count   map[string]int    // elements
	picture map[string]string // attributes of the picture in the frame
}

func readDocument(t *testing.T, page string) document {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	d := document{
		meta: map[string]string{}, links: map[string]string{}, scripts: map[string]string{}, count: map[string]int{},
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		d.count[n.Data]++
		attribute := map[string]string{}
		for _, a := range n.Attr {
			attribute[a.Key] = a.Val
		}
		switch n.Data {
		case "title":
			d.title = n.FirstChild.Data
		case "meta":
			d.meta[attribute["name"]+attribute["property"]] = attribute["content"]
		case "link":
			d.links[strings.TrimSpace(attribute["rel"]+" "+attribute["type"])] = attribute["href"]
		case "img":
			d.picture = attribute
		case "script":
			if n.FirstChild != nil {
				d.scripts[attribute["type"]] = n.FirstChild.Data
			}
		}
	}
	return d
}

func TestGateway_pages(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	for _, tt := range []struct {
		path, title, name, description, kind, picture string
		data                                          []string
	}{
		{"/", "Capzone & friends", "Capzone & friends", `Maps "and" records.`, "website", "/preview.png",
			[]string{"/maps/search?limit=4&sortBy=createdAt&sortDir=desc", "/rankings?by=points&limit=5&page=1&period=month",
				"/records/world-records?limit=5", "/records?limit=5&sortBy=updatedAt&sortDir=desc", "/stats"}},
		{"/leaderboard/" + mapID, hostileName + ": Leaderboard · Capzone & friends", hostileName,
			"Grapple map by Ada, version 2. 1 record. World record: 00:43.10 by Ada.", "article", "/api/v1/maps/" + mapID + "/preview.png",
			[]string{"/maps/" + mapID, "/maps/" + mapID + "/points", "/maps/" + mapID + "/versions",
				"/records?limit=10&map=" + mapID + "&offset=0&sortBy=finishTime%2CfinishTimeStamp&sortDir=asc%2Casc"}},
		{"/player/" + playerID, "Ada · Capzone & friends", "Ada", "Rank 1 with 1925.5 points. Level 7. 2 records and 1 map on Capzone & friends.",
			"profile", "/api/v1/players/" + playerID + "/preview.png",
			[]string{"/players/" + playerID, "/players/" + playerID + "/statistics",
				"/rankings?around=" + playerID + "&by=points&period=all",
				"/records?limit=5&offset=0&player=" + playerID + "&sortBy=updatedAt&sortDir=desc"}},
		{"/record/" + recordID, "00:43.10 by Ada on " + hostileName + " · Capzone & friends",
			"00:43.10 by Ada on " + hostileName, "Gold medal. Rank 1. Set on 22 November 2026.", "article",
			"/api/v1/records/" + recordID + "/preview.png",
			[]string{"/maps/" + mapID, "/records/" + recordID, "/records/" + recordID + "/verification"}},
		{"/compare/" + playerID + "/" + opponentID, "Ada vs. " + hostileName + " · Capzone & friends",
			"Ada vs. " + hostileName, "12 : 7 on 22 maps that both have finished.", "article",
			"/api/v1/players/" + playerID + "/compare/" + opponentID + "/preview.png",
			[]string{"/players/" + playerID + "/compare/" + opponentID + "?limit=20&offset=0&sortBy=closest"}},
	} {
		t.Run(tt.path, func(t *testing.T) {
			for _, query := range []string{"", "?page=2&record=" + recordID} {
				got := b.get(t, tt.path+query, "Accept", "text/html")
				if got.status != http.StatusOK || got.header.Get("Content-Type") != "text/html; charset=utf-8" ||
					got.header.Get("Cache-Control") != "no-cache" || got.header.Get("ETag") == "" {
					t.Fatalf("%d %v", got.status, got.header)
				}
				d := readDocument(t, got.body)
				if d.title != tt.title {
					t.Errorf("title %q, want %q", d.title, tt.title)
				}
				picture := d.meta["og:image"]
				// Chat clients keep pictures: the address of one with rank and points changes with them.
				if !strings.HasPrefix(picture, origin+tt.picture+"?v=") ||
					tt.kind == "profile" != strings.HasSuffix(picture, "-1-1925.5") || d.meta["og:image:alt"] == "" {
					t.Errorf("picture %q with the text %q", picture, d.meta["og:image:alt"])
				}
				want := map[string]string{
					"": "", "description": tt.description, "og:title": tt.name, "og:description": tt.description,
					"og:url": origin + tt.path, "og:type": tt.kind, "og:site_name": "Capzone & friends",
					"twitter:title": tt.name, "twitter:description": tt.description,
					"og:image": picture, "og:image:type": "image/png", "og:image:width": "1200", "og:image:height": "630",
					"og:image:alt": d.meta["og:image:alt"], "twitter:card": "summary_large_image", "twitter:image": picture,
					"twitter:image:alt": d.meta["og:image:alt"],
				}
				assert.Equal(t, "meta", want, d.meta)
				if d.count["script"] != len(d.scripts)+1 || d.count["title"] != 1 {
					t.Errorf("%d scripts and %d titles in\n%s", d.count["script"], d.count["title"], got.body)
				}
				if d.links["canonical"] != origin+tt.path || d.links["alternate application/atom+xml"] == "" {
					t.Errorf("links %v", d.links)
				}
				var data map[string]struct{ Success bool }
				require.NoError(t, json.Unmarshal([]byte(d.scripts["application/json"]), &data))
				for _, key := range tt.data {
					if !data[key].Success {
						t.Errorf("the page's data has no %s", key)
					}
				}
				if len(data) != len(tt.data) {
					t.Errorf("the page's data has %d answers, want %d", len(data), len(tt.data))
				}
				if linked := d.scripts["application/ld+json"]; linked != "" && !json.Valid([]byte(linked)) {
					t.Errorf("linked data %s", linked)
				}
				same := b.get(t, tt.path, "If-None-Match", got.header.Get("ETag"))
				if same.status != http.StatusNotModified || same.body != "" {
					t.Errorf("with the ETag: %d %s", same.status, same.body)
				}
				if head := b.send(t, http.MethodHead, tt.path, nil); head.status != 200 || head.header.Get("ETag") == "" {
					t.Errorf("HEAD: %d %v", head.status, head.header)
				}
			}
		})
	}
}

func TestGateway_pages_of_lists(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	const description = `Maps "and" records.`
	for _, tt := range []struct{ path, title, description, data string }{
		{"/map-search", "Map Search", description, `"/maps/search?limit=12\u0026page=1\u0026sortBy=createdAt\u0026sortDir=desc"`},
		{"/map-search/listed", "Maps without a replay", description, `"/maps/listed?limit=25\u0026page=1"`},
		{"/rankings", "Rankings",
			"The players with the most points, world records, medals and finished maps. First by points: Ada with 1925.5.",
			`"/rankings?by=points\u0026limit=25\u0026page=1\u0026period=all"`},
		{"/rankings/formula", "How points work",
			"The formula of points with examples and a calculator, so that every point can be checked by hand.",
			`"/rankings?by=points\u0026limit=25\u0026page=1\u0026period=all"`},
	} {
		d := readDocument(t, b.get(t, tt.path).body)
		if d.title != tt.title+" · Capzone & friends" || d.links["canonical"] != origin+tt.path ||
			tt.description != description && d.meta["description"] != tt.description {
			t.Errorf("%s has the head %v", tt.path, d)
		}
		if !strings.Contains(d.scripts["application/json"], tt.data) {
			t.Errorf("the data of %s is %s", tt.path, d.scripts["application/json"])
		}
	}
	for _, path := range []string{"/map-search?name=x", "/map-search/listed?name=x", "/rankings?by=finished"} {
		d := readDocument(t, b.get(t, path).body)
		if d.title != "Capzone & friends" || d.scripts["application/json"] != "" || d.links["preload"] != "" {
			t.Errorf("%s has the head and data %v", path, d)
		}
	}
	if got := readDocument(t, b.get(t, "/map-search").body).links["preload"]; got != "/media/maps/a-480.webp" {
		t.Errorf("preloaded %q, want the picture of the first card", got)
	}
	for path, want := range map[string]map[string]string{
		"/leaderboard/" + mapID: {
			"src": "/media/maps/a.webp", "srcset": "/media/maps/a-480.webp 480w, /media/maps/a.webp 1600w",
			"sizes": "(min-width: 48em) 46rem, 100vw",
		},
		"/record/" + recordID: {"src": "/media/maps/drawn.webp"},
	} {
		maps.Copy(want, map[string]string{"class": "frame-picture", "alt": "", "fetchpriority": "high"})
		if got := readDocument(t, b.get(t, path).body).picture; !maps.Equal(got, want) {
			t.Errorf("the frame of %s has the picture %v, want %v", path, got, want)
		}
	}
}

// The profile of a player who is not ranked has a head without a rank.
func TestGateway_pages_of_an_unranked_player(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *community){
		"not ranked":            func(s *community) { s.unranked = true },
		"the rankings are away": func(s *community) { s.away = "rankings" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startCommunity(t)
			change(s)
			got := s.startSite(t).get(t, "/player/"+playerID)
			d := readDocument(t, got.body)
			if got.status != http.StatusOK || d.meta["description"] != "Level 7. 2 records and 1 map on Capzone & friends." {
				t.Errorf("%d %v", got.status, d.meta)
			}
		})
	}
}

// Two gateways store the pages of one site in several languages, and give each visitor their own.
func TestGateway_pages_in_languages(t *testing.T) {
	t.Parallel()
	community := startCommunity(t)
	gateways := []*bundle{community.startSite(t), community.startSite(t)}
	const (
		englishText = "Gold medal. Rank 1. Set on 22 November 2026."
		germanText  = "Goldmedaille. Rang 1. Aufgestellt am 22.11.2026."
		polishText  = "Złoty medal. Pozycja 1. Ustanowiono 22.11.2026."
	)
	visitors := []struct {
		name, query, cookie, accept string
		language, text, preview     string
	}{
		{"without a language", "", "", "", "en", englishText, englishText},
		{"of a browser", "", "", "fr, de-AT;q=0.9, en;q=0.8", "de", germanText, englishText},
		{"with a choice", "", "pl", "de", "pl", polishText, englishText},
		{"with an unknown choice", "", "xx", "pl", "pl", polishText, englishText},
		{"who chose English", "", "en", "de", "en", englishText, englishText},
		{"of an address with a language", "?lang=de", "pl", "es", "de", germanText, germanText},
	}
	for range 2 { // once made, once stored
		for _, v := range visitors {
			for _, b := range gateways {
				got := b.get(t, "/record/"+recordID+v.query, "Accept-Language", v.accept, "Cookie", "lang="+v.cookie)
				d := readDocument(t, got.body)
				if !strings.Contains(got.body, `<html lang="`+v.language+`"`) || d.meta["description"] != v.text ||
					d.meta["og:description"] != v.preview || d.links["canonical"] != origin+"/record/"+recordID {
					t.Errorf("a visitor %s: %s %v", v.name, got.body[:60], d.meta)
				}
				if catalogue := "/assets/" + v.language + ".js"; (v.language != "en") != strings.Contains(got.body, catalogue) {
					t.Errorf("a visitor %s: %s", v.name, got.body)
				}
				if shown := "<p>" + html.EscapeString(v.text) + "</p>"; !strings.Contains(got.body, shown) {
					t.Errorf("a visitor %s: no %s in %s", v.name, shown, got.body)
				}
				for _, text := range []string{"Loading authentication...", "friends needs JavaScript. Questions: mail@"} {
					if (v.language != "en") == strings.Contains(got.body, text) {
						t.Errorf("a visitor %s: %s", v.name, got.body)
					}
				}
			}
		}
	}
}

func TestGateway_pages_without_JavaScript(t *testing.T) {
	t.Parallel()
	got := startCommunity(t).startSite(t).get(t, "/", "Accept-Language", "de")
	const want = "<noscript>Capzone &amp; friends braucht JavaScript. Fragen: mail@capzone.example</noscript>"
	if !strings.Contains(got.body, want) {
		t.Error(got.body)
	}
}

func TestGateway_feeds_in_languages(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	for query, want := range map[string]string{"": "New world records", "?lang=de": "Neue Weltrekorde"} {
		got := b.get(t, "/feeds/world-records.atom"+query, "Accept-Language", "pl")
		if !strings.Contains(got.body, "<title>Capzone &amp; friends: "+want+"</title>") {
			t.Errorf("%q: %s", query, got.body)
		}
	}
}

func TestGateway_pages_compressed(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	plain := b.get(t, "/leaderboard/"+mapID)
	got := b.get(t, "/leaderboard/"+mapID, "Accept-Encoding", "br, gzip")
	reader, err := gzip.NewReader(strings.NewReader(got.body))
	require.NoError(t, err)
	body, err := io.ReadAll(reader)
	if err != nil || string(body) != plain.body || got.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%v %v: %s", err, got.header, body)
	}
	vary := strings.Join(got.header.Values("Vary"), ", ")
	if got.header.Get("ETag") == plain.header.Get("ETag") || vary != "Accept-Language, Cookie, Accept-Encoding" {
		t.Errorf("compressed %v, plain %v", got.header, plain.header)
	}
}

func TestGateway_pages_that_do_not_exist(t *testing.T) {
	t.Parallel()
	b := startCommunity(t).startSite(t)
	for _, path := range []string{
		"/leaderboard/" + playerID, "/player/" + mapID, "/record/x", "/record/" + mapID + "?page=1",
		"/compare/" + playerID + "/" + mapID, "/compare/" + playerID + "/x", "/compare/x/" + playerID,
		"/compare/" + playerID + "/" + playerID, // 422
		"/nothing", "/nothing/at/all", "/leaderboard", "/leaderboard/a%2Fb", "/replay-submit/a/b", "/rankings/points",
	} {
		for _, encoding := range []string{"gzip", ""} {
			got := b.get(t, path, "Accept", "text/html", "Accept-Encoding", encoding)
			if got.status != http.StatusNotFound {
				t.Errorf("%s: %d, want 404", path, got.status)
			}
			if encoding != "" {
				continue
			}
			d := readDocument(t, got.body)
			if d.count["div"] != 2 || d.title != "Capzone & friends" || d.meta["robots"] != "noindex" {
				t.Errorf("%s is not the application with the general head: %v", path, d)
			}
		}
	}
	for _, path := range []string{"/map-search", "/replay-submit", "/replay-submit/" + mapID, "/login-with-bonk",
		"/mapSeries/spring/2", "/events"} {
		if got := b.get(t, path); got.status != http.StatusOK {
			t.Errorf("%s: %d, want 200", path, got.status)
		}
	}
	for path, want := range map[string]string{
		"/player/" + playerID + "/":       "/player/" + playerID,
		"/leaderboard/a/?page=2&record=x": "/leaderboard/a?page=2&record=x",
		"/map-search/":                    "/map-search",
		"/events/":                        "/events",
		"//evil/":                         "/evil",
		"/%5Cevil/":                       "/%5Cevil",
		"/nothing/../record/":             "/record",
	} {
		got := b.get(t, path)
		if got.status != http.StatusMovedPermanently || got.header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want one redirect to %q", path, got.status, got.header.Get("Location"), want)
		}
	}
}

func TestGateway_pages_while_a_service_is_away(t *testing.T) {
	t.Parallel()
	s := startCommunity(t)
	s.change(func() { s.away = "/api/v1/" })
	b := s.startSite(t)
	for _, path := range []string{
		"/", "/leaderboard/" + mapID, "/player/" + playerID, "/record/" + recordID, "/compare/" + playerID + "/" + opponentID,
	} {
		got := b.get(t, path)
		d := readDocument(t, got.body)
		if got.status != http.StatusOK || d.title != "Capzone & friends" || d.links["canonical"] != origin+path {
			t.Errorf("%s: %d with the title %q and the address %q", path, got.status, d.title, d.links["canonical"])
		}
		if robots, ok := d.meta["robots"]; ok {
			t.Errorf("%s must stay in search engines, but has robots %q", path, robots)
		}
	}
	if got := b.get(t, "/feeds/maps.atom"); got.status != http.StatusServiceUnavailable {
		t.Errorf("the feed: %d, want 503", got.status)
	}
	s.change(func() { s.away = "/records" })
	eventually.WaitFor(t, "the map's own head", func() bool {
		return readDocument(t, b.get(t, "/leaderboard/"+mapID).body).meta["og:title"] == hostileName
	})
	s.change(func() { s.away = "" })
	eventually.WaitFor(t, "the data of the whole page", func() bool {
		return strings.Contains(b.get(t, "/leaderboard/"+mapID).body, `"/records?`)
	})
}

func TestGateway_pages_while_a_service_hangs(t *testing.T) {
	t.Parallel()
	s := startCommunity(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) }) // before the community is closed
	s.change(func() { s.hold = release })
	b := s.startSite(t)
	got := b.get(t, "/leaderboard/"+mapID)
	if d := readDocument(t, got.body); got.status != http.StatusOK || d.title != "Capzone & friends" {
		t.Errorf("%d with the title %q", got.status, d.title)
	}
}

// A browser is shown when the page opens, a program reads the envelope.
func TestGateway_pages_limited(t *testing.T) {
	t.Parallel()
	b := setup(t, func(cfg *app.Config, _ *bundle) { cfg.RequestsPerMinute = 1 })
	visitor := append(from("192.0.2.1"), "Accept", "text/html,*/*;q=0.8")
	if got := b.get(t, "/", visitor...); got.status != http.StatusOK {
		t.Errorf("the first page: %d", got.status)
	}
	got := b.get(t, "/", visitor...)
	seconds := got.header.Get("Retry-After")
	if d := readDocument(t, got.body); got.status != http.StatusTooManyRequests || d.title != "Please wait" ||
		!strings.Contains(got.body, "in "+seconds+" seconds") || !strings.Contains(got.body, `content="`+seconds+`"`) {
		t.Errorf("the next one: %d, Retry-After %s: %s", got.status, seconds, got.body)
	}
	if got := b.get(t, "/robots.txt", from("192.0.2.1")...); got.failure(t).Code != "rate_limited" {
		t.Errorf("a program: %d %s", got.status, got.body)
	}
}

func TestGateway_pages_purged(t *testing.T) {
	t.Parallel()
	s := startCommunity(t)
	b := s.startSite(t)
	nc, err := nats.Connect(s.nats.URL())
	require.NoError(t, err)
	t.Cleanup(nc.Close)
	shown := func(time string) bool {
		for _, path := range []string{"/leaderboard/" + mapID, "/record/" + recordID, "/feeds/world-records.atom"} {
			if !strings.Contains(b.get(t, path).body, time) {
				return false
			}
		}
		return true
	}
	if !shown("00:43.10") {
		t.Fatal("the pages do not show the world record")
	}
	before := readDocument(t, b.get(t, "/leaderboard/"+mapID).body).meta["og:image"]
	s.change(func() { s.worldRecord = 42_000; s.reads = map[string]int{} })
	if !shown("00:43.10") {
		t.Error("the pages were not stored")
	}
	s.change(func() {
		if len(s.reads) > 0 {
			t.Errorf("the pages were made again: %v", s.reads)
		}
	})
	publish := func(subject string, state any) {
		t.Helper()
		payload, _ := json.Marshal(state)
		data, _ := json.Marshal(event.Envelope{ID: "1", Data: payload})
		require.NoError(t, nc.Publish(subject, data))
	}
	publish(event.MapStatsPrefix+mapID, event.MapStats{MapID: mapID})
	eventually.WaitFor(t, "the new world record on all pages", func() bool { return shown("00:42.00") })
	if after := readDocument(t, b.get(t, "/leaderboard/"+mapID).body).meta["og:image"]; after == before {
		t.Errorf("the address of the picture is still %s", after)
	}
	s.change(func() { s.mapRemoved = true })
	publish(event.MapStatePrefix+mapID, event.MapState{ID: mapID, Removed: true})
	eventually.WaitFor(t, "the status 404 for the removed map", func() bool {
		return b.get(t, "/leaderboard/"+mapID).status == http.StatusNotFound
	})
}
