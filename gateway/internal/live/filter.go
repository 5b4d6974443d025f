package live

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/publicevent"
)

var (
	errTypeUnknown       = problem.InvalidArgument("type_unknown", "There is no such type of event.")
	errIDMalformed       = problem.InvalidArgument("id_malformed", "Events cannot be selected by that id.")
	errModeUnknown       = problem.InvalidArgument("mode_unknown", "There is no such game mode.")
	errEventIDMalformed  = problem.InvalidArgument("event_id_malformed", "The number of the last event cannot be read.")
	errEventsUnavailable = problem.Unavailable("events_unavailable",
		"Live events are not available at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)
)

// request is what a reader asks for.
type request struct {
	publicevent.Filter
	// me asks for the caller's own events, until the caller's token expires.
	me         bool
	validUntil time.Time
	// after is the number of the last event that the reader has, nil for a reader that has none.
	after  *uint64
	ndjson bool
	// address is the client's.
	address string
}

// parseRequest returns what a request asks for, without the receiver. It returns problems of status 400.
func parseRequest(r *http.Request) (request, error) {
	query := r.URL.Query()
	parsed := request{ndjson: prefersNDJSON(r.Header.Get("Accept"))}
	var err error
	if parsed.Types, err = parseTypes(query); err != nil {
		return request{}, err
	}
	if parsed.MapID, err = parseID(query, "map"); err != nil {
		return request{}, err
	}
	if parsed.PlayerID, err = parseID(query, "player"); err != nil {
		return request{}, err
	}
	if parsed.Mode = query.Get("mode"); parsed.Mode != "" && !apitypes.GameMode(parsed.Mode).Valid() {
		return request{}, errModeUnknown.WithField("mode", "unknown", "is unknown")
	}
	switch query.Get("me") {
	case "", "false":
	case "true":
		parsed.me = true
	default:
		return request{}, httpserve.ErrMalformed.WithField("me", "malformed", "is neither true nor false")
	}
	parsed.after, err = parseAfter(r.Header.Get("Last-Event-ID"), query.Get("after"))
	return parsed, err
}

// parseTypes returns the types in a query, all where it names none.
func parseTypes(query url.Values) (publicevent.Types, error) {
	if query.Get("types") == "" {
		return publicevent.AllTypes, nil
	}
	types, err := publicevent.ParseTypes(strings.Split(query.Get("types"), ",")...)
	if err != nil {
		return 0, errTypeUnknown.WithField("types", "unknown", "may have record, worldRecord, map, player and points")
	}
	return types, nil
}

// parseID returns an id in a query in its usual form, or "".
func parseID(query url.Values, name string) (string, error) {
	id := query.Get(name)
	if id != "" && !event.IsID(id) {
		return "", errIDMalformed.WithField(name, "malformed", "is no _id")
	}
	return strings.ToLower(id), nil
}

// maxEventID keeps the numbers of events within the integers of JSON and of signed types.
const maxEventID = 1<<53 - 1

// parseAfter returns the number of the last event that a reader has. Browsers repeat the query when they connect again,
// so that the header counts.
func parseAfter(header, query string) (*uint64, error) {
	text, name := header, "Last-Event-ID"
	if text == "" {
		text, name = query, "after"
	}
	if text == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	id, err := strconv.ParseUint(text, 10, 64)
	if err != nil || id > maxEventID {
		return nil, errEventIDMalformed.WithField(name, "malformed", "is no number of an event")
	}
	return &id, nil
}

// prefersNDJSON reports whether an Accept header names application/x-ndjson, and text/event-stream not before it.
func prefersNDJSON(accept string) bool {
	ndjson := strings.Index(accept, ndjsonType)
	sse := strings.Index(accept, sseType)
	return ndjson >= 0 && (sse < 0 || ndjson < sse)
}
