package record

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Problems of reading.
var (
	ErrRecordUnknown = problem.NotFound("record_unknown", "There is no such record.")
	ErrMapUnknown    = event.ErrMapUnknown
	ErrMapRemoved    = problem.NotFound("map_gone", "This map was removed.")
	ErrSortUnknown   = problem.InvalidArgument("sort_unknown", "Records cannot be sorted like that.")
	// ErrPageTooDeep names the offset in its fields.
	ErrPageTooDeep = problem.InvalidArgument("page_too_deep",
		"The list of all records cannot be read that far down. Ask for a map or a player, or for the other end.")
)

// Problems of a replay, whichever player submits it.
var (
	ErrReplayMissing = problem.InvalidArgument("replay_missing", "Replay file is required").
				WithField("replayFile", "Replay file is required")
	ErrReplayTooLarge = problem.TooLarge("replay_too_large", "File too large. Maximum size is 1 MB").
				WithField("replayFile", "File too large. Maximum size is 1 MB")
	ErrReplayInvalid = problem.Unprocessable("replay_invalid", "Invalid replay file format").
				WithField("replayFile", "Invalid replay file format")
	ErrReplayNotValidated = problem.Unprocessable("replay_not_validated", "Replay must be validated").
				WithField("replayFile", "Replay must be validated")
	ErrReplayDisagrees = problem.Unprocessable("replay_disagrees",
		"What the replay says of the map is not what its map data says.")
	ErrMapDataMissing      = problem.Unprocessable("map_data_missing", "The replay does not hold the map's data.")
	ErrFinishTimeMissing   = problem.Unprocessable("finish_time_missing", "The replay has no finish time.")
	ErrTimestampUnreadable = problem.Unprocessable("timestamp_unreadable", "The replay's time stamp cannot be read.")
	ErrReplayFromFuture    = problem.Unprocessable("replay_from_future", "The replay's time stamp lies in the future.")
	ErrReplayTooOld        = problem.Unprocessable("replay_too_old", "The replay's time stamp is older than the game.")
)

// Problems of a record on this map, of this player.
var (
	ErrPlayerBanned      = event.ErrPlayerBanned.WithMessage("You are banned from submitting.")
	ErrReplayNotYours    = problem.Forbidden("replay_not_yours", "This replay was recorded by another player.")
	ErrWrongMap          = problem.Unprocessable("wrong_map", "This replay is not for the selected map")
	ErrMapVersionDiffers = problem.Unprocessable("map_version_differs",
		"This replay was made on another version of the map.")
	// ErrReplayExists and ErrReplayCopied carry the _id of the existing record.
	ErrReplayExists = problem.Conflict("replay_exists", "This replay was submitted before.")
	ErrReplayCopied = problem.Conflict("replay_copied", "Another player has submitted this record.")
)

// errMapFirst is ErrMapUnknown with the sentence for a player who submits a record.
var errMapFirst = ErrMapUnknown.WithMessage("This map is not on the site yet. It can be submitted first.")

// ErrPlayerUnknown is returned if no player has the id.
var ErrPlayerUnknown = event.ErrPlayerUnknown

// ErrPlayerMerged is returned for a record of a player who has been merged into another
// since the player was read.
var ErrPlayerMerged = problem.Conflict("player_merged", "This player was merged into another.")

// Problems of an operator's command.
var (
	ErrAlreadyRemoved = problem.Conflict("already_removed", "The record was removed before.")
	ErrReasonMissing  = problem.Unprocessable("reason_missing", "A reason is needed, of at most 500 characters.")
)
