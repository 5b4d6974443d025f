package httpapi

import (
	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
)

// errForeignSite refuses requests that another site's page makes.
var errForeignSite = problem.Forbidden("foreign_site", "This can only be done from the site itself.")

// noStore keeps caches from storing answers and the gateway from giving them an ETag.
func noStore(c *gin.Context) { c.Header("Cache-Control", "no-store") }

// sameSiteOnly refuses requests that come from another site, because two of the GETs change
// something. The gateway refuses them as well.
func sameSiteOnly(site service.SiteURL) gin.HandlerFunc {
	return func(c *gin.Context) {
		header := c.Request.Header
		if from := header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" && from != "none" {
			httpserve.Render(c, errForeignSite)
			return
		}
		if origins := header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !site.IsOrigin(origins[0]) {
			httpserve.Render(c, errForeignSite)
		}
	}
}
