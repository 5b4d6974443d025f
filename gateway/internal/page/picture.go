package page

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/platform/sharecard"
)

// homePicturePath is the preview picture of the home page. Those of other pages are their services'.
const homePicturePath = "/preview.png"

// serveHomePicture answers with a picture of the site, with its totals.
func (h *Handler) serveHomePicture(c *gin.Context) {
	c.Header("Cross-Origin-Resource-Policy", "cross-origin")
	response, _, err := h.Cache.Get(c.Request.Context(), "page "+homePicturePath, h.drawHome)
	switch {
	case err != nil:
		h.fail(c, err)
	case c.Query("v") != "":
		response.ServeVersion(c.Writer, c.Request, false)
	default:
		response.Serve(c.Writer, c.Request, false)
	}
}

func (h *Handler) drawHome(ctx context.Context) (*cache.Response, error) {
	doc, err := h.document(english)
	if err != nil {
		return nil, err
	}
	stats, read, err := h.fetchOne(ctx, request{path: apiStats})
	if err != nil {
		return nil, err
	}
	totals, err := decode[apitypes.Stats](stats)
	if err != nil {
		return nil, err
	}
	drawn, err := h.pictures.Render(ctx, sharecard.Home{
		Description: doc.description,
		Totals: fmt.Sprintf("%s · %s · %s", count(totals.TotalMaps, "map"), count(totals.TotalRecords, "record"),
			count(totals.TotalPlayers, "player")),
	})
	if err != nil {
		return nil, err
	}
	return read.respond(http.StatusOK, "image/png", drawn, pageMaxAge), nil
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
