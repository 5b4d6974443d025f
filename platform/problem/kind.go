package problem

import "net/http"

// Kind says what sort of problem it is, and so which status it gets.
type Kind string

// The kinds. The zero value is KindInternal's stand-in: anything unknown is internal.
const (
	KindInternal         Kind = "internal"           // our fault
	KindMalformed        Kind = "malformed"          // cannot be read
	KindUnauthenticated  Kind = "unauthenticated"    // no token or a bad one
	KindForbidden        Kind = "forbidden"          // not allowed to this caller
	KindNotFound         Kind = "not_found"          // no such thing
	KindMethodNotAllowed Kind = "method_not_allowed" // not this way
	KindConflict         Kind = "conflict"           // against what is there already
	KindTooLarge         Kind = "too_large"          // more bytes than allowed
	KindWrongType        Kind = "wrong_type"         // not a type of file that is taken
	KindRefused          Kind = "refused"            // well-formed, but against a rule
	KindTooOften         Kind = "too_often"          // over a limit
	KindUnavailable      Kind = "unavailable"        // not now
)

var statuses = map[Kind]int{
	KindMalformed:        http.StatusBadRequest,
	KindUnauthenticated:  http.StatusUnauthorized,
	KindForbidden:        http.StatusForbidden,
	KindNotFound:         http.StatusNotFound,
	KindMethodNotAllowed: http.StatusMethodNotAllowed,
	KindConflict:         http.StatusConflict,
	KindTooLarge:         http.StatusRequestEntityTooLarge,
	KindWrongType:        http.StatusUnsupportedMediaType,
	KindRefused:          http.StatusUnprocessableEntity,
	KindTooOften:         http.StatusTooManyRequests,
	KindUnavailable:      http.StatusServiceUnavailable,
	KindInternal:         http.StatusInternalServerError,
}

// Status returns the HTTP status of the kind, 500 for an unknown one.
func (k Kind) Status() int {
	if status, ok := statuses[k]; ok {
		return status
	}
	return http.StatusInternalServerError
}
