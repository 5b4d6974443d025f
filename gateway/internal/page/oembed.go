package page

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

const oEmbedPath = "/oembed"

var (
	errURLMissing = problem.InvalidArgument("url_missing", "The parameter url must be the address of a page of this site.")
	errNoEmbed    = problem.NotFound("not_found", "This site has no such page.")
)

// embed is an answer of oEmbed 1.0 of the type "link".
type embed struct {
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
func (h *handler) serveOEmbed(c *gin.Context) {
	if format := c.DefaultQuery("format", "json"); format != "json" {
		c.String(http.StatusNotImplemented, "Only the format json is offered.\n") // the status is that of oEmbed 1.0
		return
	}
	if c.Query("url") == "" {
		httpserve.Render(c, errURLMissing.WithField("url", "is missing"))
		return
	}
	k, id, ok := h.pageAt(c.Query("url"))
	if !ok {
		httpserve.Render(c, errNoEmbed)
		return
	}
	described, name, err := h.describe(c.Request.Context(), k, id)
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	answer := embed{
		Version: "1.0", Type: "link", Title: described.Name,
		AuthorName: described.Author.Title, AuthorURL: described.Author.URL,
		ProviderName: name, ProviderURL: h.Origin + "/", CacheAge: int(pageMaxAge.Seconds()),
	}
	if p := described.Picture; p != nil && allows(c.Query("maxwidth"), p.Width) && allows(c.Query("maxheight"), p.Height) {
		answer.ThumbnailURL, answer.ThumbnailWidth, answer.ThumbnailHeight = p.URL, p.Width, p.Height
	}
	c.JSON(http.StatusOK, answer)
}

// allows reports whether a maximum in a query, which may be missing, is at least size.
func allows(most string, size int) bool {
	n, err := strconv.Atoi(most)
	return err != nil || n >= size
}

// pageAt returns the kind and the id of the page of this site at an address.
func (h *handler) pageAt(address string) (k kind, id string, ok bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme+"://"+u.Host != h.Origin || u.User != nil {
		return kind{}, "", false
	}
	for _, k := range kinds {
		prefix, hasID := strings.CutSuffix(k.path, ":id")
		id, found := strings.CutPrefix(u.Path, prefix)
		if found && (hasID && event.IsID(id) || !hasID && id == "") {
			return k, strings.ToLower(id), true
		}
	}
	return kind{}, "", false
}

// describe returns the head of a page and the site's name.
func (h *handler) describe(ctx context.Context, k kind, id string) (head, string, error) {
	doc, err := h.document()
	if err != nil {
		return head{}, "", proxy.ErrServiceUnavailable.Wrap(err)
	}
	main := k.main(id)
	subject, _, err := h.API.Read(ctx, main.path, main.id, main.query)
	switch {
	case err != nil:
		return head{}, "", proxy.ErrServiceUnavailable.Wrap(err)
	case subject.Status == http.StatusNotFound:
		return head{}, "", errNoEmbed
	}
	d, err := k.describe(doc.site(h.Origin), subject)
	return d.head, doc.siteName, err
}
