package httpserve

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// ServeWebP answers with the image of a name "<hash>.webp" that contains the hash of its bytes,
// so that clients never ask for it again. It calls open only where the client does not have
// the image.
func ServeWebP(c *gin.Context, name string, open func() (io.ReadSeekCloser, error)) {
	tag := `"` + strings.TrimSuffix(name, ".webp") + `"`
	if MatchesETag(c.GetHeader("If-None-Match"), tag) {
		setImmutable(c, tag)
		c.Status(http.StatusNotModified)
		return
	}
	file, err := open()
	if err != nil {
		Render(c, err)
		return
	}
	defer file.Close()
	setImmutable(c, tag)
	c.Header("Content-Type", "image/webp")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}

func setImmutable(c *gin.Context, tag string) {
	c.Header("ETag", tag)
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("X-Content-Type-Options", "nosniff")
}
