package personaltoken

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/problem"
)

// The errors of the use cases.
var (
	ErrMalformed = problem.Unprocessable("token_malformed", "The personal token cannot be created like this.")
	ErrFull      = problem.Conflict("tokens_full", "You have 10 personal tokens already. Please revoke one first.")
	ErrUnknown   = problem.NotFound("token_unknown", "There is no such personal token.")

	// ErrInvalid refuses a token that is unknown, has expired or was revoked.
	ErrInvalid = personal.ErrInvalid

	// ErrPlayerUnknown is that of the lookup of a player who is unknown or removed.
	ErrPlayerUnknown = event.ErrPlayerUnknown

	// ErrHashMalformed refuses a hash that no program of the site sends.
	ErrHashMalformed = problem.InvalidArgument("malformed", "The request is malformed.")
)
