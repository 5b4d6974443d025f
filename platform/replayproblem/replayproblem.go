// Package replayproblem has the problems of replay files, which the services of maps and of records both find.
package replayproblem

import (
	"cmp"
	"time"

	"capzone.dev/platform/problem"
)

// The problems of a file.
var (
	Missing      = problem.InvalidArgument("replay_missing", "Replay file is required").About("replayFile")
	Invalid      = problem.Unprocessable("replay_invalid", "Invalid replay file format").About("replayFile")
	NotValidated = problem.Unprocessable("replay_not_validated", "Replay must be validated").About("replayFile")
	Disagrees    = problem.Unprocessable("replay_disagrees",
		"The labels of the replay do not agree with its map data.")
	NotYours            = problem.Forbidden("replay_not_yours", "This replay was recorded by another player.")
	MapDataMissing      = problem.Unprocessable("map_data_missing", "The replay does not hold the map's data.")
	FinishTimeMissing   = problem.Unprocessable("finish_time_missing", "The replay has no finish time.")
	TimestampUnreadable = problem.Unprocessable("timestamp_unreadable", "The replay's time stamp cannot be read.")
	// FromFuture says with Ahead by how much the time stamp is ahead, and when the file is accepted.
	FromFuture = problem.Unprocessable("replay_from_future", "The replay's time stamp is in the future.")
	TooOld     = problem.Unprocessable("replay_too_old", "The replay's time stamp is older than the game.")
)

// TooLarge returns the problem of a file of more than a number of bytes.
func TooLarge(most int64) *problem.Problem {
	return problem.TooLarge("replay_too_large", "File too large. Maximum size is {size}").About("replayFile").
		WithData("size", problem.FormatSize(most))
}

// The same for each unit, because the plural rules of languages differ.
var (
	errDaysAhead = FromFuture.WithMessage("replay_days_ahead",
		"The replay's time stamp is {ahead} days in the future: the server's time is {now}. The clock of the computer "+
			"that recorded it is ahead. The same file will be accepted from {accepted} on.")
	errHoursAhead = FromFuture.WithMessage("replay_hours_ahead",
		"The replay's time stamp is {ahead} hours in the future: the server's time is {now}. The clock of the computer "+
			"that recorded it is ahead. The same file will be accepted from {accepted} on.")
	errMinutesAhead = FromFuture.WithMessage("replay_minutes_ahead",
		"The replay's time stamp is {ahead} minutes in the future: the server's time is {now}. The clock of the computer "+
			"that recorded it is ahead. The same file will be accepted from {accepted} on.")
)

// Ahead returns FromFuture with the largest unit of more than a minute by which a time stamp is
// ahead, and with the time from which the same file is accepted.
func Ahead(now, accepted time.Time, ahead time.Duration) error {
	refused, unit := errMinutesAhead, time.Minute
	switch {
	case ahead >= 48*time.Hour:
		refused, unit = errDaysAhead, 24*time.Hour
	case ahead >= 2*time.Hour:
		refused, unit = errHoursAhead, time.Hour
	}
	const layout = "2006-01-02 15:04:05 UTC"
	return refused.WithData("ahead", int(ahead/unit)).WithData("now", now.UTC().Format(layout)).
		WithData("accepted", accepted.UTC().Format(layout))
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
