package session

import "capzone.dev/platform/problem"

// The ways in which the use cases refuse. A refresh that fails is answered with
// 401, also for a banned player, because that is what logs a browser out.
var (
	// ErrMissing says that no token was presented, which is no failure: most
	// visitors have none.
	ErrMissing = problem.Unauthenticated("refresh_missing", "Please log in first.")
	ErrExpired = problem.Unauthenticated("refresh_expired", "Your session has expired. Please log in again.")
	ErrInvalid = problem.Unauthenticated("refresh_invalid", "Your session is not valid any more. Please log in again.")
	ErrReused  = problem.Unauthenticated("refresh_reused", "Your session was continued elsewhere. For your safety it has ended. Please log in again.")
	ErrEnded   = problem.Unauthenticated("player_banned", "This player is banned.")

	// ErrBanned is what a login gets, ErrEnded a refresh.
	ErrBanned = problem.Forbidden("player_banned", "This player is banned.")

	// ErrPlayerUnknown says that the players service does not know the player.
	ErrPlayerUnknown = problem.NotFound("player_unknown", "There is no such player.")

	// ErrBusy says that too many refreshes of one session are under way.
	ErrBusy = problem.Unavailable("refresh_busy", "Please try again in a moment.")
)
