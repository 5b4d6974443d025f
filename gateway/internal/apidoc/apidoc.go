// Package apidoc publishes the API's contract: the services' OpenAPI documents
// as one, and the same as a page for people.
package apidoc

//go:generate go run ../../cmd/mergeapi openapi.json ../../../services/auth/api/openapi.yaml ../../../services/maps/api/openapi.yaml ../../../services/records/api/openapi.yaml ../../../services/players/api/openapi.yaml

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
)

//go:embed openapi.json
var document []byte

// Document returns the merged OpenAPI document.
func Document() []byte { return document }

// Register serves the document at openapi.json and the page at docs.
func Register(router gin.IRouter) error {
	page, err := renderPage(document)
	if err != nil {
		return err
	}
	router.GET("/openapi.json", serve("application/json; charset=utf-8", document))
	router.GET("/docs", serve("text/html; charset=utf-8", page))
	return nil
}

// serve answers with what is the same for everybody until the next version.
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
