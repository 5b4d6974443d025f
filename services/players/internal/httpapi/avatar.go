package httpapi

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// serveAvatar implements GET /media/skins/{hash}.webp. The name is the hash of
// the bytes, so that whoever has them has them for ever.
func (s *server) serveAvatar(c *gin.Context) {
	name := c.Param("file")
	key := "skins/" + name
	if !player.IsAvatarKey(key) {
		httpserve.Render(c, player.ErrNoFile)
		return
	}
	tag := `"` + strings.TrimSuffix(name, ".webp") + `"`
	if httpserve.MatchesETag(c.GetHeader("If-None-Match"), tag) {
		setAvatarHeaders(c, tag)
		c.Status(http.StatusNotModified)
		return
	}
	file, err := s.use.Avatars.Open(c, key)
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	defer file.Close()
	setAvatarHeaders(c, tag)
	c.Header("Content-Type", "image/webp")
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}

func setAvatarHeaders(c *gin.Context, tag string) {
	c.Header("ETag", tag)
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("X-Content-Type-Options", "nosniff")
}
