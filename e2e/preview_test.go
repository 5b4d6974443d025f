package e2e_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// hostileName would be markup where it is not escaped. A map's name is what its author has typed in the game.
const hostileName = `</title></script><script>alert(1)</script>"'&amp;<!-- ]]>`

// opened is what a chat client reads of a page, without running scripts.
type opened struct {
	status  int
	title   string
	meta    map[string]string // by name or property
	links   map[string]string // addresses, by the type
	data    map[string]string // contents of scripts, by the type
	scripts int               // those that a browser runs
}

func open(t *testing.T, path string) opened {
	t.Helper()
	answer := send(t, newVisitor(), site.Request{Path: path, AtRoot: true})
	if contentType := answer.Header.Get("Content-Type"); !strings.HasPrefix(contentType, "text/html") {
		t.Fatalf("%s: %d %s", path, answer.Status, contentType)
	}
	root, err := html.Parse(bytes.NewReader(answer.Body))
	require.NoError(t, err)
	page := opened{
		status: answer.Status, meta: map[string]string{}, links: map[string]string{}, data: map[string]string{},
	}
	for n := range root.Descendants() {
		attribute := map[string]string{}
		for _, a := range n.Attr {
			attribute[a.Key] = a.Val
		}
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "title" && n.Parent.Data == "head":
			page.title = n.FirstChild.Data
		case n.Data == "meta":
			page.meta[attribute["name"]+attribute["property"]] = attribute["content"]
		case n.Data == "link" && attribute["rel"] == "alternate":
			page.links[attribute["type"]] = attribute["href"]
		case n.Data == "script" && strings.HasSuffix(attribute["type"], "json"):
			page.data[attribute["type"]] = n.FirstChild.Data
		case n.Data == "script" && attribute["src"] == "":
			page.scripts++
		}
	}
	return page
}

// read sends a request for an absolute address of the site. Its origin is PUBLIC_URL, and may differ from the one by
// which the test reaches the site.
func read(t *testing.T, address string) site.Answer {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || !u.IsAbs() {
		t.Fatalf("%q is no absolute address", address)
	}
	return send(t, newVisitor(), site.Request{Path: u.EscapedPath(), AtRoot: true, Query: u.Query()})
}

// shared is a map with a hostile name, and a record of another player on it.
func shared(t *testing.T) (parkourMap api.ParkourMap, record api.Submitted, player *site.Visitor) {
	t.Helper()
	author, player := newPlayer(t), newPlayer(t)
	m := newMap(author.Player.Name)
	m.Name = hostileName
	parkourMap, err := author.SubmitMap(t.Context(), submission(t, m, author.Player.Name))
	require.NoError(t, err)
	return parkourMap, finished(t, player, m, 38_000), player
}

// A chat client reads a link without running scripts.
func TestPreview(t *testing.T) {
	t.Parallel()
	t.Run("a shared link has a title, a description and a picture", testSharedLinks)
	t.Run("a new world record is shown by the next request", testNewWorldRecord)
	t.Run("feeds list what was submitted", testFeeds)
}

func testSharedLinks(t *testing.T) {
	t.Parallel()
	parkourMap, record, player := shared(t)
	for _, tt := range []struct{ path, name string }{
		{"/", "Capzone"},
		{"/leaderboard/" + parkourMap.ID, hostileName},
		{"/player/" + player.Player.ID, player.Player.Name},
		{"/record/" + record.Record.ID, "00:38.00 by " + player.Player.Name + " on " + hostileName},
	} {
		t.Run(tt.path, func(t *testing.T) {
			page := open(t, tt.path+"?utm_source=chat")
			if page.status != http.StatusOK || page.meta["og:title"] != tt.name || page.meta["twitter:title"] != tt.name ||
				!strings.HasPrefix(page.title, tt.name) {
				t.Errorf("%d, title %q, preview %q, want %q", page.status, page.title, page.meta["og:title"], tt.name)
			}
			if page.scripts > 0 || strings.Contains(page.data["application/json"], "<") {
				t.Errorf("the map's name is markup: %d scripts, data %s", page.scripts, page.data["application/json"])
			}
			if !json.Valid([]byte(page.data["application/json"])) {
				t.Errorf("the page's data are no JSON: %s", page.data["application/json"])
			}
			if linked := page.data["application/ld+json"]; linked != "" && !json.Valid([]byte(linked)) {
				t.Errorf("the linked data are no JSON: %s", linked)
			}
			picture := read(t, page.meta["og:image"])
			size, err := png.DecodeConfig(bytes.NewReader(picture.Body))
			if err != nil || picture.Status != http.StatusOK || picture.Header.Get("Content-Type") != "image/png" ||
				size.Width != 1200 || size.Height != 630 || page.meta["og:image:width"] != "1200" ||
				page.meta["og:image:height"] != "630" || page.meta["og:image:type"] != "image/png" {
				t.Errorf("%s: %d %s, %v, %d by %d", page.meta["og:image"], picture.Status, picture.Header.Get("Content-Type"),
					err, size.Width, size.Height)
			}
			var embed struct{ Type, Title, Version string }
			answer := read(t, page.links["application/json+oembed"])
			if err := json.Unmarshal(answer.Body, &embed); err != nil || embed.Title != tt.name || embed.Version != "1.0" {
				t.Errorf("oEmbed: %d %v %+v", answer.Status, err, embed)
			}
		})
	}
}

func testNewWorldRecord(t *testing.T) {
	t.Parallel()
	m, entry, _ := submitted(t)
	eventually.WaitFor(t, "the map's first record", func() bool {
		return strings.Contains(open(t, "/leaderboard/"+entry.ID).data["application/json"], `"finishTime":40000`)
	})
	before := open(t, "/leaderboard/"+entry.ID)
	player := newPlayer(t)
	record := finished(t, player, m, 36_000)
	data := open(t, "/leaderboard/"+entry.ID).data["application/json"]
	if !strings.Contains(data, record.Record.ID) {
		t.Errorf("the page's data do not have the new record: %s", data)
	}
	eventually.WaitFor(t, "the new world record in the description and another address of the picture", func() bool {
		page := open(t, "/leaderboard/"+entry.ID)
		return strings.Contains(page.meta["og:description"], "00:36.00 by "+player.Player.Name) &&
			page.meta["og:image"] != before.meta["og:image"]
	})
}

func testFeeds(t *testing.T) {
	t.Parallel()
	parkourMap, record, _ := shared(t)
	type atom struct {
		Entries []struct {
			ID string `xml:"id"`
		} `xml:"entry"`
	}
	for path, id := range map[string]string{
		"/feeds/maps.atom": parkourMap.ID, "/feeds/world-records.atom": record.Record.ID,
	} {
		eventually.WaitFor(t, "an entry in "+path, func() bool {
			answer := send(t, newVisitor(), site.Request{Path: path, AtRoot: true})
			var feed atom
			if err := xml.Unmarshal(answer.Body, &feed); err != nil {
				t.Fatalf("%s: %d %v", path, answer.Status, err)
			}
			return strings.Contains(fmt.Sprint(feed.Entries), "urn:uuid:"+id)
		})
	}
}
