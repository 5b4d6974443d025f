package event

import "capzone.dev/platform/problem"

// The problems with which programs answer each other's requests. Services also
// return them to their own callers, so that a code means the same everywhere.
// A service may return a copy with another sentence.
var (
	ErrPlayerUnknown = problem.NotFound("player_unknown", "There is no such player.")
	ErrPlayerBanned  = problem.Forbidden("player_banned", "This player is banned.")
	ErrMapUnknown    = problem.NotFound("map_unknown", "There is no such map.")
)
