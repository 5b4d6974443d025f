// Package notification is the domain of notifications: whom and what players follow, who is told of a change, and
// what is in an inbox.
//
// A notification tells one player of one change. There is one of a kind for a receiver and a cause. Players are
// never told of what they did themselves, and a player is told of a record once, by the most important kind that
// the player has not switched off.
//
// The package knows nothing of HTTP, SQL or NATS. Each use case declares the interfaces that it needs.
package notification

import (
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
)

// Kind says what a notification is about, as the API names it.
type Kind string

// The kinds, in the order in which settings list them. A player is told of a record by the first kind that applies and
// is not switched off.
const (
	RecordLost        Kind = "record_lost"
	RecordRegained    Kind = "record_regained"
	Passed            Kind = "passed"
	RecordOnMyMap     Kind = "record_on_my_map"
	FollowedRecord    Kind = "followed_record"
	FollowedMapRecord Kind = "followed_map_record"
	MapNewVersion     Kind = "map_new_version"
	// ReportDecided, Moderated and AppealAnswered are about decisions of the moderators.
	ReportDecided  Kind = "report_decided"
	Moderated      Kind = "moderated"
	AppealAnswered Kind = "appeal_answered"
	// WebhookOff says that a webhook of the receiver was switched off.
	WebhookOff Kind = "webhook_off"
)

// Kinds lists every kind.
var Kinds = []Kind{
	RecordLost, RecordRegained, Passed, RecordOnMyMap, FollowedRecord, FollowedMapRecord, MapNewVersion, ReportDecided,
	Moderated, AppealAnswered, WebhookOff,
}

// Notification is one player's notification of one change.
type Notification struct {
	ReceiverID string
	Kind       Kind
	// CauseID is the record, the version of a map, the decision, or the appeal or question in it that caused it.
	CauseID string
	// GroupID is what notifications of a kind are grouped by: the map, or the player of a FollowedRecord.
	GroupID string
	// PlayerID is whose record it is, and of ReportDecided whom the decision concerns. It is empty where no record caused
	// the notification.
	PlayerID string
	MapID    string
	// RecordID and FinishTime, in milliseconds, are zero values where there is no record.
	RecordID   string
	FinishTime int64
	// OwnFinishTime is the receiver's time that the record has passed, in milliseconds, or 0.
	OwnFinishTime int64
	// DecisionID is the decision about the receiver, and empty for other kinds than Moderated and AppealAnswered.
	DecisionID string
	Outcome
	// From and To are the receiver's places on the leaderboard, from 1, or 0.
	From, To int
	// At is when the change was made.
	At time.Time
}

// Outcome is what the moderators have decided, as the API names it. Empty fields are of other kinds.
type Outcome struct {
	// Decision and PublicReason are of ReportDecided and Moderated.
	Decision, PublicReason string
	// Appeal is of AppealAnswered.
	Appeal AppealOutcome
}

// AppealOutcome is what became of an appeal, as the API names it.
type AppealOutcome string

// The outcomes of appeals.
const (
	AppealGranted AppealOutcome = "granted"
	AppealKept    AppealOutcome = "kept"
	AppealAsked   AppealOutcome = "asked"
)

// Player is the copy of a player.
type Player = event.PlayerState

// Map is the copy of a version of a map.
type Map = event.MapState

// Players finds players by id.
type Players = *lookup.Lookup[Player]

// Maps finds versions of maps by id.
type Maps = *lookup.Lookup[Map]
