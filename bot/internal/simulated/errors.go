package simulated

import "capzone.dev/platform/problem"

// What the page and scripts are told when something cannot be done.
var (
	ErrRoomUnknown = problem.NotFound("room_unknown", "There is no such room, or it is long closed.")
	ErrRoomClosed  = problem.Conflict("room_closed", "The room is closed.")
	ErrRoomFull    = problem.Conflict("room_full", "The room is full.")
	ErrNotInside   = problem.Conflict("not_inside", "Nobody of that visit is in the room.")

	errNoJSON     = problem.InvalidArgument("malformed_request", "The request is no JSON as the room understands it.")
	errTooLarge   = problem.TooLarge("request_too_large", "The request is too large.")
	errBadArrival = problem.Unprocessable("visitor_refused", "Nobody like that can join.")
)
