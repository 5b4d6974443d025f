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
)

// ErrSubmitterBanned is returned for a submission of a banned player.
var ErrSubmitterBanned = event.ErrPlayerBanned.WithMessage("submitter_banned", "You are banned from submitting.")

// ErrPlayerHidden is returned for a submission of a player whose records are hidden.
var ErrPlayerHidden = problem.Forbidden("player_hidden",
	"Your records are hidden at the moment, so you cannot submit new ones.")

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
var errMapNotSubmitted = ErrMapUnknown.WithMessage("map_not_submitted",
	"This map has no replay on the site yet. Its author or a validator can submit the map with one first.")

// Problems of reading a replay.
var (
	ErrReplayOfDeletedPlayer = problem.NotFound("replay_withdrawn",
		"The player's account was deleted. Its replays are not served any more.")
	ErrReplayPurged = problem.Conflict("replay_purged", "The record's replay was deleted after the period for appeals.")
)

// Problems of a moderator's change. ErrReplayPurged is one of a restoration, too.
var (
	ErrAlreadyRemoved = problem.Conflict("already_removed", "The record was removed before.").
				WithReason("record_already_removed")
	ErrNotRemoved    = problem.Conflict("not_removed", "The record is not removed.").WithReason("record_not_removed")
	ErrAlreadyHidden = problem.Conflict("already_hidden", "The player's records are hidden already.")
	ErrNotHidden     = problem.Conflict("not_hidden", "The player's records are not hidden.")
	// ErrPlayerBusy is returned where a player who is to be hidden or shown gets a record on another map at each attempt.
	ErrPlayerBusy = problem.Unavailable("player_busy", "This player is being changed. Please try again.").
			WithRetryAfter(time.Second)
)
