// Package page serves the pages of the application that are shared as links: its index.html with a head and data of
// their own. It also serves what search engines, feed readers and chat clients ask for: sitemap, feeds and oEmbed.
package page

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/live"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/sharecard"
)

const (
	// dataTimeout bounds how long a page waits for its data. Without them it has the general head.
	dataTimeout = 2 * time.Second
	// pageMaxAge is how long a page is stored at most. The responses that it is made of have the same limit.
	pageMaxAge = 10 * time.Second
	// incompleteMaxAge is how long a page is stored for which a service did not answer.
	incompleteMaxAge = time.Second
	// pagesKey is a key of every response of this package: a response without a key is not stored.
	pagesKey httpserve.SurrogateKey = "pages"
)

// Options are what the pages need.
type Options struct {
	// Origin is that of the site's address, as in https://capzone.example.
	Origin string
	App    *webapp.Handler
	// API answers the requests whose responses pages are made of.
	API *proxy.Proxy
	// Events are the live events, which keep a page up to date.
	Events *live.Hub
	Cache  *cache.Cache
	Log    *slog.Logger
}

// plainPages are the application's pages without a head of their own. With pageTypes they are those of
// web/src/routes/pages.ts.
var plainPages = []string{
	"/player-search", "/map-submit", "/replay-submit", "/replay-submit/:id", "/login-with-:game",
	"/inbox", "/inbox/following", "/inbox/settings", "/settings", "/settings/notifications",
	"/settings/tokens", "/settings/webhooks", "/settings/webhooks/:id", "/settings/data",
	"/desk", "/desk/cases/:id", "/desk/appeals", "/desk/audit", "/decisions", "/decisions/:id", "/moderation", "/programs",
	"/mapSeries", "/mapSeries/*rest", "/events", "/events/*rest", "/privacy",
}

// Register adds the routes of all pages to router, and returns what answers requests for others.
func Register(router gin.IRouter, o Options) *Handler {
	h := &Handler{o, sharecard.NewRenderer(nil)}
	for _, t := range pageTypes {
		router.GET(t.path, h.servePage(t))
	}
	for _, path := range plainPages {
		router.GET(path, h.servePlainPage)
	}
	router.GET("/robots.txt", h.serveRobots)
	router.GET("/sitemap.xml", h.serveSitemapIndex)
	router.GET("/sitemap-pages.xml", h.serveSitemapPages)
	for _, s := range sitemaps {
		router.GET("/sitemap-"+s.name+"-:part", h.serveSitemap(s))
	}
	for _, f := range feeds {
		router.GET(f.path, h.serveFeed(f))
	}
	router.GET(oEmbedPath, h.serveOEmbed)
	router.GET(homePicturePath, h.serveHomePicture)
	return h
}

// SharedPaths returns the paths that pages of other sites may read.
func SharedPaths() []string {
	paths := []string{oEmbedPath, homePicturePath}
	for _, f := range feeds {
		paths = append(paths, f.path)
	}
	return paths
}

// Handler serves the pages.
type Handler struct {
	Options
	pictures *sharecard.Renderer
}

// servePage answers with a page of the application. Where it cannot be made, the answer is the application without a
// head of its own.
func (h *Handler) servePage(t pageType) gin.HandlerFunc {
	return func(c *gin.Context) {
		asked := c.Request.URL.Query()
		asked.Del("lang")
		if t.queried && len(asked) > 0 {
			h.servePlainPage(c)
			return
		}
		ids, ok := t.idsIn(c.Request.URL.Path)
		to := audienceOf(c.Request)
		if err := h.serve(c, fmt.Sprint(t.path, " ", ids, " ", to.key()), func(ctx context.Context) (*cache.Response, error) {
			return h.makePage(ctx, t, ids, ok, to)
		}); err != nil {
			if c.Request.Context().Err() == nil { // else the client is gone
				h.Log.WarnContext(c.Request.Context(), "page without a head of its own", "page", t.path, "error", err)
			}
			h.App.ServePage(c, webapp.Index)
		}
	}
}

func (h *Handler) servePlainPage(c *gin.Context) {
	if redirected(c) {
		return
	}
	l := audienceOf(c.Request).visitor
	if err := h.serve(c, "plain "+string(l), func(context.Context) (*cache.Response, error) {
		doc, err := h.document(l)
		if err != nil {
			return nil, err
		}
		return doc.respondPlain(pageData{Position: h.position()})
	}); err != nil {
		h.App.ServePage(c, webapp.Index)
	}
}

// position returns the number of the event after which a page goes on, or nil.
func (h *Handler) position() *uint64 {
	position, ok := h.Events.SettledPosition()
	if !ok {
		return nil
	}
	return &position
}

// ServeNotFound answers a browser's request for a page that does not exist with the application, which says so, and
// with the status 404.
func (h *Handler) ServeNotFound(c *gin.Context) {
	if redirected(c) {
		return
	}
	l := audienceOf(c.Request).visitor
	h.serveOrFail(c, "not found "+string(l), func(context.Context) (*cache.Response, error) {
		doc, err := h.document(l)
		if err != nil {
			return nil, err
		}
		return doc.respond(http.StatusNotFound, doc.generalHead(""), pageData{}, apiResponses{})
	})
}

// redirected redirects a request whose path is not in its short form, such as one with a slash at its end. It reports
// whether it did.
func redirected(c *gin.Context) bool {
	asked := c.Request.URL
	short := path.Clean(asked.Path)
	if short == asked.Path {
		return false
	}
	c.Redirect(http.StatusMovedPermanently, (&url.URL{Path: short, RawQuery: asked.RawQuery}).String())
	return true
}

// serve answers with the response that fetch returns or that is stored under the key. It returns the errors of fetch.
func (h *Handler) serve(c *gin.Context, key string, fetch cache.Fetch) error {
	response, _, err := h.Cache.Get(c.Request.Context(), "page "+key, fetch)
	if err != nil {
		return err
	}
	response.Serve(c.Writer, c.Request, false)
	return nil
}

// makePage returns a page, with the status 404 where the ids are none or the API answers that there is nothing to
// show.
func (h *Handler) makePage(
	ctx context.Context, t pageType, ids []string, areIDs bool, to audience,
) (*cache.Response, error) {
	doc, err := h.document(to.visitor)
	if err != nil {
		return nil, err
	}
	if !areIDs {
		return doc.respond(http.StatusNotFound, doc.generalHead(""), pageData{}, apiResponses{})
	}
	ctx, cancel := context.WithTimeout(ctx, dataTimeout)
	defer cancel()
	read := h.fetchAll(ctx, t.requests(ids)...)
	switch subject := read.byKey[t.subject(ids).key()]; {
	case subject == nil:
		canonical := h.Origin + route.Fill(t.path, ids...)
		return doc.respond(http.StatusOK, doc.generalHead(canonical), pageData{}, read)
	case subject.Status != http.StatusOK:
		return doc.respond(http.StatusNotFound, doc.generalHead(""), pageData{}, read)
	}
	d, err := t.describeAll(doc.site(h.Origin, to.preview), ids, read)
	if err != nil {
		return nil, err
	}
	own, err := t.describeAll(doc.site(h.Origin, to.visitor), ids, read)
	if err != nil {
		return nil, err
	}
	shown := read.merge(h.fetchAll(ctx, d.related...))
	data := pageData{Responses: shown.bodies()}
	if !shown.incomplete {
		data.Position = h.position()
	}
	if d.drawn != nil {
		if m := shown.byKey[d.drawn.key()]; m != nil && m.Status == http.StatusOK {
			if d.head.Sky, err = drawing(m); err != nil {
				return nil, err
			}
		}
	}
	d.head.Title, d.head.Description = own.head.Title, own.head.Description
	return doc.respond(http.StatusOK, d.head, data, shown)
}

// document reads the application's index.html, which a new build may replace at any time, in a language.
func (h *Handler) document(l locale) (document, error) {
	index, err := h.App.ReadIndex()
	if err != nil {
		return document{}, err
	}
	doc, err := parseDocument(index)
	return doc.in(l, catalogue(h.App, l)), err
}
