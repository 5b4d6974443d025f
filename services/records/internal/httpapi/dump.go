package httpapi

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/dump"
)

// dumpsPath is what the addresses of dumps begin with.
const dumpsPath = "/dumps/"

// registerDumps adds the routes of dumps, which lie beside the API.
func registerDumps(engine *gin.Engine, dumper *dump.Dumper) {
	d := dumps{dumper}
	engine.GET(dumpsPath, d.list)
	engine.GET(dumpsPath+"latest", d.latest)
	engine.GET(dumpsPath+":date/:file", d.file)
}

type dumps struct{ *dump.Dumper }

// list answers with the manifests of all dumps, newest first.
func (d dumps) list(c *gin.Context) {
	list, err := d.List(c.Request.Context())
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	manifests := make([]dump.Manifest, len(list))
	for i, listed := range list {
		manifests[i] = listed.Manifest
	}
	c.Header("Cache-Control", "no-cache")
	c.JSON(http.StatusOK, gin.H{"success": true, "data": manifests})
}

// latest answers with the address of the newest manifest.
func (d dumps) latest(c *gin.Context) {
	latest, err := d.Latest(c.Request.Context())
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	c.Header("Cache-Control", "no-cache")
	c.Redirect(http.StatusFound, dumpsPath+latest.Date+"/"+dump.ManifestName)
}

// file answers with a file, or a part of it. It never changes, and is there for two weeks at least.
func (d dumps) file(c *gin.Context) {
	date, name := c.Param("date"), c.Param("file")
	file, err := d.Open(c.Request.Context(), date, name)
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	defer file.Close()
	defer httpserve.BeginStream(c)()
	httpserve.PaceWrites(c)
	c.Header("Content-Type", dump.ContentType(name))
	c.Header("Content-Disposition", `attachment; filename="capzone-`+date+"-"+name+`"`)
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Cache-Control", "public, max-age=86400, immutable, no-transform")
	c.Header("ETag", `"`+file.Tag+`"`)
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}
