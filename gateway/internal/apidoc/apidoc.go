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
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"capzone.dev/gateway/internal/webapp"
	"capzone.dev/platform/access"
)

//go:embed openapi.json
var document []byte

// pagePolicy lets the page load from the site alone. The viewer draws its icons from data URLs.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Document returns the merged OpenAPI document.
func Document() []byte { return document }

// Path is where the document is.
const Path = "/api/v1/openapi.json"

// Register serves the document at Path and the page at /api/v1/docs, which is a part of the web application.
func Register(router gin.IRouter, site *webapp.Handler) {
	sum := sha256.Sum256(document)
	tag := fmt.Sprintf("%q", base64.RawURLEncoding.EncodeToString(sum[:16]))
	router.GET(Path, func(c *gin.Context) {
		c.Header("Content-Type", "application/json; charset=utf-8")
		c.Header("Cache-Control", "no-cache")
		c.Header("ETag", tag)
		http.ServeContent(c.Writer, c.Request, "", time.Time{}, bytes.NewReader(document))
	})
	router.GET("/api/v1/docs", func(c *gin.Context) {
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

// TokenScopes returns the scope that a personal token needs for each call that takes one, by its method and path in the
// document, such as "GET /inbox". It is empty where any token will do, as for what everybody can read.
func TokenScopes() (map[string]access.Scope, error) {
	var parsed struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(document, &parsed); err != nil {
		return nil, err
	}
	scopes := map[string]access.Scope{}
	for path, members := range parsed.Paths {
		for method, member := range members {
			if method == "parameters" {
				continue
			}
			var call struct {
				Security []map[string][]access.Scope
			}
			if err := json.Unmarshal(member, &call); err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			if scope, ok := tokenScope(call.Security); ok {
				scopes[strings.ToUpper(method)+" "+path] = scope
			}
		}
	}
	return scopes, nil
}

// tokenScope returns the scope that a personal token needs by a call's security requirements, of which one has to be
// met, and reports whether the call takes one at all.
func tokenScope(requirements []map[string][]access.Scope) (access.Scope, bool) {
	if len(requirements) == 0 {
		return "", true
	}
	for _, r := range requirements {
		scopes, takesToken := r["personalToken"]
		switch {
		case takesToken && len(scopes) > 0:
			return scopes[0], true
		case takesToken || len(r) == 0:
			return "", true
		}
	}
	return "", false
}
