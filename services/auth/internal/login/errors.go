package login

import (
	"errors"
	"time"

	"capzone.dev/platform/problem"
)

// The errors of the use cases.
var (
	ErrSessionUnknown = problem.NotFound("session_unknown", "This login is unknown or long over. Please try again.")
	ErrNotThisBrowser = problem.Forbidden("not_this_browser", "This login belongs to another browser.")
	// ErrSessionOver carries the sentence of how the session ended.
	ErrSessionOver = problem.Unprocessable("session_over", "This login is over. Please try again.")
	ErrNoCodeYet   = problem.Unprocessable("code_not_given", "There is no code yet. Please join the room first.")
	// ErrCodeWrong carries triesLeft.
	ErrCodeWrong     = problem.Unprocessable("code_wrong", "This code is wrong.")
	ErrCodeMalformed = problem.InvalidArgument("code_malformed", "A code has six digits.")

	ErrTooManyRooms = problem.RateLimited("too_many_rooms",
		"There were too many logins from your network. Please try again later.")
	// ErrAddressBusy is returned for an address of which too many logins wait.
	ErrAddressBusy = problem.RateLimited("too_many_open_rooms",
		"Too many logins from your network are waiting. Please try again in a moment.").
		WithRetryAfter(30 * time.Second)
	ErrNoRoom = problem.Unavailable("no_room",
		"There is no free verification room at the moment. Please try again shortly.").WithRetryAfter(10 * time.Second)
	// ErrNoBot is returned where no bot accepts logins.
	ErrNoBot = ErrNoRoom.WithMessage("no_bot",
		"Logins are not possible just now. Please try again in a few minutes.").WithRetryAfter(time.Minute)
	ErrRoomSilent = problem.Unavailable("room_silent",
		"The verification room does not answer. Please try again.").WithRetryAfter(2 * time.Second)
	// ErrStoreUnavailable is returned where sessions or limits cannot be read or written.
	ErrStoreUnavailable = problem.Unavailable("login_unavailable",
		"Logging in is not possible for the moment. Please try again shortly.").WithRetryAfter(5 * time.Second)

	// ErrRoomGone is returned by Bots.Say for a room that is not open any more.
	ErrRoomGone = problem.NotFound("room_unknown", "The room is gone.")
	// ErrNotDelivered is returned by Bots.Say when the bot's tries have failed.
	ErrNotDelivered = problem.Unavailable("room_not_reached", "The bot could not speak in the room.")

	// errNotYetKnown is returned by Report for a session that may be created, or given its room, in a moment. The report
	// is delivered again.
	errNotYetKnown = errors.New("the session of a report is not known yet")
)
