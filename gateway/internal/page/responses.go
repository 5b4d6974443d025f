package page

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/proxy"
	"capzone.dev/gateway/internal/route"
	"capzone.dev/platform/httpserve"
)

// request is a request for a cached route of the API.
type request struct {
	path  string   // of the route in the table
	ids   []string // in the places of its parameters
	query url.Values
}

// key returns the key of the response in the page's data: the path below the API's with the query, whose parameters
// are sorted by name.
func (r request) key() string {
	key := strings.TrimPrefix(route.Fill(r.path, r.ids...), route.Base)
	if len(r.query) > 0 {
		key += "?" + r.query.Encode()
	}
	return key
}

// apiResponses are the responses that a page is made of.
type apiResponses struct {
	byKey      map[string]*cache.Response
	incomplete bool // some request got no response, or an old one
}

// fetchAll returns the responses to all requests.
func (h *Handler) fetchAll(ctx context.Context, requests ...request) apiResponses {
	read := apiResponses{byKey: map[string]*cache.Response{}}
	var mu sync.Mutex
	var reads sync.WaitGroup
	for _, r := range requests {
		reads.Go(func() {
			response, stale, err := h.API.Read(ctx, r.path, r.ids, r.query)
			mu.Lock()
			defer mu.Unlock()
			read.incomplete = read.incomplete || stale || err != nil
			if err != nil {
				h.Log.DebugContext(ctx, "no data for a page", "request", r.key(), "error", err)
				return
			}
			read.byKey[r.key()] = response
		})
	}
	reads.Wait()
	return read
}

// fetchOne returns the response to a request, alone and as apiResponses. Any other status than 200 is
// ErrServiceUnavailable: an older release of the service may not have the route.
func (h *Handler) fetchOne(ctx context.Context, r request) (*cache.Response, apiResponses, error) {
	read := h.fetchAll(ctx, r)
	response := read.byKey[r.key()]
	if response == nil || response.Status != http.StatusOK {
		return nil, apiResponses{}, proxy.ErrServiceUnavailable
	}
	return response, read, nil
}

// merge returns the responses of both.
func (r apiResponses) merge(other apiResponses) apiResponses {
	all := apiResponses{byKey: maps.Clone(r.byKey), incomplete: r.incomplete || other.incomplete}
	maps.Copy(all.byKey, other.byKey)
	return all
}

// bodies returns the bodies of the responses with the status 200, by their keys.
func (r apiResponses) bodies() map[string]json.RawMessage {
	data := map[string]json.RawMessage{}
	for key, response := range r.byKey {
		if response.Status == http.StatusOK && json.Valid(response.Body()) {
			data[key] = response.Body()
		}
	}
	return data
}

// respond returns a response that is stored as long as what was read is fresh.
func (r apiResponses) respond(status int, contentType string, body []byte, maxAge time.Duration) *cache.Response {
	c := cache.Composition{
		Status: status, Body: body, MaxAge: maxAge, Keys: []httpserve.SurrogateKey{pagesKey},
		Header: http.Header{
			"Content-Type": {contentType}, "Cache-Control": {"no-cache"}, "Vary": {"Accept-Language, Cookie"},
		},
	}
	for _, part := range r.byKey {
		switch {
		case part.Status != http.StatusOK:
		case r.incomplete: // the part may be too old
			c.Keys = append(c.Keys, part.Keys()...)
		default:
			c.Parts = append(c.Parts, part)
		}
	}
	if r.incomplete {
		c.MaxAge = incompleteMaxAge
	}
	return cache.Compose(c)
}
