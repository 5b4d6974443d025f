package cache

import (
	"net/url"
	"strings"
)

// maxKey bounds a key, in bytes. The longest search has about a hundred characters.
const maxKey = 2048

// QueryParams is the query parameters that the responses of a route depend on.
type QueryParams []string

// Key returns the cache key of a request, which is also the URI that the service is asked for: the path with the
// parameters, in one order and one escaping. It is not ok for a query that servers read in different
// ways, such as one that repeats a parameter.
func (p QueryParams) Key(path, query string) (key string, ok bool) {
	if query == "" {
		return path, true
	}
	asked, err := url.ParseQuery(query)
	if err != nil {
		return "", false
	}
	known := url.Values{}
	for _, name := range p {
		switch values := asked[name]; len(values) {
		case 0:
		case 1:
			known[name] = values
		default:
			return "", false
		}
	}
	if key = path; len(known) > 0 {
		// The API's lists have commas between their parts.
		key += "?" + strings.ReplaceAll(known.Encode(), "%2C", ",")
	}
	return key, len(key) <= maxKey
}
