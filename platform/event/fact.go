package event

import "time"

// Subjects of facts.
const (
	RecordSubmittedSubject    = "facts.v1.record.submitted"
	RecordRemovedSubject      = "facts.v1.record.removed"
	RecordRestoredSubject     = "facts.v1.record.restored"
	RecordsHiddenSubject      = "facts.v1.record.hidden"
	RecordsShownSubject       = "facts.v1.record.shown"
	MapCreatedSubject         = "facts.v1.map.created"
	MapUpdatedSubject         = "facts.v1.map.updated"
	MapRemovedSubject         = "facts.v1.map.removed"
	MapRestoredSubject        = "facts.v1.map.restored"
	MapUnrankedSubject        = "facts.v1.map.unranked"
	MapRankedSubject          = "facts.v1.map.ranked"
	MapEditedSubject          = "facts.v1.map.edited"
	MapReassignedSubject      = "facts.v1.map.reassigned"
	PlayerRegisteredSubject   = "facts.v1.player.registered"
	PlayerBannedSubject       = "facts.v1.player.banned"
	PlayerUnbannedSubject     = "facts.v1.player.unbanned"
	PlayerMergedSubject       = "facts.v1.player.merged"
	PlayerDeletedSubject      = "facts.v1.player.deleted"
	CommandRefusedSubject     = "facts.v1.command.refused"
	AuditWrittenSubject       = "facts.v1.audit.written"
	NotificationsAddedSubject = "facts.v1.notifications.added"
	ModerationDecidedSubject  = "facts.v1.moderation.decided"
	ReportClosedSubject       = "facts.v1.report.closed"
	AppealAnsweredSubject     = "facts.v1.appeal.answered"
	TokenRevokedSubject       = "facts.v1.token.revoked"
	PointsChangedSubject      = "facts.v1.points.changed"
	RankingChangedSubject     = "facts.v1.ranking.changed"
)

// Facts has a fact of each type.
func Facts() []Fact {
	return []Fact{
		RecordSubmitted{}, RecordRemoved{}, RecordRestored{}, RecordsHidden{}, RecordsShown{},
		MapCreated{}, MapUpdated{}, MapRemoved{}, MapRestored{}, MapUnranked{}, MapRanked{},
		MapReassigned{}, MapEdited{},
		PlayerRegistered{}, PlayerBanned{}, PlayerUnbanned{}, PlayerMerged{}, PlayerDeleted{},
		CommandRefused{}, AuditWritten{}, NotificationsAdded{},
		ModerationDecided{}, ReportClosed{}, AppealAnswered{},
		TokenRevoked{},
		PointsChanged{}, RankingChanged{},
	}
}

// RecordSubmitted reports that a record was accepted. Published by records.
type RecordSubmitted struct {
	RecordID   string `json:"recordId"`
	MapID      string `json:"mapId"`
	PlayerID   string `json:"playerId"`
	FinishTime int64  `json:"finishTime"` // milliseconds
	// FinishTimeStamp is when the map was finished, according to the replay. It orders equal finish times.
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
	PersonalBest    bool      `json:"personalBest"`
	WorldRecord     bool      `json:"worldRecord"`
	// Mode is the game mode of the map, as in MapState, empty where it is not known.
	Mode string `json:"mode,omitempty"`
	// Medal is author, gold, silver or bronze, empty where the finish time earns none.
	Medal string `json:"medal,omitempty"`
	// Rank is the place on the leaderboard of a personal best, from 1, and zero for any other record.
	Rank int64 `json:"rank,omitempty"`
	// Overtook lists the players who lost a place among the first TopPlaces to this record, best first.
	Overtook []MovedPlayer `json:"overtook,omitempty"`
	// PreviousWorldRecord is the world record that this one has broken, nil where it has broken none. It may be one of the
	// same player. A record of an equal time breaks none, even where an earlier time stamp makes it the first row.
	PreviousWorldRecord *WorldRecord `json:"previousWorldRecord,omitempty"`
	// Inactive is true for a record of a hidden player or on a removed map, which is not public until that ends.
	Inactive bool      `json:"inactive,omitempty"`
	At       time.Time `json:"at"`
}

// TopPlaces is the number of places of a leaderboard whose changes facts tell player by player.
const TopPlaces = 10

// MovedPlayer is a player whose place on a leaderboard a change of another player's record has moved.
type MovedPlayer struct {
	PlayerID string `json:"playerId"`
	// RecordID is the player's personal best, with its FinishTime in milliseconds.
	RecordID   string `json:"recordId"`
	FinishTime int64  `json:"finishTime"`
	// From and To are the places before and after, from 1.
	From int `json:"from"`
	To   int `json:"to"`
}

// Subject implements Fact.
func (RecordSubmitted) Subject() string { return RecordSubmittedSubject }

// RecordRemoved reports that a moderator or an operator removed a record. Published by records.
type RecordRemoved struct {
	RecordID   string `json:"recordId"`
	MapID      string `json:"mapId"`
	PlayerID   string `json:"playerId"`
	FinishTime int64  `json:"finishTime"` // milliseconds
	// FinishTimeStamp is when the map was finished, according to the replay, and CreatedAt when the record was accepted.
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
	CreatedAt       time.Time `json:"createdAt"`
	// PersonalBest is true when the record was, or is again, the player's row on the leaderboard.
	PersonalBest bool `json:"personalBest"`
	// Moved lists the players who gained a place among the first TopPlaces by a removal, or lost one by a restoration,
	// best first.
	Moved []MovedPlayer `json:"moved,omitempty"`
	// WorldRecord is the world record that is in force again after the removal of the one that had broken it, or that a
	// restored world record has broken again. Nil where the change moved no world record.
	WorldRecord *WorldRecord `json:"worldRecord,omitempty"`
	Reason      string       `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string    `json:"decisionId,omitempty"`
	At         time.Time `json:"at"`
}

// Subject implements Fact.
func (RecordRemoved) Subject() string { return RecordRemovedSubject }

// RecordRestored reports that a moderator or an operator restored a removed record. Published by records.
type RecordRestored RecordRemoved

// Subject implements Fact.
func (RecordRestored) Subject() string { return RecordRestoredSubject }

// RecordsHidden reports that all records of a player were hidden. Published by records.
type RecordsHidden struct {
	PlayerID string `json:"playerId"`
	// WorldRecords lists, for at most MaxHiddenWorldRecords maps, the world records that are in force again while those
	// of the player are hidden, or that a shown player has broken again.
	WorldRecords []MapWorldRecord `json:"worldRecords,omitempty"`
	Reason       string           `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string    `json:"decisionId,omitempty"`
	At         time.Time `json:"at"`
}

// MaxHiddenWorldRecords bounds RecordsHidden, so that it fits into a message of NATS.
const MaxHiddenWorldRecords = 2000

// MapWorldRecord is the world record of a map.
type MapWorldRecord struct {
	MapID string `json:"mapId"`
	WorldRecord
}

// Subject implements Fact.
func (RecordsHidden) Subject() string { return RecordsHiddenSubject }

// RecordsShown reports that the records of a hidden player are shown again. Published by records.
type RecordsShown RecordsHidden

// Subject implements Fact.
func (RecordsShown) Subject() string { return RecordsShownSubject }

// PointsChanged reports the points that players have lost on a map since records have passed them. Published by records
// when it has computed the points of the map.
type PointsChanged struct {
	MapID string `json:"mapId"`
	// Changes are at most MaxPointsChanges. Of more there are several facts.
	Changes []PointsChange `json:"changes"`
	At      time.Time      `json:"at"`
}

// MaxPointsChanges bounds PointsChanged.
const MaxPointsChanges = 200

// PointsChange is a change of a player's points on a map.
type PointsChange struct {
	PlayerID string `json:"playerId"`
	// RecordID is the latest record that has passed the player since the points before were computed.
	RecordID string `json:"recordId"`
	// Before and After are tenths.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Subject implements Fact.
func (PointsChanged) Subject() string { return PointsChangedSubject }

// RankingChanged reports that the points of players in all maps have changed. Published by records when it has computed
// them, for each player whose points are others than before: the last fact of a player has the points.
type RankingChanged struct {
	// Players are at most MaxRankedPlayers.
	Players []RankedPlayer `json:"players"`
	At      time.Time      `json:"at"`
}

// MaxRankedPlayers bounds RankingChanged.
const MaxRankedPlayers = 100

// RankedPlayer is a player in the ranking by points.
type RankedPlayer struct {
	PlayerID string `json:"playerId"`
	// Before and After are the points in all maps, in tenths. They are 0 for a player who was not ranked, or is not ranked
	// any more.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	// Rank is 0 for a player who is not ranked any more.
	Rank int64 `json:"rank"`
}

// Subject implements Fact.
func (RankingChanged) Subject() string { return RankingChangedSubject }
