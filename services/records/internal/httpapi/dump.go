package httpapi

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/dump"
)

// listDumps answers with the manifests of all dumps, newest first.
func (s *Server) listDumps(c *gin.Context) {
	list, err := s.Dumper.List(c.Request.Context())
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	manifests := httpserve.List(list, func(d dump.Dump) dump.Manifest { return d.Manifest })
	c.Header("Cache-Control", "no-cache")
	c.JSON(http.StatusOK, gin.H{"success": true, "data": manifests})
}

// latestDump answers with the address of the newest manifest.
func (s *Server) latestDump(c *gin.Context) {
	latest, err := s.Dumper.Latest(c.Request.Context())
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	c.Header("Cache-Control", "no-cache")
	c.Redirect(http.StatusFound, dumpsPath+latest.Date+"/"+dump.ManifestName)
}

// dumpFile answers with a file of a dump, or a part of it. It never changes, and is there for two weeks at least.
func (s *Server) dumpFile(c *gin.Context) {
	date, name := c.Param("date"), c.Param("file")
	file, err := s.Dumper.Open(c.Request.Context(), date, name)
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
