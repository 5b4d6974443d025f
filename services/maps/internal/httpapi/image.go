package httpapi

import (
	"io"
	"regexp"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

var imageName = regexp.MustCompile(`^[0-9a-f]{64}(-480)?\.webp$`)

// getImage implements GET /media/maps/{hash}.webp and {hash}-480.webp.
func (s *Server) getImage(c *gin.Context) {
	name := c.Param("file")
	if !imageName.MatchString(name) {
		httpserve.Render(c, parkourmap.ErrNoFile)
		return
	}
	httpserve.ServeWebP(c, name, func() (io.ReadSeekCloser, error) {
		return s.Images.Open(c.Request.Context(), "maps/"+name)
	})
}
