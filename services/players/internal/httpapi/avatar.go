package httpapi

import (
	"io"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/services/players/internal/player"
)

// serveAvatar implements GET /media/skins/{hash}.webp.
func (s *Server) serveAvatar(c *gin.Context) {
	name := c.Param("file")
	key := "skins/" + name
	if !player.IsAvatarKey(key) {
		httpserve.Render(c, player.ErrNoFile)
		return
	}
	httpserve.ServeWebP(c, name, func() (io.ReadSeekCloser, error) { return s.Avatars.Open(c.Request.Context(), key) })
}
