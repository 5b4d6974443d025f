package session

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// The errors of the use cases. A refused refresh is answered with 401, which logs the browser out.
var (
	// ErrMissing is returned where no token was presented, as by most visitors.
	ErrMissing = problem.Unauthenticated("refresh_missing", "Please log in first.")
	ErrExpired = problem.Unauthenticated("refresh_expired", "Your session has expired. Please log in again.")
	ErrInvalid = problem.Unauthenticated("refresh_invalid", "Your session is no longer valid. Please log in again.")
	ErrReused  = problem.Unauthenticated("refresh_reused",
		"Your session was continued elsewhere. For your safety it has ended. Please log in again.")

	// ErrForeignSite refuses requests that another site's page makes.
	ErrForeignSite = problem.Forbidden("foreign_site", "This can only be done from the site itself.")

	// ErrEnded refuses what only a session that goes on may do.
	ErrEnded = event.ErrSessionEnded

	// ErrMerged refuses the login of a player who was merged into another at the same moment.
	ErrMerged = event.ErrPlayerMerged

	// ErrPlayerUnknown is returned for a player without a copy, or unknown to the players service.
	ErrPlayerUnknown = event.ErrPlayerUnknown
)
