package httpapi

import (
	"io"
	"regexp"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

var pictureName = regexp.MustCompile(`^[0-9a-f]{64}(-480)?\.webp$`)

// pictures serves the pictures of maps.
type pictures struct{ files PictureFiles }

// serve implements GET /media/maps/{hash}.webp and {hash}-480.webp.
func (p *pictures) serve(c *gin.Context) {
	name := c.Param("file")
	if !pictureName.MatchString(name) {
		httpserve.Render(c, parkourmap.ErrNoFile)
		return
	}
	httpserve.ServeWebP(c, name, func() (io.ReadSeekCloser, error) { return p.files.Open(c.Request.Context(), "maps/"+name) })
}
