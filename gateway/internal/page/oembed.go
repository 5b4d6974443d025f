package page

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

const oEmbedPath = "/oembed"

var (
	errURLMissing = problem.InvalidArgument("url_missing", "The parameter url must be the address of a page of this site.")
	errNoEmbed    = problem.NotFound("not_found", "This site has no such page.").WithReason("no_such_page")
)

// embedding is an answer of oEmbed 1.0 of the type "link".
type embedding struct {
	Version         string `json:"version"`
	Type            string `json:"type"`
	Title           string `json:"title"`
	AuthorName      string `json:"author_name,omitempty"`
	AuthorURL       string `json:"author_url,omitempty"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"` // seconds
	ThumbnailURL    string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
}

// serveOEmbed describes the page whose address is in the query.
func (h *Handler) serveOEmbed(c *gin.Context) {
	if err := httpserve.ReadQuery(c.Request); err != nil {
		httpserve.Render(c, err)
		return
	}
	if format := c.DefaultQuery("format", "json"); format != "json" {
		c.String(http.StatusNotImplemented, "Only the format json is offered.\n") // the status is that of oEmbed 1.0
		return
	}
	if c.Query("url") == "" {
		httpserve.Render(c, errURLMissing.WithField("url", "missing", "is missing"))
		return
	}
	t, ids, ok := h.pageAt(c.Query("url"))
	if !ok {
		httpserve.Render(c, errNoEmbed)
		return
	}
	page, err := h.headOf(c.Request.Context(), t, ids)
	if err != nil {
		h.fail(c, err)
		return
	}
	answer := embedding{
		Version: "1.0", Type: "link", Title: page.Name, AuthorName: page.Author.Title, AuthorURL: page.Author.URL,
		ProviderName: page.SiteName, ProviderURL: h.Origin + "/", CacheAge: int(pageMaxAge.Seconds()),
	}
	if p := page.Picture; p != nil && allows(c.Query("maxwidth"), p.Width) && allows(c.Query("maxheight"), p.Height) {
		answer.ThumbnailURL, answer.ThumbnailWidth, answer.ThumbnailHeight = p.URL, p.Width, p.Height
	}
	c.JSON(http.StatusOK, answer)
}

// allows reports whether a maximum in a query is at least size. A maximum that is missing or no number allows any.
func allows(maximum string, size int) bool {
	n, err := strconv.Atoi(maximum)
	return err != nil || n >= size
}

// pageAt returns the type and the ids of the page of this site at an address. It reports whether there is one.
func (h *Handler) pageAt(address string) (t pageType, ids []string, ok bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || !strings.EqualFold(u.Scheme+"://"+u.Host, h.Origin) || u.User != nil {
		return pageType{}, nil, false
	}
	for _, t := range pageTypes {
		if ids, ok := t.idsIn(path.Clean("/" + u.Path)); ok {
			return t, ids, true
		}
	}
	return pageType{}, nil, false
}

// headOf returns the head of a page, or errNoEmbed where the API answers that there is nothing to show.
func (h *Handler) headOf(ctx context.Context, t pageType, ids []string) (head, error) {
	doc, err := h.document(english)
	if err != nil {
		return head{}, err
	}
	read := h.fetchAll(ctx, t.requests(ids)...)
	switch subject := read.byKey[t.subject(ids).key()]; {
	case subject == nil:
		return head{}, proxy.ErrServiceUnavailable
	case subject.Status != http.StatusOK:
		return head{}, errNoEmbed
	}
	d, err := t.describeAll(doc.site(h.Origin, english), ids, read)
	return d.head, err
}
