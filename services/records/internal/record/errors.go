package record

import (
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/replayproblem"
)

// Problems of reading.
var (
	ErrRecordUnknown = problem.NotFound("record_unknown", "There is no such record.")
	ErrMapUnknown    = event.ErrMapUnknown
	ErrPlayerUnknown = event.ErrPlayerUnknown
	ErrMapRemoved    = event.ErrMapRemoved
	ErrSortUnknown   = problem.InvalidArgument("sort_unknown", "The list cannot be sorted like that.")
	ErrAroundInvalid = problem.InvalidArgument("around_invalid",
		"Rows around a player are those of one map's leaderboard, without player, offset, after and limit.").
		WithField("around", "needs map alone")
	ErrRankingAround = ErrAroundInvalid.
				WithMessage("Rows around a player of a ranking have neither page nor limit.").
				WithField("around", "takes neither page nor limit")
	ErrFollowingInvalid = problem.InvalidArgument("following_invalid",
		"The players whom you follow have rows on one map's leaderboard, without player and around.").
		WithField("following", "needs map alone")
	ErrFollowingUnavailable = problem.Unavailable("following_unavailable",
		"Whom you follow cannot be read at the moment. Please try again shortly, or read the whole leaderboard.").
		WithRetryAfter(2 * time.Second)
	ErrSamePlayer  = problem.Unprocessable("same_player", "A player cannot be compared with themselves.")
	ErrBehindBelow = problem.InvalidArgument("behind_below_invalid", "The difference must be at least a millisecond.").
			WithField("behindBelow", "must be at least 1")
	// ErrProgressMaps names maps in its fields.
	ErrProgressMaps  = problem.InvalidArgument("maps_invalid", "Progress cannot be asked for these maps.")
	ErrTooManyPlayed = problem.Unprocessable("too_many_played",
		"You have played too many maps to search by your own times.")
	ErrPlayedUnknown  = problem.InvalidArgument("malformed_request", "Played maps cannot be selected or sorted like that.")
	ErrPlayersInvalid = problem.InvalidArgument("malformed_request",
		"The players are not a list of at most 500 ids.")
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
		WithField("after", "must be pagination.next of the page before")
	ErrAfterInvalid = ErrCursorInvalid.
			WithMessage("A page after another one has no offset. Rows of one player on a map, around a player and of followed players have none.").
			WithField("after", "takes map or player, with sortBy, sortDir and limit")
)

// ErrSubmitterBanned is returned for a submission of a banned player.
var ErrSubmitterBanned = event.ErrPlayerBanned.WithMessage("You are banned from submitting.")

// ErrPlayerHidden is returned for a submission of a player whose records are hidden.
var ErrPlayerHidden = problem.Forbidden("player_hidden",
	"Your records are hidden at the moment, so that you cannot submit new ones.")

// Problems of a replay file.
var (
	ErrReplayMissing       = replayproblem.Missing
	ErrReplayTooLarge      = replayproblem.TooLarge(MaxReplaySize)
	ErrReplayInvalid       = replayproblem.Invalid
	ErrReplayNotValidated  = replayproblem.NotValidated
	ErrReplayDisagrees     = replayproblem.Disagrees
	ErrMapDataMissing      = replayproblem.MapDataMissing
	ErrReplayNotYours      = replayproblem.NotYours
	ErrFinishTimeMissing   = replayproblem.FinishTimeMissing
	ErrTimestampUnreadable = replayproblem.TimestampUnreadable
	ErrReplayFromFuture    = replayproblem.FromFuture
	ErrReplayTooOld        = replayproblem.TooOld
)

// Problems of a record on this map, of this player.
var (
	ErrWrongMap          = problem.Unprocessable("wrong_map", "This replay is not for the selected map")
	ErrMapVersionDiffers = problem.Unprocessable("map_version_differs",
		"This replay was made on another version of the map.")
	// ErrGameModeDiffers names both modes.
	ErrGameModeDiffers = problem.Unprocessable("game_mode_differs",
		"This replay was played in another mode than that of the leaderboard.")
	ErrFinishAmbiguous = problem.Unprocessable("map_finish_ambiguous",
		"Some capture zones of the map in this replay are named cp… and some are not, so that it could have ended at a middle zone.")
	// ErrReplayExists and ErrReplayCopied carry the _id of the existing record.
	ErrReplayExists = problem.Conflict("replay_exists", "This replay was submitted before.")
	ErrReplayCopied = problem.Conflict("replay_copied", "Another player has submitted this record.")
	// ErrMapRestoring is returned for the first record of a map while the map's leaderboard is being restored.
	ErrMapRestoring = problem.Unavailable("map_restoring", "This map is being restored. Please try again shortly.")
)

// errMapNotSubmitted is ErrMapUnknown with the sentence for a player who submits a record.
var errMapNotSubmitted = ErrMapUnknown.WithMessage(
	"This map has no replay on the site yet. Its author or a validator can submit the map with one first.")

// Problems of reading a replay.
var (
	ErrReplayOfDeletedPlayer = problem.NotFound("replay_withdrawn",
		"The player's account was deleted. Its replays are not served any more.")
	ErrReplayPurged = problem.Conflict("replay_purged", "The record's replay was deleted after the period for appeals.")
)

// Problems of a moderator's change. ErrReplayPurged is one of a restoration, too.
var (
	ErrAlreadyRemoved = problem.Conflict("already_removed", "The record was removed before.")
	ErrNotRemoved     = problem.Conflict("not_removed", "The record is not removed.")
	ErrAlreadyHidden  = problem.Conflict("already_hidden", "The player's records are hidden already.")
	ErrNotHidden      = problem.Conflict("not_hidden", "The player's records are not hidden.")
)
