package page

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/cache"
	"capzone.dev/platform/sharecard"
)

// homePicturePath is the preview picture of the home page. Those of other pages are their services'.
const homePicturePath = "/preview.png"

// serveHomePicture answers with a picture of the site's name and totals.
func (h *Handler) serveHomePicture(c *gin.Context) {
	c.Header("Cross-Origin-Resource-Policy", "cross-origin")
	if err := h.serveStored(c, "page "+homePicturePath, h.drawHome); err != nil {
		h.fail(c, err)
	}
}

func (h *Handler) drawHome(ctx context.Context) (*cache.Response, error) {
	doc, err := h.document()
	if err != nil {
		return nil, err
	}
	stats, read, err := h.readOne(ctx, request{path: apiStats})
	if err != nil {
		return nil, err
	}
	totals, err := decode[struct {
		Maps    int64 `json:"totalMaps"`
		Players int64 `json:"totalPlayers"`
		Records int64 `json:"totalRecords"`
	}](stats)
	if err != nil {
		return nil, err
	}
	_, host, _ := strings.Cut(h.Origin, "://")
	drawn, err := h.pictures.Draw(ctx, sharecard.Card{
		Site: host, Title: doc.siteName, Lines: []string{doc.description, fmt.Sprintf("%s · %s · %s",
			count(totals.Maps, "map"), count(totals.Records, "record"), count(totals.Players, "player"))},
	}, "", nil)
	if err != nil {
		return nil, err
	}
	return read.respond(http.StatusOK, "image/png", drawn, pageMaxAge), nil
}
