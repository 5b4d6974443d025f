package httpapi

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/maps/internal/parkourmap"
)

var pictureName = regexp.MustCompile(`^[0-9a-f]{64}(-480)?\.webp$`)

// pictures serves the pictures of maps.
type pictures struct{ files PictureFiles }

// serve implements GET /media/maps/{hash}.webp and {hash}-480.webp. The name is
// made of the hash of the picture, so that whoever has it has it for ever.
func (p *pictures) serve(c *gin.Context) {
	name := c.Param("file")
	if !pictureName.MatchString(name) {
		httpserve.Render(c, parkourmap.ErrNoFile)
		return
	}
	tag := `"` + strings.TrimSuffix(name, ".webp") + `"`
	if httpserve.MatchesETag(c.GetHeader("If-None-Match"), tag) {
		setPictureHeaders(c, tag)
		c.Status(http.StatusNotModified)
		return
	}
	file, err := p.files.Open(c, "maps/"+name)
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	defer file.Close()
	setPictureHeaders(c, tag)
	c.Header("Content-Type", "image/webp")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}

func setPictureHeaders(c *gin.Context, tag string) {
	c.Header("ETag", tag)
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("X-Content-Type-Options", "nosniff")
}
