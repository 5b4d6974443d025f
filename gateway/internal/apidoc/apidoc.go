// Package apidoc publishes the API's contract: the services' OpenAPI documents
// as one, and the same as a page for people.
package apidoc

//go:generate go run ../../cmd/mergeapi openapi.json ../../../services/auth/api/openapi.yaml ../../../services/maps/api/openapi.yaml ../../../services/records/api/openapi.yaml ../../../services/players/api/openapi.yaml

import (
	_ "embed"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"

	"capzone.dev/platform/httpserve"
)

//go:embed openapi.json
var document []byte

// Document returns the merged OpenAPI document.
func Document() []byte { return document }

// page is the document for people. It is the same for everybody, so it is made once.
var page = sync.OnceValues(func() ([]byte, error) { return renderPage(document) })

// Register serves the document at openapi.json and the page at docs.
func Register(router gin.IRouter) {
	router.GET("/openapi.json", func(c *gin.Context) {
		c.Data(http.StatusOK, "application/json; charset=utf-8", document)
	})
	router.GET("/docs", func(c *gin.Context) {
		html, err := page()
		if err != nil {
			httpserve.Render(c, err)
			return
		}
		c.Data(http.StatusOK, "text/html; charset=utf-8", html)
	})
}
