package pagecache

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxKey bounds a key, in bytes. Searches are for at most a hundred characters.
const maxKey = 2048

// Shape is what tells the pages of a route apart, besides the path: the query
// parameters that the API knows there.
type Shape struct {
	parameters []string // sorted
}

// maxParameters is the most that a route may have.
const maxParameters = 16

// NewShape returns the shape of a route with these query parameters, of which
// there may be 16.
func NewShape(parameters []string) (Shape, error) {
	if len(parameters) > maxParameters {
		return Shape{}, fmt.Errorf("%d query parameters, at most %d can be kept apart", len(parameters), maxParameters)
	}
	parameters = slices.Clone(parameters)
	slices.Sort(parameters)
	return Shape{parameters}, nil
}

// Key returns what a request is for: its path with the parameters that count, in
// one order and one spelling. It is also what the service is asked. A query that
// can be read in several ways has none.
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
		if name, ok = plain(name); !ok {
			return "", false
		}
		if value, ok = plain(value); !ok {
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

// plain undoes the escaping of a query.
func plain(text string) (string, bool) {
	if strings.IndexByte(text, ';') >= 0 {
		return "", false // not understood by everybody alike
	}
	if !strings.ContainsAny(text, "%+") {
		return text, true
	}
	text, err := url.QueryUnescape(text)
	return text, err == nil
}

// appendEscaped escapes everything but what RFC 3986 leaves unreserved, and the
// comma, which the API puts between the parts of a value.
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
