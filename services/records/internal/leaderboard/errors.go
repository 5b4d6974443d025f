package leaderboard

import (
	"time"

	"capzone.dev/platform/problem"
)

// Problems of reading. Those of what is unknown or removed are the package record's.
var (
	ErrSortUnknown   = problem.InvalidArgument("sort_unknown", "The list cannot be sorted like that.")
	ErrAroundInvalid = problem.InvalidArgument("around_invalid",
		"Rows around a player are those of one map's leaderboard, without player, offset, after and limit.").
		WithField("around", "needs_map_alone", "needs map alone")
	ErrRankingAround = ErrAroundInvalid.
				WithMessage("ranking_around", "Rows around a player of a ranking have neither page nor limit.").
				WithField("around", "without_page", "takes neither page nor limit")
	ErrFollowingInvalid = problem.InvalidArgument("following_invalid",
		"The players whom you follow have rows on one map's leaderboard, without player and around.").
		WithField("following", "needs_map_alone", "needs map alone")
	ErrFollowingUnavailable = problem.Unavailable("following_unavailable",
		"Whom you follow cannot be read at the moment. Please try again shortly, or read the whole leaderboard.").
		WithRetryAfter(2 * time.Second)
	ErrSamePlayer  = problem.Unprocessable("same_player", "A player cannot be compared with themselves.")
	ErrBehindBelow = problem.InvalidArgument("behind_below_invalid", "The difference must be at least a millisecond.").
			WithField("behindBelow", "out_of_range", "must be at least 1")
	// ErrProgressMaps names maps in its fields.
	ErrProgressMaps  = problem.InvalidArgument("maps_invalid", "Progress cannot be asked for these maps.")
	ErrTooManyPlayed = problem.Unprocessable("too_many_played",
		"You have played too many maps to search by your own times.")
	ErrPlayedUnknown = problem.InvalidArgument("malformed_request", "Played maps cannot be selected or sorted like that.").
				WithReason("played_unknown")
	ErrPlayersInvalid = problem.InvalidArgument("malformed_request",
		"The players are not a list of at most 500 ids.").WithReason("players_invalid")
	// ErrRankingUnknown names what is wrong in its fields.
	ErrRankingUnknown = problem.InvalidArgument("ranking_unknown", "There is no such ranking.")
	ErrModeUnknown    = problem.InvalidArgument("mode_unknown", "There is no such game mode.")
	// ErrPlayerUnranked carries in missing what the player needs.
	ErrPlayerUnranked = problem.NotFound("player_unranked", "This player is not in the ranking.")
	// ErrPageTooDeep names the offset in its fields, and carries in use the parameter to read on with.
	ErrPageTooDeep = problem.InvalidArgument("page_too_deep",
		"The list of all records cannot be read that far down by offset. Read on with after, which is pagination.next of the page before.")
	ErrCursorInvalid = problem.InvalidArgument("after_invalid",
		"This is not the next of a page of the same list in the same order.").
		WithField("after", "not_next", "must be pagination.next of the page before")
	ErrAfterInvalid = ErrCursorInvalid.
			WithMessage("after_with_offset", "A page after another one has no offset. Rows of one player on a map, around a player and of followed players have none.").
			WithField("after", "needs_map_or_player", "takes map or player, with sortBy, sortDir and limit")
)
