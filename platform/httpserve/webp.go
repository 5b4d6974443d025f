package httpserve

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// ServeWebP answers with a picture under a name, "<hash>.webp", that is made of
// the hash of its bytes, so that whoever has it has it for ever. It is opened
// only for those who have not.
func ServeWebP(c *gin.Context, name string, open func() (io.ReadSeekCloser, error)) {
	tag := `"` + strings.TrimSuffix(name, ".webp") + `"`
	if MatchesETag(c.GetHeader("If-None-Match"), tag) {
		setForEver(c, tag)
		c.Status(http.StatusNotModified)
		return
	}
	file, err := open()
	if err != nil {
		Render(c, err)
		return
	}
	defer file.Close()
	setForEver(c, tag)
	c.Header("Content-Type", "image/webp")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}

func setForEver(c *gin.Context, tag string) {
	c.Header("ETag", tag)
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("X-Content-Type-Options", "nosniff")
}
