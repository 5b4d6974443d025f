package simulated

import "capzone.dev/platform/problem"

// The errors that the page and scripts get.
var (
	ErrRoomUnknown = problem.NotFound("room_unknown", "There is no such room, or it is long closed.")
	ErrRoomClosed  = problem.Conflict("room_closed", "The room is closed.")
	ErrRoomFull    = problem.Conflict("room_full", "The room is full.")
	ErrNotInside   = problem.Conflict("not_inside", "No visitor of that number is in the room.")

	errNoJSON     = problem.InvalidArgument("malformed_request", "The request is not the expected JSON.")
	errTooLarge   = problem.TooLarge("request_too_large", "The request is too large.")
	errBadArrival = problem.Unprocessable("visitor_refused", "A visitor like that cannot join.")
)
