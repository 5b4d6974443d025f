package live

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
)

// eventTypes is a set of the types that readers select.
type eventTypes uint8

const (
	typeRecord eventTypes = 1 << iota
	typeWorldRecord
	typeMap
	typePlayer
	typePoints
	allTypes = typeRecord | typeWorldRecord | typeMap | typePlayer | typePoints
)

var typesByName = map[string]eventTypes{
	"record": typeRecord, "worldRecord": typeWorldRecord, "map": typeMap, "player": typePlayer,
	"points": typePoints,
}

// filter selects the events for a reader. Empty ids and an empty mode select all.
type filter struct {
	types    eventTypes
	mapID    string
	playerID string
	mode     string
	// receiver is the player whose own news are selected too, empty for none.
	receiver string
}

// selects reports whether an event is for the reader.
func (f filter) selects(e *liveEvent) bool {
	if e.kind == kindInbox {
		_, isReceiver := slices.BinarySearch(e.receivers, f.receiver)
		return isReceiver && f.receiver != ""
	}
	return e.types&f.types != 0 &&
		(f.mapID == "" || slices.Contains(e.maps, f.mapID)) &&
		(f.playerID == "" || slices.Contains(e.players, f.playerID)) &&
		(f.mode == "" || e.mode == f.mode)
}

// request is what a reader asks for.
type request struct {
	filter
	// me asks for the caller's own news.
	me bool
	// after is the number of the last event that the reader has, nil for a reader that has none.
	after  *uint64
	ndjson bool
}

// parseRequest returns what a request asks for, without the receiver. It returns problems of status 400.
func parseRequest(r *http.Request) (request, error) {
	query := r.URL.Query()
	parsed := request{filter: filter{types: allTypes}, ndjson: prefersNDJSON(r.Header.Get("Accept"))}
	var err error
	if parsed.types, err = parseTypes(query); err != nil {
		return request{}, err
	}
	if parsed.mapID, err = parseID(query, "map"); err != nil {
		return request{}, err
	}
	if parsed.playerID, err = parseID(query, "player"); err != nil {
		return request{}, err
	}
	if parsed.mode = query.Get("mode"); parsed.mode != "" && !apitypes.GameMode(parsed.mode).Valid() {
		return request{}, errModeUnknown.WithField("mode", "is unknown")
	}
	switch query.Get("me") {
	case "", "false":
	case "true":
		parsed.me = true
	default:
		return request{}, httpserve.ErrMalformed.WithField("me", "is neither true nor false")
	}
	parsed.after, err = parseAfter(r.Header.Get("Last-Event-ID"), query.Get("after"))
	return parsed, err
}

// parseTypes returns the types in a query, all where it names none.
func parseTypes(query url.Values) (types eventTypes, err error) {
	if query.Get("types") == "" {
		return allTypes, nil
	}
	for name := range strings.SplitSeq(query.Get("types"), ",") {
		selected, known := typesByName[strings.TrimSpace(name)]
		if !known {
			return 0, errTypeUnknown.WithField("types", "may have record, worldRecord, map, player and points")
		}
		types |= selected
	}
	return types, nil
}

// parseID returns an id in a query in its usual form, or "".
func parseID(query url.Values, name string) (string, error) {
	id := query.Get(name)
	if id != "" && !event.IsID(id) {
		return "", errIDMalformed.WithField(name, "is no _id")
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
		return nil, errEventIDMalformed.WithField(name, "is no number of an event")
	}
	return &id, nil
}

// prefersNDJSON reports whether an Accept header names application/x-ndjson, and text/event-stream not before it.
func prefersNDJSON(accept string) bool {
	ndjson := strings.Index(accept, ndjsonType)
	sse := strings.Index(accept, sseType)
	return ndjson >= 0 && (sse < 0 || ndjson < sse)
}
