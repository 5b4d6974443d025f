package parkourmap

import (
	"errors"
	"time"

	"capzone.dev/game/replaycheck"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/replayproblem"
)

// Errors of searching and reading.
var (
	ErrPlayerUnknown = event.ErrPlayerUnknown

	ErrMapUnknown         = event.ErrMapUnknown
	ErrImportedMapUnknown = problem.NotFound("listed_map_unknown",
		"There is no such map on the list of maps without a replay.")

	ErrModeUnknown = problem.InvalidArgument("mode_unknown", "There is no such game mode.")
	ErrSortUnknown = problem.InvalidArgument("sort_unknown",
		"Maps can be sorted by name, createdAt, recordCount, toNextMedal or myRank, asc or desc.").
		WithReason("map_sort_unknown")
	ErrProgressUnknown = problem.InvalidArgument("progress_unknown",
		"Maps can be filtered by unplayed, played, belowGold, belowAuthor, notFirst or near.")
	ErrProgressUnavailable = problem.Unavailable("progress_unavailable",
		"Your own times cannot be read at the moment. Please try again shortly, or search without them.").
		WithRetryAfter(2 * time.Second)
	ErrAfterInvalid = problem.InvalidArgument("after_invalid",
		"This is not the next of a page of the same search in the same order.").
		WithReason("search_after_invalid").
		WithField("after", "not_next", "must be pagination.next of the page before, without page")
	ErrTermTooLong = problem.InvalidArgument("term_too_long", "A name to search for has at most 100 characters.")
)

// Errors of the submitter and of the replay.
var (
	ErrSubmitterBanned = event.ErrPlayerBanned.WithMessage("submitter_banned", "You are banned from submitting.")

	ErrReplayMissing       = replayproblem.Missing
	ErrReplayTooLarge      = replayproblem.TooLarge(MaxReplaySize)
	ErrReplayInvalid       = replayproblem.Invalid
	ErrReplayNotValidated  = replayproblem.NotValidated
	ErrReplayDisagrees     = replayproblem.Disagrees
	ErrReplayNotYours      = replayproblem.NotYours
	ErrMapDataMissing      = replayproblem.MapDataMissing
	ErrFinishTimeMissing   = replayproblem.FinishTimeMissing
	ErrTimestampUnreadable = replayproblem.TimestampUnreadable
	ErrReplayFromFuture    = replayproblem.FromFuture
	ErrReplayTooOld        = replayproblem.TooOld
)

// failures are the problems of checks that are none of the file alone.
var failures = map[string]*problem.Problem{string(replaycheck.FinishAmbiguous): ErrFinishAmbiguous}

// problemOf returns the problem of the first of the named checks that failed, or nil.
func problemOf(checks replaycheck.List, names ...replaycheck.Name) error {
	return replayproblem.Of(string(checks.Failure(names...)), failures)
}

// Errors of the map in the replay.
var (
	ErrMapIDMissing     = problem.Unprocessable("map_id_missing", "The map has no id yet. Publish it in the game first.")
	ErrMapNameInvalid   = problem.Unprocessable("map_name_invalid", "The map's name is empty or not readable.")
	ErrMapAuthorInvalid = problem.Unprocessable("map_author_invalid",
		"The map's author is no account of the game: accounts have letters (A to Z), digits, spaces and signs such as _ and -.")
	ErrModeMissing = problem.Unprocessable("map_mode_missing",
		"Neither the map nor the replay says in which mode the map is played. Choose the mode.").
		WithField("gameMode", "mode_missing", "Choose the mode in which the map is played. A program sends it as gameMode in metadata.")
	ErrModeUnsupported = problem.Unprocessable("map_mode_unsupported", "The map is not made for a parkour mode.")
	ErrGameModeDiffers = problem.Unprocessable("game_mode_differs",
		"This replay was played in another mode than that of the leaderboard.")
	ErrMapNotSaved = problem.Unprocessable("map_not_saved",
		"This is an edit of another player's map that was not saved. Save the map in the game first.")
	ErrFinishMissing = problem.Unprocessable("map_finish_missing",
		"The map has no capture zone, so nobody can finish it.")
	ErrFinishAmbiguous = problem.Unprocessable("map_finish_ambiguous",
		"Some capture zones of the map are named cp… and some are not, "+
			"so that a replay could end at a middle zone. Name all of them so, or none.").WithReason("name_all_zones")
	ErrMapTooComplex = problem.Unprocessable("map_too_complex", "The map is too large to be drawn.")
	ErrMapExists     = problem.Conflict("map_exists", "This map was submitted before.")
	ErrMapRemoved    = problem.Conflict("map_removed", "This map was removed and cannot be submitted again.")
	ErrFinishExists  = problem.Conflict("replay_exists", "This finish was submitted before, as a record on an older version.").
				WithReason("finish_exists")
	ErrVersionsFull = problem.Conflict("map_versions_full",
		"This map has 100 versions, which is the most that are kept.")
	ErrNotAuthorValidator = problem.Forbidden("not_author_or_validator",
		"Only the map's author or a validator can submit this map.")
)

// Errors of the rest of a submission.
var (
	ErrImageMissing      = problem.InvalidArgument("image_missing", "Map image is required").About("mapImage")
	ErrMetadataMalformed = problem.InvalidArgument("metadata_malformed", "The metadata cannot be read.").
				WithField("metadata", "no_json", "This is not the JSON that was expected.")
	ErrMetadataRefused = problem.Unprocessable("metadata_refused", "Please fix the following errors")
	ErrMedalsNotAuthor = problem.Forbidden("medals_not_author", "Only the map's author can set medal times.")
)

// Errors of removing, restoring, unranking and correcting.
var (
	ErrAlreadyRemoved = problem.Conflict("already_removed", "The map was removed already.").
				WithReason("map_already_removed")
	ErrNotRemoved      = problem.Conflict("not_removed", "The map is not removed.").WithReason("map_not_removed")
	ErrAlreadyUnranked = problem.Conflict("already_unranked", "The map is unranked already.")
	ErrNotUnranked     = problem.Conflict("not_unranked", "The map is not unranked.")
	ErrAlreadyAuthor   = problem.Conflict("already_author", "The map has this author already.")
)

// Errors of editing.
var (
	ErrNothingToEdit = problem.InvalidArgument("nothing_to_change", "This changes nothing about the map.").
				WithReason("no_map_change")
	ErrMapChanged = problem.Conflict("map_changed",
		"The map was changed after you opened it. Please load it again and repeat your change.")
	ErrMedalsHeld = problem.Conflict("medals_held",
		"Another player holds one of the medals whose time would change, so these times stay.")
	ErrEditUnknown     = problem.NotFound("edit_unknown", "There is no such edit of this map.")
	ErrEditOverwritten = problem.Conflict("edit_overwritten",
		"The map is no longer as this edit left it: the edit was undone already, or a later edit changed the same "+
			"thing. Undo that one first.")
)

// ErrImportFileInvalid means that a file of maps cannot be imported.
var ErrImportFileInvalid = problem.Unprocessable("import_file_invalid", "The file cannot be imported.")

// ErrUndrawable means that a stored map cannot be drawn.
var ErrUndrawable = errors.New("the map cannot be drawn")
