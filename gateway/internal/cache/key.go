package cache

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxKey bounds a key, in bytes. The longest search has about a hundred characters.
const maxKey = 2048

// Shape is the set of query parameters that the responses of a route depend on.
type Shape struct {
	parameters []string // sorted
}

// maxParameters is the most that a route may have.
const maxParameters = 16

// NewShape returns the shape of a route with these query parameters. It returns an error
// for more than 16.
func NewShape(parameters []string) (Shape, error) {
	if len(parameters) > maxParameters {
		return Shape{}, fmt.Errorf("%d query parameters, at most %d can be kept apart", len(parameters), maxParameters)
	}
	parameters = slices.Clone(parameters)
	slices.Sort(parameters)
	return Shape{parameters}, nil
}

// Key returns the cache key of a request, which is also the URI that the service is asked
// for: the path with the parameters of the shape, in one order and one escaping. It is not
// ok for a query that servers read in different ways, such as one that repeats a parameter.
func (s Shape) Key(path, query string) (key string, ok bool) {
	if query == "" || len(s.parameters) == 0 {
		return path, true
	}
	var values [maxParameters]string
	var given [maxParameters]bool
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(pair, "=")
		if name, ok = unescape(name); !ok {
			return "", false
		}
		if value, ok = unescape(value); !ok {
			return "", false
		}
		i, known := slices.BinarySearch(s.parameters, name)
		if !known {
			continue
		}
		if given[i] {
			return "", false
		}
		values[i], given[i] = value, true
	}
	buffer := make([]byte, 0, 256)
	buffer = append(buffer, path...)
	separator := byte('?')
	for i, name := range s.parameters {
		if given[i] {
			buffer = append(append(append(buffer, separator), name...), '=')
			buffer = appendEscaped(buffer, values[i])
			separator = '&'
		}
	}
	return string(buffer), len(buffer) <= maxKey
}

// unescape undoes the escaping of a part of a query.
func unescape(text string) (string, bool) {
	if strings.IndexByte(text, ';') >= 0 {
		return "", false // some servers take it for a separator
	}
	if !strings.ContainsAny(text, "%+") {
		return text, true
	}
	text, err := url.QueryUnescape(text)
	return text, err == nil
}

// appendEscaped escapes everything but the unreserved characters of RFC 3986 and the
// comma, which the API uses between the parts of a value.
func appendEscaped(buffer []byte, text string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(text) {
		switch b := text[i]; {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '-', b == '.', b == '_', b == '~', b == ',':
			buffer = append(buffer, b)
		default:
			buffer = append(buffer, '%', digits[b>>4], digits[b&15])
		}
	}
	return buffer
}
