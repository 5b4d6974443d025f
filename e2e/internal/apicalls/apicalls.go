// Package apicalls lists the calls of the API's document, for tests that try all of them.
package apicalls

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"

	"github.com/getkin/kin-openapi/openapi3"

	"capzone.dev/e2e/site"
)

// Call is a call of the document.
type Call struct {
	Method, Path string
	Operation    *openapi3.Operation
}

// Read reads the document as a visitor.
func Read(ctx context.Context, v *site.Visitor) ([]Call, error) {
	answer, err := v.Send(ctx, site.Request{Path: "/openapi.json"})
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read the document, status %d: %w", answer.Status, err)
	}
	var calls []Call
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			calls = append(calls, Call{method, path, operation})
		}
	}
	if len(calls) == 0 {
		return nil, errors.New("the document has no calls")
	}
	return calls, nil
}

var pathParameter = regexp.MustCompile(`\{[^}]+\}`)

// Request returns a request for the call, with an id in the place of each parameter of its path.
func (c Call) Request(id string) site.Request {
	request := site.Request{Method: c.Method, Path: pathParameter.ReplaceAllString(c.Path, id)}
	if c.Method == http.MethodGet && c.Path == "/events" { // a refusal ends, a stream does not
		request.Query = url.Values{"types": {"none"}}
	}
	return request
}
