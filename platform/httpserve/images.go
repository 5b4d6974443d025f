package httpserve

import (
	"context"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/problem"
)

// Images are the image files of a service.
type Images struct {
	// Open opens the file under a key. The caller closes it.
	Open func(ctx context.Context, key string) (io.ReadSeekCloser, error)
	// IsPublic reports whether the site shows the file under a key. A deleted picture may not be removed from the storage
	// yet.
	IsPublic func(ctx context.Context, key string) (bool, error)
}

// imageName matches the hash of an image's bytes, and the suffix of a smaller size.
var imageName = regexp.MustCompile(`^[0-9a-f]{64}(-[0-9]+)?\.(webp|svg)$`)

// DrawingPolicy is the Content-Security-Policy of SVG images, which browsers also open as documents.
const DrawingPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

var errNoImage = problem.NotFound("file_unknown", "There is no such file.")

// ServeImages adds the routes /media/<folder>/<hash>.webp and .svg to an engine. They answer with the images under the
// keys <folder>/<hash>.webp and .svg. A name contains the hash of the image's bytes, so that clients never ask for an
// image again.
func ServeImages(engine *gin.Engine, folder string, images Images) {
	engine.GET("/media/"+folder+"/:file", func(c *gin.Context) {
		name := c.Param("file")
		if !imageName.MatchString(name) {
			Render(c, errNoImage)
			return
		}
		serveImage(c, images, folder+"/"+name, `"`+strings.TrimSuffix(name, path.Ext(name))+`"`)
	})
}

// serveImage opens the file only where the client does not have the image.
func serveImage(c *gin.Context, images Images, key, tag string) {
	if MatchesETag(c.GetHeader("If-None-Match"), tag) {
		setImmutable(c, tag)
		c.Status(http.StatusNotModified)
		return
	}
	public, err := images.IsPublic(c.Request.Context(), key)
	if err == nil && !public {
		err = errNoImage
	}
	if err != nil {
		Render(c, err)
		return
	}
	file, err := images.Open(c.Request.Context(), key)
	if err != nil {
		Render(c, err)
		return
	}
	defer file.Close()
	setImmutable(c, tag)
	c.Header("Content-Type", "image/webp")
	if path.Ext(key) == ".svg" {
		c.Header("Content-Type", "image/svg+xml")
		c.Header("Content-Security-Policy", DrawingPolicy)
	}
	http.ServeContent(c.Writer, c.Request, "", time.Time{}, file)
}

func setImmutable(c *gin.Context, tag string) {
	c.Header("ETag", tag)
	c.Header("Cache-Control", "public, max-age=31536000, immutable")
	c.Header("X-Content-Type-Options", "nosniff")
}
