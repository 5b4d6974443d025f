package verification

import "capzone.dev/platform/problem"

// The answers of a bot that does not do what it was asked.
var (
	ErrFull = problem.Unavailable("rooms_full",
		"All verification rooms are taken. Please try again in a moment.")
	ErrBackingOff = problem.Unavailable("bot_resting",
		"No verification room can be opened just now. Please try again in a moment.")
	ErrNoRoom = problem.Unavailable("room_not_opened",
		"The verification room could not be opened. Please try again in a moment.")
	ErrRoomUnknown = problem.NotFound("room_unknown", "The room is gone.")
	ErrNotSaid     = problem.Unavailable("room_not_reached", "The bot could not speak in the room.")
	ErrOpenRefused = problem.InvalidArgument("open_room_malformed",
		"A room is opened for a session and for between a second and an hour.")
	ErrSayRefused = problem.InvalidArgument("say_malformed", "A text to say has between 1 and 500 characters.")
)
