package record

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Problems of reading.
var (
	ErrRecordUnknown = problem.NotFound("record_unknown", "There is no such record.")
	ErrMapUnknown    = event.ErrMapUnknown
	ErrPlayerUnknown = event.ErrPlayerUnknown
	ErrMapRemoved    = problem.NotFound("map_gone", "This map was removed.")
	ErrSortUnknown   = problem.InvalidArgument("sort_unknown", "Records cannot be sorted like that.")
	// ErrVerificationMissing is returned for a record from before checks were stored.
	ErrVerificationMissing = problem.NotFound("verification_missing",
		"This record was accepted before the site stored what it checks.")
	// ErrPageTooDeep names the offset in its fields.
	ErrPageTooDeep = problem.InvalidArgument("page_too_deep",
		"The list of all records cannot be read that far down. Ask for a map or a player, or for the other end.")
)

// ErrReplayTooLarge is returned for a replay that is too large. The other problems of replays are
// those of package event.
var ErrReplayTooLarge = problem.TooLarge("replay_too_large", "File too large. Maximum size is 1 MB").
	WithField("replayFile", "File too large. Maximum size is 1 MB")

// Problems of a record on this map, of this player.
var (
	ErrWrongMap          = problem.Unprocessable("wrong_map", "This replay is not for the selected map")
	ErrMapVersionDiffers = problem.Unprocessable("map_version_differs",
		"This replay was made on another version of the map.")
	ErrFinishAmbiguous = problem.Unprocessable("map_finish_ambiguous",
		"Some capture zones of the map in this replay are named cp… and some are not, so that it could have ended at a middle zone.")
	// ErrReplayExists and ErrReplayCopied carry the _id of the existing record.
	ErrReplayExists = problem.Conflict("replay_exists", "This replay was submitted before.")
	ErrReplayCopied = problem.Conflict("replay_copied", "Another player has submitted this record.")
)

// errMapFirst is ErrMapUnknown with the sentence for a player who submits a record.
var errMapFirst = ErrMapUnknown.WithMessage("This map is not on the site yet. It can be submitted first.")

// Problems of an operator's command.
var (
	ErrAlreadyRemoved = problem.Conflict("already_removed", "The record was removed before.")
	ErrNotRemoved     = problem.Conflict("not_removed", "The record is not removed.")
	ErrReplayPurged   = problem.Conflict("replay_purged", "The record's replay was deleted after the period for appeals.")
	ErrReasonMissing  = problem.Unprocessable("reason_missing", "A reason is needed, of at most 500 characters.")
)
