// Package apidoc serves the API's documentation: the OpenAPI documents of the services and the gateway merged into one,
// and a page on which people read it and try the calls. A test merges the documents; `make generate` has it write
// openapi.json.
package apidoc

//go:generate go test -count=1 -run TestDocument_is_the_merge_of_the_services -update .

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/webapp"
)

//go:embed openapi.json
var document []byte

// pagePolicy lets the page load from the site alone. The viewer draws its icons from data URLs.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Document returns the merged OpenAPI document.
func Document() []byte { return document }

// Register serves the document at openapi.json and the page at docs, which is a part of the web application.
func Register(router gin.IRouter, site *webapp.Handler) {
	sum := sha256.Sum256(document)
	tag := fmt.Sprintf("%q", base64.RawURLEncoding.EncodeToString(sum[:16]))
	router.GET("/openapi.json", func(c *gin.Context) {
		c.Header("Content-Type", "application/json; charset=utf-8")
		c.Header("Cache-Control", "no-cache")
		c.Header("ETag", tag)
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(document))
	})
	router.GET("/docs", func(c *gin.Context) {
		c.Header("Content-Security-Policy", pagePolicy)
		site.ServePage(c, "api-docs.html")
	})
}

// QueryParameters returns the names of the query parameters of each GET call, by its path in the document, such as
// "/maps/{id}".
func QueryParameters() (map[string][]string, error) {
	var parsed struct {
		Paths map[string]struct {
			Get struct {
				Parameters []struct{ Name, In string }
			}
		}
	}
	if err := json.Unmarshal(document, &parsed); err != nil {
		return nil, err
	}
	names := map[string][]string{}
	for path, item := range parsed.Paths {
		names[path] = []string{}
		for _, p := range item.Get.Parameters {
			if p.In == "query" {
				names[path] = append(names[path], p.Name)
			}
		}
	}
	return names, nil
}
