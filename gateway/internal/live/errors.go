package live

import (
	"time"

	"capzone.dev/platform/problem"
)

var (
	errTypeUnknown       = problem.InvalidArgument("type_unknown", "There is no such type of event.")
	errIDMalformed       = problem.InvalidArgument("id_malformed", "Events cannot be selected by that id.")
	errModeUnknown       = problem.InvalidArgument("mode_unknown", "There is no such game mode.")
	errEventIDMalformed  = problem.InvalidArgument("event_id_malformed", "The number of the last event cannot be read.")
	errEventsUnavailable = problem.Unavailable("events_unavailable",
		"Live events are not available at the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)
)
