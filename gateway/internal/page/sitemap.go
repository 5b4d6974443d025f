package page

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

const (
	// sitemapMaxAge is how long a sitemap is stored. A new map or player does not purge it.
	sitemapMaxAge = time.Hour
	// pagesPerPart is the number of pages of ids in a part: each has 10,000 ids, and a part may have 50,000 addresses.
	pagesPerPart = 5
	xmlType      = "application/xml; charset=utf-8"
)

// sitemap is the list of all pages of one kind.
type sitemap struct {
	name string
	ids  string // the API's route of all ids
	page string // the path of a page, before the id
}

// sitemaps are those of pages with an id. Pages of records are not listed: leaderboards link to them.
var sitemaps = []sitemap{
	{"maps", "/api/v1/maps/ids", "/leaderboard/"},
	{"players", "/api/v1/players/ids", "/player/"},
}

var errNoPart = problem.NotFound("not_found", "There is no such part of the sitemap.").WithReason("no_sitemap_part")

// serveRobots lets search engines read the pages, and chat clients the pictures of previews.
func (h *Handler) serveRobots(c *gin.Context) {
	c.String(http.StatusOK, "User-agent: *\nAllow: /\nAllow: /api/v1/*/preview.png\nDisallow: /api/\n\n"+
		"Sitemap: %s/sitemap.xml\n", h.Origin)
}

type sitemapEntry struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"`
}

type sitemapIndex struct {
	XMLName xml.Name       `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Parts   []sitemapEntry `xml:"sitemap"`
}

type urlSet struct {
	XMLName xml.Name       `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Entries []sitemapEntry `xml:"url"`
}

func (h *Handler) serveSitemapIndex(c *gin.Context) {
	h.serveOrFail(c, "sitemap", func(ctx context.Context) (*cache.Response, error) {
		index := sitemapIndex{Parts: []sitemapEntry{{Address: h.Origin + "/sitemap-pages.xml"}}}
		for _, s := range sitemaps {
			listed, err := h.readIDs(ctx, s, 1)
			if err != nil {
				return nil, err
			}
			for part := range (listed.Pagination.Pages + pagesPerPart - 1) / pagesPerPart {
				address := fmt.Sprintf("%s/sitemap-%s-%d.xml", h.Origin, s.name, part+1)
				index.Parts = append(index.Parts, sitemapEntry{Address: address})
			}
		}
		return respondXML(index)
	})
}

// serveSitemapPages lists the pages without an id.
func (h *Handler) serveSitemapPages(c *gin.Context) {
	h.serveOrFail(c, "sitemap-pages", func(context.Context) (*cache.Response, error) {
		var set urlSet
		for _, path := range []string{
			"/", "/map-search", "/map-search/listed", "/player-search", "/rankings", "/rankings/formula", "/privacy",
		} {
			set.Entries = append(set.Entries, sitemapEntry{Address: h.Origin + path})
		}
		return respondXML(set)
	})
}

// serveSitemap answers with a part of a sitemap, as in /sitemap-maps-1.xml.
func (h *Handler) serveSitemap(s sitemap) gin.HandlerFunc {
	return func(c *gin.Context) {
		number, isXML := strings.CutSuffix(c.Param("part"), ".xml")
		part, err := strconv.ParseUint(number, 10, 16)
		if !isXML || err != nil || part == 0 || number != strconv.FormatUint(part, 10) {
			httpserve.Render(c, errNoPart)
			return
		}
		h.serveOrFail(c, "sitemap-"+s.name+" "+number, func(ctx context.Context) (*cache.Response, error) {
			return h.makeSitemap(ctx, s, int(part))
		})
	}
}

// makeSitemap returns a part of a sitemap, counted from 1, or errNoPart past the last one.
func (h *Handler) makeSitemap(ctx context.Context, s sitemap, part int) (*cache.Response, error) {
	// The service would read all ids to find that a page is past the last one.
	start, err := h.readIDs(ctx, s, 1)
	if err != nil {
		return nil, err
	}
	first := pagesPerPart*(part-1) + 1
	last := min(first+pagesPerPart-1, start.Pagination.Pages)
	if first > last {
		return nil, errNoPart
	}
	var set urlSet
	for page := first; page <= last; page++ {
		listed, err := h.readIDs(ctx, s, page)
		if err != nil {
			return nil, err
		}
		for _, entry := range listed.Data {
			set.Entries = append(set.Entries, sitemapEntry{h.Origin + s.page + entry.ID, httpserve.TimeText(entry.UpdatedAt)})
		}
	}
	return respondXML(set)
}

// readIDs returns a page of the ids of all maps or players, which have one form.
func (h *Handler) readIDs(ctx context.Context, s sitemap, page int) (listed apitypes.MapIDPage, err error) {
	response, _, err := h.fetchOne(ctx, request{path: s.ids, query: url.Values{"page": {strconv.Itoa(page)}}})
	if err != nil {
		return listed, err
	}
	if err := json.Unmarshal(response.Body(), &listed); err != nil {
		return listed, fmt.Errorf("read ids: %w", err)
	}
	return listed, nil
}

func respondXML(document any) (*cache.Response, error) {
	body, err := xml.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("write a sitemap: %w", err)
	}
	return apiResponses{}.respond(http.StatusOK, xmlType, append([]byte(xml.Header), body...), sitemapMaxAge), nil
}

// serveOrFail is serve for responses that are no pages of the application, and answers with the error of fetch.
func (h *Handler) serveOrFail(c *gin.Context, key string, fetch cache.Fetch) {
	if err := h.serve(c, key, fetch); err != nil {
		h.fail(c, err)
	}
}

// fail answers with the problem that err is or wraps, and else with ErrServiceUnavailable.
func (h *Handler) fail(c *gin.Context, err error) {
	var refused *problem.Problem
	if !errors.As(err, &refused) {
		err = proxy.ErrServiceUnavailable.Wrap(err)
	}
	httpserve.Render(c, err)
}
