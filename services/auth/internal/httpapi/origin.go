package httpapi

import (
	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/service"
)

// errForeignSite says that another site's page sent the browser here.
var errForeignSite = problem.Forbidden("foreign_site", "This can only be done from the site itself.")

// neverStored has no answer kept, given an ETag or repeated by anything in between.
func neverStored(c *gin.Context) { c.Header("Cache-Control", "no-store") }

// ownSiteOnly refuses what a browser sends in the name of another site: two of
// the GETs change something. The gateway refuses it as well.
func ownSiteOnly(site service.SiteURL) gin.HandlerFunc {
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
