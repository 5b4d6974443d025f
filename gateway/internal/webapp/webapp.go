// Package webapp serves the files of the web application: assets with a hash in their names as immutable, the
// application's page for every deep link, compressed files where the build made them.
package webapp

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
)

// placeholder is the page where no web application was built.
//
//go:embed placeholder.html
var placeholder []byte

var errNotFound = problem.NotFound("not_found", "There is nothing at this address.")

const (
	// Index is the application's page.
	Index = "index.html"
	// hashed is the folder of files whose names contain their hash.
	hashed = "assets/"
)

// Handler serves the files of a folder.
type Handler struct{ files fs.FS }

// New returns the handler of the built application in dir. Without an index.html there it serves a
// placeholder.
func New(dir string) *Handler {
	if dir != "" {
		if files := os.DirFS(dir); isFile(files, Index) {
			return &Handler{files}
		}
	}
	return &Handler{}
}

// Serve returns the handler of requests without a route: it answers with a file, and leaves a browser's navigation to
// notFound. Unknown paths of the API and missing files are 404.
func (h *Handler) Serve(notFound gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		httpserve.DiscardBody(c)
		name := strings.TrimPrefix(path.Clean("/"+c.Request.URL.Path), "/")
		switch {
		case strings.HasPrefix(name+"/", "api/"), strings.HasPrefix(name+"/", "media/"):
			httpserve.Render(c, errNotFound)
		case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
			httpserve.Render(c, httpserve.ErrNoMethod)
		case h.files != nil && name != Index && isPublic(name) && isFile(h.files, name):
			h.serveFile(c, name)
		case path.Ext(name) != "" || !acceptsHTML(c.Request):
			httpserve.Render(c, errNotFound)
		default:
			notFound(c)
		}
	}
}

// ServePage answers with a page of the application, or with the placeholder where that is not built.
func (h *Handler) ServePage(c *gin.Context, name string) {
	if h.files != nil && isFile(h.files, name) {
		h.serveFile(c, name)
		return
	}
	c.Header("Cache-Control", "no-cache")
	http.ServeContent(c.Writer, c.Request, Index, time.Time{}, bytes.NewReader(placeholder))
}

// ReadIndex returns the application's page, or the placeholder where that is not built. It is read anew each time,
// because a new build may have replaced it.
func (h *Handler) ReadIndex() ([]byte, error) {
	if h.files == nil {
		return placeholder, nil
	}
	return fs.ReadFile(h.files, Index)
}

// ReadFile returns a file of the build, or an error where there is none.
func (h *Handler) ReadFile(name string) ([]byte, error) {
	if h.files == nil {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(h.files, name)
}

// isPublic reports whether a file is for browsers. Others are notes of the build, such as .vite/manifest.json, source
// maps and the compressed forms of files.
func isPublic(name string) bool {
	return !strings.Contains("/"+name, "/.") && !slices.Contains([]string{".map", ".br", ".gz"}, path.Ext(name))
}

// acceptsHTML reports whether a request may be a browser's navigation.
func acceptsHTML(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return accept == "" || strings.Contains(accept, "text/html") || strings.Contains(accept, "*/*")
}

func (h *Handler) serveFile(c *gin.Context, name string) {
	stored, encoding := h.compressed(c, name)
	// The file is sent in pieces, so that slow clients do not each hold a copy in memory.
	file, tag, err := h.open(stored)
	if errors.Is(err, fs.ErrNotExist) { // replaced by a new build just now
		httpserve.Render(c, errNotFound)
		return
	}
	if err != nil {
		httpserve.Render(c, err)
		return
	}
	defer func() { _ = file.Close() }()
	if encoding != "" {
		c.Header("Content-Encoding", encoding)
	}
	c.Header("Cache-Control", "no-cache")
	if strings.HasPrefix(name, hashed) {
		c.Header("Cache-Control", "public, max-age=31536000, immutable")
	}
	c.Header("ETag", tag)
	http.ServeContent(c.Writer, c.Request, name, time.Time{}, file)
}

// open returns a file and its ETag, which is the name where that contains the hash, else the hash. Modification times
// are not used, because builds may set all to the same.
func (h *Handler) open(name string) (file http.File, tag string, err error) {
	file, err = http.FS(h.files).Open("/" + name)
	if err != nil {
		return nil, "", err
	}
	if asset, hasHash := strings.CutPrefix(name, hashed); hasHash {
		return file, `"` + asset + `"`, nil
	}
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	}
	return file, `"` + base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16]) + `"`, nil
}

// compressed returns the name of the form of a file that the client accepts, and its encoding, which is empty for the
// file itself.
func (h *Handler) compressed(c *gin.Context, name string) (stored, encoding string) {
	for _, form := range []struct{ encoding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !isFile(h.files, name+form.suffix) {
			continue
		}
		c.Header("Vary", "Accept-Encoding")
		if httpserve.AcceptsEncoding(c.Request, form.encoding) {
			return name + form.suffix, form.encoding
		}
	}
	return name, ""
}

func isFile(files fs.FS, name string) bool {
	if !fs.ValidPath(name) {
		return false
	}
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}
