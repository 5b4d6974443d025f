package app_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gin-gonic/gin"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/gateway/internal/app"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
)

const (
	origin   = "https://capzone.example"
	mapID    = "01970000-0000-7000-8000-00000000000a"
	recordID = "01970000-0000-7000-8000-00000000000b"
	// opponentID has beaten the player 7 times of 22.
	opponentID = "01970000-0000-7000-8000-00000000000c"
	// hostileName would be markup if it were not escaped.
	hostileName = "</title></script><script>alert(1)</script> \"'&amp; <!-- ]]> \u2028"
	index       = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Capzone &amp; friends</title>
    <meta name="description" content="Maps &quot;and&quot; records." />
    <script type="module" src="/assets/app.js"></script>
  </head>
  <body>
    <p class="frame-title">Capzone &amp; friends</p><p>Maps &quot;and&quot; records.</p>
    <div id="root"><div class="loading" role="status">Loading authentication...</div></div>
    <noscript>Capzone &amp; friends needs JavaScript. Questions: mail@capzone.example</noscript>
  </body>
</html>
`
	manifest = `{
		"src/locales/es.po?first": {"file": "assets/es.js"},
		"src/locales/de.po?first": {"file": "assets/de.js"},
		"src/locales/pl.po?first": {"file": "assets/pl.js"}
	}`
)

// community is a stub of all services with one map, one player and one record.
type community struct {
	*httptest.Server
	nats *natstest.Server

	mu          sync.Mutex
	worldRecord int // milliseconds
	mapRemoved  bool
	unranked    bool
	away        string // a part of the paths that are not answered
	reads       map[string]int
	hold        chan struct{} // answers wait for its end, if it is not nil
}

func startCommunity(tb testing.TB) *community {
	tb.Helper()
	s := &community{nats: natstest.Start(tb), worldRecord: 43_100, reads: map[string]int{}}
	engine := httpserve.NewEngine(httpserve.Options{Log: slog.New(slog.DiscardHandler)})
	engine.GET("/api/*path", func(c *gin.Context) {
		s.mu.Lock()
		s.reads[c.Request.URL.RequestURI()]++
		body, away := s.answers()[c.Request.URL.Path], s.away != "" && strings.Contains(c.Request.URL.Path, s.away)
		hold := s.hold
		s.mu.Unlock()
		if hold != nil {
			<-hold
		}
		switch {
		case away:
			c.String(http.StatusServiceUnavailable, "away")
		case strings.HasSuffix(c.Request.URL.Path, playerID+"/compare/"+playerID):
			c.JSON(http.StatusUnprocessableEntity, gin.H{"success": false, "code": "same_player"})
		case body == "":
			c.JSON(http.StatusNotFound, gin.H{"success": false, "code": "unknown"})
		default:
			httpserve.TagCacheable(c.Request.Context(), httpserve.MapKey(mapID), httpserve.PlayerKey(playerID))
			c.String(http.StatusOK, "%s", body)
		}
	})
	s.Server = httptest.NewServer(engine)
	tb.Cleanup(s.Close)
	return s
}

// answers returns the bodies of all answers, by path.
func (s *community) answers() map[string]string {
	name, _ := json.Marshal(hostileName)
	player := fmt.Sprintf(`{"_id":%q,"name":"Ada","skinImageUrl":null}`, playerID)
	parkourMap := fmt.Sprintf(`{"_id":%q,"name":%s,"gameMode":"Grapple","description":%s,"author":%s,"recordCount":1,`+
		`"version":2,"newest":true,"imageUrl":"/media/maps/a.webp","thumbnailUrl":"/media/maps/a-480.webp",`+
		`"pictureUrl":"/media/maps/drawn.webp",`+
		`"createdAt":"2026-11-20T10:00:00.000Z","updatedAt":"2026-11-21T10:00:00.000Z",`+
		`"worldRecord":{"_id":%q,"finishTime":%d,"player":%s}}`, mapID, name, name, player, recordID, s.worldRecord, player)
	record := fmt.Sprintf(`{"_id":%q,"finishTime":%d,"player":%s,"map":{"_id":%q,"name":%s},"medal":"gold","rank":1,`+
		`"createdAt":"2026-11-22T10:00:00.000Z","previousWorldRecord":50000,"points":600}`, recordID, s.worldRecord, player, mapID, name)
	ids := func(id string, pages int) string {
		return fmt.Sprintf(`{"success":true,"data":[{"_id":%q,"updatedAt":"2026-11-22T10:00:00.000Z"}],`+
			`"pagination":{"pages":%d}}`, id, pages)
	}
	one := func(data string) string { return `{"success":true,"data":` + data + `}` }
	list := func(data string) string { return `{"success":true,"data":[` + data + `],"pagination":{"total":1}}` }
	answers := map[string]string{
		"/api/v1/stats":                                 one(`{"totalMaps":1,"totalPlayers":1,"totalRecords":1}`),
		"/api/v1/maps/search":                           list(parkourMap),
		"/api/v1/maps/listed":                           list(`{"name":"Cloud Stairs"}`),
		"/api/v1/rankings":                              list(fmt.Sprintf(`{"rank":1,"player":%s,"points":1925.5}`, player)),
		"/api/v1/maps/ids":                              ids(mapID, 7),
		"/api/v1/maps/" + mapID + "/points":             one(`{"ranked":false}`),
		"/api/v1/maps/" + mapID + "/versions":           one(`[]`),
		"/api/v1/players/ids":                           ids(playerID, 1),
		"/api/v1/records":                               list(record),
		"/api/v1/records/world-records":                 list(record),
		"/api/v1/records/" + recordID:                   one(record),
		"/api/v1/records/" + recordID + "/verification": one(`{"checks":[]}`),
		"/api/v1/players/" + playerID + "/statistics":   one(`{}`),
		"/api/v1/players/" + playerID: one(fmt.Sprintf(
			`{"_id":%q,"name":"Ada","level":7,"registered":true,"mapCount":1,"recordCount":2}`, playerID)),
	}
	answers["/api/v1/players/"+playerID+"/compare/"+opponentID] = one(fmt.Sprintf(
		`{"player":%s,"opponent":{"_id":%q,"name":%s},"score":{"wins":12,"losses":7,"ties":3},"modes":[],"maps":[]}`,
		player, opponentID, name))
	if s.unranked {
		delete(answers, "/api/v1/rankings")
	}
	if !s.mapRemoved {
		answers["/api/v1/maps/"+mapID] = one(parkourMap)
	}
	return answers
}

// change runs a change of the community, which no service announces.
func (s *community) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// startSite starts a gateway with a built application in front of the community.
func (s *community) startSite(tb testing.TB) *bundle {
	tb.Helper()
	dir := tb.TempDir()
	var compressed strings.Builder
	w := gzip.NewWriter(&compressed)
	_, _ = io.WriteString(w, index)
	_ = w.Close()
	require.NoError(tb, os.Mkdir(filepath.Join(dir, ".vite"), 0o700))
	for name, content := range map[string]string{
		"index.html": index, "index.html.gz": compressed.String(), ".vite/manifest.json": manifest,
	} {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	address := app.Addresses{s.Listener.Addr().String()}
	b := setup(tb, func(cfg *app.Config, _ *bundle) {
		cfg.Services[route.Maps], cfg.Services[route.Records], cfg.Services[route.Players] = address, address, address
		cfg.NATSURL, cfg.WebDir = s.nats.URL(), dir
		cfg.RequestsPerMinute = 1_000_000_000
	})
	eventually.WaitFor(tb, "the gateway to receive events", func() bool {
		return strings.Contains(b.metrics(tb), "gateway_pages_fresh 1")
	})
	return b
}
