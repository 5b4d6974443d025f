package notification

import (
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
)

// Problems of follows.
var (
	ErrPlayerUnknown = event.ErrPlayerUnknown
	ErrMapUnknown    = event.ErrMapUnknown
	ErrMapRemoved    = event.ErrMapRemoved
	ErrFollowSelf    = problem.Unprocessable("follow_self", "You cannot follow yourself.")
	ErrFollowsFull   = problem.Unprocessable("follows_full",
		"You follow 500 already. Unfollow one that you no longer need first.")
)

// Problems of the inbox.
var (
	ErrUnknown       = problem.NotFound("notification_unknown", "There is no such notification.")
	ErrReadAmbiguous = problem.InvalidArgument("read_ambiguous",
		"Either everything through a notification is marked as read, or one group.")
	ErrSettingsMalformed = problem.InvalidArgument("settings_malformed", "There is no such setting.")
)
