// Package apidoc serves the API's documentation: the services' OpenAPI documents merged into one, and a page
// on which people read it and try the calls.
package apidoc

//go:generate go run ../../cmd/mergeapi openapi.json ../../../services/auth/api/openapi.yaml ../../../services/maps/api/openapi.yaml ../../../services/records/api/openapi.yaml ../../../services/players/api/openapi.yaml

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gin-gonic/gin"
)

var (
	//go:embed openapi.json
	document []byte

	// placeholder is the page of a gateway without a built web application.
	//go:embed placeholder.html
	placeholder []byte
)

// pagePolicy lets the page load from the site alone. The viewer draws its icons from data URLs.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Document returns the merged OpenAPI document.
func Document() []byte { return document }

// Register serves the document at openapi.json and the page at docs. The page is a part of the built
// web application in webDir, which may be empty.
func Register(router gin.IRouter, webDir string) {
	page := placeholder
	if built, err := os.ReadFile(filepath.Join(webDir, "api-docs.html")); err == nil && webDir != "" {
		page = built
	}
	router.GET("/openapi.json", serve("application/json; charset=utf-8", document))
	servePage := serve("text/html; charset=utf-8", page)
	router.GET("/docs", func(c *gin.Context) {
		c.Header("Content-Security-Policy", pagePolicy)
		servePage(c)
	})
}

// serve answers with content that stays the same until the next version of the gateway.
func serve(contentType string, content []byte) gin.HandlerFunc {
	sum := sha256.Sum256(content)
	tag := fmt.Sprintf("%q", base64.RawURLEncoding.EncodeToString(sum[:16]))
	return func(c *gin.Context) {
		c.Header("Content-Type", contentType)
		c.Header("Cache-Control", "no-cache")
		c.Header("ETag", tag)
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(content))
	}
}
