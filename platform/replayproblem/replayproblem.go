// Package replayproblem has the problems of replay files, which the services of maps and of records both find.
package replayproblem

import (
	"cmp"

	"capzone.dev/platform/problem"
)

// The problems of a file.
var (
	Missing = problem.InvalidArgument("replay_missing", "Replay file is required").
		WithField("replayFile", "Replay file is required")
	Invalid = problem.Unprocessable("replay_invalid", "Invalid replay file format").
		WithField("replayFile", "Invalid replay file format")
	NotValidated = problem.Unprocessable("replay_not_validated", "Replay must be validated").
			WithField("replayFile", "Replay must be validated")
	Disagrees = problem.Unprocessable("replay_disagrees",
		"What the replay says of the map is not what its map data says.")
	NotYours            = problem.Forbidden("replay_not_yours", "This replay was recorded by another player.")
	MapDataMissing      = problem.Unprocessable("map_data_missing", "The replay does not hold the map's data.")
	FinishTimeMissing   = problem.Unprocessable("finish_time_missing", "The replay has no finish time.")
	TimestampUnreadable = problem.Unprocessable("timestamp_unreadable", "The replay's time stamp cannot be read.")
	// FromFuture says by how much the time stamp is ahead, and when the file is accepted.
	FromFuture = problem.Unprocessable("replay_from_future", "The replay's time stamp lies in the future.")
	TooOld     = problem.Unprocessable("replay_too_old", "The replay's time stamp is older than the game.")
)

// TooLarge returns the problem of a file of more than a number of bytes.
func TooLarge(most int64) *problem.Problem {
	message := "File too large. Maximum size is " + problem.FormatSize(most)
	return problem.TooLarge("replay_too_large", message).WithField("replayFile", message)
}

// Of returns the problem of a check of game/replaycheck that failed, one of the file or one of others, or nil for none.
func Of(failure string, others map[string]*problem.Problem) error {
	if p := cmp.Or(problems[failure], others[failure]); p != nil {
		return p
	}
	return nil
}

var problems = map[string]*problem.Problem{
	"not_validated":         NotValidated,
	"labels_disagree":       Disagrees,
	"map_data_missing":      MapDataMissing,
	"another_players":       NotYours,
	"finish_time_missing":   FinishTimeMissing,
	"between_frames":        Invalid,
	"time_stamp_unreadable": TimestampUnreadable,
	"time_stamp_ahead":      FromFuture,
	"time_stamp_too_old":    TooOld,
}
