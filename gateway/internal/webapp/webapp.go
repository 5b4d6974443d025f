// Package webapp serves the files of the web application: hashed assets for
// good, the page itself for every deep link, compressed where the build did.
package webapp

import (
	"bytes"
	_ "embed"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

// placeholder is the page of a gateway without a built web application.
//
//go:embed placeholder.html
var placeholder []byte

var errNotFound = problem.NotFound("not_found", "There is nothing at this address.")

const index = "index.html"

// Handler serves the files of a folder. Hashed files lie in assets/.
type Handler struct{ files fs.FS }

// New returns the handler of the built application in dir. An empty dir, or one
// without index.html, gives a page that says that the site is not built yet.
func New(dir string) *Handler {
	if dir != "" {
		if files := os.DirFS(dir); isFile(files, index) {
			return &Handler{files}
		}
	}
	return &Handler{}
}

// Built tells whether there is an application to serve.
func (h *Handler) Built() bool { return h.files != nil }

// Serve answers what no route does: a file, or the application's page for an
// address that only the application knows. Unknown addresses of the API and
// missing files are 404.
func (h *Handler) Serve(c *gin.Context) {
	if c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
		httpserve.Render(c, problem.MethodNotAllowed("method_not_allowed", "This address does not take that method."))
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+c.Request.URL.Path), "/")
	switch {
	case strings.HasPrefix(name+"/", "api/"), strings.HasPrefix(name+"/", "media/"):
		httpserve.Render(c, errNotFound)
	case h.files != nil && name != index && isFile(h.files, name):
		h.file(c, name)
	case path.Ext(name) != "" || !acceptsHTML(c.Request):
		httpserve.Render(c, errNotFound)
	case h.files == nil:
		page(c)
		http.ServeContent(c.Writer, c.Request, index, time.Time{}, bytes.NewReader(placeholder))
	default:
		h.file(c, index)
	}
}

// acceptsHTML tells a browser's navigation from a program's request.
func acceptsHTML(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return accept == "" || strings.Contains(accept, "text/html") || strings.Contains(accept, "*/*")
}

func page(c *gin.Context) {
	c.Header("Content-Type", "text/html; charset=utf-8")
	c.Header("Cache-Control", "no-cache")
}

func (h *Handler) file(c *gin.Context, name string) {
	switch {
	case name == index:
		page(c)
	case strings.HasPrefix(name, "assets/"):
		c.Header("Cache-Control", "public, max-age=31536000, immutable")
	default:
		c.Header("Cache-Control", "no-cache")
	}
	if c.Writer.Header().Get("Content-Type") == "" {
		c.Header("Content-Type", contentType(name))
	}
	stored := h.compressed(c, name)
	data, err := fs.ReadFile(h.files, stored)
	if errors.Is(err, fs.ErrNotExist) { // replaced by a new build just now
		httpserve.Render(c, errNotFound)
		return
	}
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	var modified time.Time
	if info, err := fs.Stat(h.files, stored); err == nil {
		modified = info.ModTime()
	}
	http.ServeContent(c.Writer, c.Request, name, modified, bytes.NewReader(data))
}

// compressed returns the name of the file that fits what the client accepts,
// and sets the headers that go with it.
func (h *Handler) compressed(c *gin.Context, name string) string {
	for _, form := range []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !isFile(h.files, name+form.suffix) {
			continue
		}
		c.Header("Vary", "Accept-Encoding")
		if accepts(c.GetHeader("Accept-Encoding"), form.encoding) {
			c.Header("Content-Encoding", form.encoding)
			return name + form.suffix
		}
	}
	return name
}

// accepts tells whether an Accept-Encoding header names the encoding with a
// quality above zero.
func accepts(header, encoding string) bool {
	for field := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(strings.TrimSpace(field), ";")
		quality := strings.ReplaceAll(parameters, " ", "")
		if strings.EqualFold(strings.TrimSpace(name), encoding) && strings.Trim(strings.TrimPrefix(quality, "q="), "0.") != "" {
			return true
		}
		if strings.EqualFold(strings.TrimSpace(name), encoding) && quality == "" {
			return true
		}
	}
	return false
}

func contentType(name string) string {
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

func isFile(files fs.FS, name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}
