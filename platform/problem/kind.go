package problem

import (
	"cmp"
	"net/http"
)

// Kind is the category of a problem. It decides the HTTP status. The values cross
// process boundaries and must not change.
type Kind string

// The kinds. An unknown kind is treated as KindInternal.
const (
	KindInternal         Kind = "internal"           // a fault of the server
	KindInvalidArgument  Kind = "malformed"          // the request cannot be read
	KindUnauthenticated  Kind = "unauthenticated"    // no token, or an invalid one
	KindForbidden        Kind = "forbidden"          // not allowed to this caller
	KindNotFound         Kind = "not_found"          // no such entity
	KindMethodNotAllowed Kind = "method_not_allowed" // the path has other methods
	KindConflict         Kind = "conflict"           // contradicts what is stored
	KindTooLarge         Kind = "too_large"          // more bytes than allowed
	KindWrongType        Kind = "wrong_type"         // a media type that is not accepted
	KindUnprocessable    Kind = "refused"            // well-formed, but against a rule
	KindRateLimited      Kind = "too_often"          // over a rate limit
	KindUnavailable      Kind = "unavailable"        // not possible at the moment
)

var statuses = map[Kind]int{
	KindInvalidArgument:  http.StatusBadRequest,
	KindUnauthenticated:  http.StatusUnauthorized,
	KindForbidden:        http.StatusForbidden,
	KindNotFound:         http.StatusNotFound,
	KindMethodNotAllowed: http.StatusMethodNotAllowed,
	KindConflict:         http.StatusConflict,
	KindTooLarge:         http.StatusRequestEntityTooLarge,
	KindWrongType:        http.StatusUnsupportedMediaType,
	KindUnprocessable:    http.StatusUnprocessableEntity,
	KindRateLimited:      http.StatusTooManyRequests,
	KindUnavailable:      http.StatusServiceUnavailable,
}

// Status returns the HTTP status of the kind, 500 for an unknown one.
func (k Kind) Status() int { return cmp.Or(statuses[k], http.StatusInternalServerError) }
