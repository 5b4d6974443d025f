package event

import (
	"cmp"
	"fmt"
	"math"
	"time"
)

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
	FinishTimeStamp time.Time `json:"finishTimeStamp,omitzero"`
	PersonalBest    bool      `json:"personalBest"`
	WorldRecord     bool      `json:"worldRecord"`
	// Mode is the game mode of the map, as in MapState, empty where it is not known.
	Mode string `json:"mode,omitempty"`
	// Rank is the place on the leaderboard of a personal best, from 1, and zero for any other record.
	Rank int64 `json:"rank,omitempty"`
	// Overtook lists the players who lost a place among the first TopPlaces to this record, best first.
	Overtook []MovedPlayer `json:"overtook,omitempty"`
	// PreviousWorldRecord is the world record that this one has broken, nil where it has broken none. It may be one of the
	// same player. A record of an equal time breaks none, even where an earlier time stamp makes it the first row.
	PreviousWorldRecord *WorldRecord `json:"previousWorldRecord,omitempty"`
	At                  time.Time    `json:"at"`
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

// Validate returns an error for ids that are none, and for finish times and places that cannot be stored.
func (f RecordSubmitted) Validate() error {
	ids, numbers := []string{f.RecordID, f.MapID, f.PlayerID}, []int64{f.FinishTime}
	for _, moved := range f.Overtook {
		ids = append(ids, moved.PlayerID)
		numbers = append(numbers, moved.FinishTime, int64(moved.From), int64(moved.To))
	}
	if f.PreviousWorldRecord != nil {
		ids = append(ids, f.PreviousWorldRecord.PlayerID)
		numbers = append(numbers, f.PreviousWorldRecord.FinishTime)
	}
	return cmp.Or(validateIDs(ids...), validateNumbers(numbers...))
}

// RecordRemoved reports that a moderator or an operator removed a record. Published by records.
type RecordRemoved struct {
	RecordID   string `json:"recordId"`
	MapID      string `json:"mapId"`
	PlayerID   string `json:"playerId"`
	FinishTime int64  `json:"finishTime"` // milliseconds
	// FinishTimeStamp is when the map was finished, according to the replay, and CreatedAt when the record was accepted.
	FinishTimeStamp time.Time `json:"finishTimeStamp,omitzero"`
	CreatedAt       time.Time `json:"createdAt,omitzero"`
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

// Validate returns an error for ids that are none, and for finish times that cannot be stored.
func (f RecordRemoved) Validate() error {
	ids, numbers := []string{f.RecordID, f.MapID, f.PlayerID}, []int64{f.FinishTime}
	if f.WorldRecord != nil {
		ids = append(ids, f.WorldRecord.RecordID, f.WorldRecord.PlayerID)
		numbers = append(numbers, f.WorldRecord.FinishTime)
	}
	return cmp.Or(validateIDs(ids...), validateNumbers(numbers...))
}

// RecordRestored reports that a moderator or an operator restored a removed record. Published by records.
type RecordRestored RecordRemoved

// Subject implements Fact.
func (RecordRestored) Subject() string { return RecordRestoredSubject }

// Validate returns an error for ids that are none, and for finish times that cannot be stored.
func (f RecordRestored) Validate() error { return RecordRemoved(f).Validate() }

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

// Validate returns an error for ids that are none, and for finish times that cannot be stored.
func (f RecordsHidden) Validate() error {
	ids, numbers := []string{f.PlayerID}, []int64{}
	for _, w := range f.WorldRecords {
		ids = append(ids, w.MapID, w.RecordID, w.PlayerID)
		numbers = append(numbers, w.FinishTime)
	}
	return cmp.Or(validateIDs(ids...), validateNumbers(numbers...))
}

// RecordsShown reports that the records of a hidden player are shown again. Published by records.
type RecordsShown RecordsHidden

// Subject implements Fact.
func (RecordsShown) Subject() string { return RecordsShownSubject }

// Validate returns an error for ids that are none, and for finish times that cannot be stored.
func (f RecordsShown) Validate() error { return RecordsHidden(f).Validate() }

// MapCreated reports that a map, or a new version of one, was submitted, with a replay of its
// author or a validator. Published by maps; records imports the replay as the map's first record.
type MapCreated struct {
	MapID         string `json:"mapId"`
	SubmittedByID string `json:"submittedById"`
	// SupersededID is the id of the version that this one supersedes, empty for the first version of a map.
	SupersededID string `json:"supersededId,omitempty"`
	// ReplayKey is where the replay lies in the maps service's bucket, and
	// ReplayHash is the hexadecimal SHA-256 of its bytes.
	ReplayBucket    string    `json:"replayBucket"`
	ReplayKey       string    `json:"replayKey"`
	ReplayHash      string    `json:"replayHash"`
	FinishTime      int64     `json:"finishTime"` // milliseconds
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
}

// Subject implements Fact.
func (MapCreated) Subject() string { return MapCreatedSubject }

// Validate returns an error for ids that are none.
func (f MapCreated) Validate() error {
	if !IsID(f.MapID) || !IsID(f.SubmittedByID) || f.SupersededID != "" && !IsID(f.SupersededID) {
		return fmt.Errorf("it is of map %q after %q by player %q", f.MapID, f.SupersededID, f.SubmittedByID)
	}
	return nil
}

// MapUpdated reports that a map was submitted again with the same physics. Published by maps; records
// imports the replay as a record like any other.
type MapUpdated MapCreated

// Subject implements Fact.
func (MapUpdated) Subject() string { return MapUpdatedSubject }

// Validate returns an error for ids that are none.
func (f MapUpdated) Validate() error { return MapCreated(f).Validate() }

// MapRemoved reports that an operator removed a map. Published by maps.
type MapRemoved struct {
	MapID  string `json:"mapId"`
	Reason string `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (MapRemoved) Subject() string { return MapRemovedSubject }

// MapRestored reports that a removed map was restored. Published by maps.
type MapRestored MapRemoved

// Subject implements Fact.
func (MapRestored) Subject() string { return MapRestoredSubject }

// MapUnranked reports that the records on a map give no points any more. Published by maps.
type MapUnranked MapRemoved

// Subject implements Fact.
func (MapUnranked) Subject() string { return MapUnrankedSubject }

// MapRanked reports that an unranked map is ranked again. Published by maps.
type MapRanked MapRemoved

// Subject implements Fact.
func (MapRanked) Subject() string { return MapRankedSubject }

// MapEdited reports that the description, tags, picture or medal times of a map were changed without submitting it
// again. Published by maps.
type MapEdited struct {
	MapID    string `json:"mapId"`
	EditID   string `json:"editId"`
	EditorID string `json:"editorId"`
	// Undoes is the id of the edit that this one undoes, or empty, and Reason why it does.
	Undoes string `json:"undoes,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Subject implements Fact.
func (MapEdited) Subject() string { return MapEditedSubject }

// MapReassigned reports that an operator corrected a map's author. Published by maps.
type MapReassigned struct {
	MapID       string `json:"mapId"`
	OldAuthorID string `json:"oldAuthorId"`
	NewAuthorID string `json:"newAuthorId"`
	Reason      string `json:"reason"`
}

// Subject implements Fact.
func (MapReassigned) Subject() string { return MapReassignedSubject }

// PlayerRegistered reports that a player logged in for the first time. Published by players.
type PlayerRegistered struct {
	PlayerID string `json:"playerId"`
	// ClaimedPlaceholder is true when a placeholder became this player.
	ClaimedPlaceholder bool `json:"tookOver"`
}

// Subject implements Fact.
func (PlayerRegistered) Subject() string { return PlayerRegisteredSubject }

// PlayerBanned reports that a moderator or an operator banned a player. Published by players.
type PlayerBanned struct {
	PlayerID string `json:"playerId"`
	Reason   string `json:"reason"`
	// Until is when the ban ends by itself, and zero for a ban without an end.
	Until time.Time `json:"until,omitzero"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (PlayerBanned) Subject() string { return PlayerBannedSubject }

// PlayerUnbanned reports that a ban was lifted, or that its time is over. Published by players.
type PlayerUnbanned struct {
	PlayerID string `json:"playerId"`
	Reason   string `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty. Of a ban whose time is over it is the
	// decision that banned the player.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (PlayerUnbanned) Subject() string { return PlayerUnbannedSubject }

// PlayerMerged reports that an operator merged a player into another. Published by players.
type PlayerMerged struct {
	PlayerID string `json:"playerId"`
	IntoID   string `json:"intoId"`
	Reason   string `json:"reason"`
	// DecisionID is the moderators' decision that was carried out, or empty.
	DecisionID string `json:"decisionId,omitempty"`
}

// Subject implements Fact.
func (PlayerMerged) Subject() string { return PlayerMergedSubject }

// PlayerDeleted reports that a player's account was deleted. Published by players. The other services delete what they
// have of the player by the player's state.
type PlayerDeleted struct {
	PlayerID string `json:"playerId"`
	// Name is the name that the player has from now on.
	Name string `json:"name"`
}

// Subject implements Fact.
func (PlayerDeleted) Subject() string { return PlayerDeletedSubject }

// NotificationsAdded reports that players have new notifications in their inboxes. Published by notifications, in the
// transaction that adds them.
type NotificationsAdded struct {
	// PlayerIDs are at most MaxReceivers players.
	PlayerIDs []string  `json:"playerIds"`
	Kind      string    `json:"kind"`
	At        time.Time `json:"at"`
}

// MaxReceivers bounds NotificationsAdded. Of notifications for more players there are several facts.
const MaxReceivers = 500

// Subject implements Fact.
func (NotificationsAdded) Subject() string { return NotificationsAddedSubject }

// DecidedSubject is what a decision of the moderators is about.
type DecidedSubject struct {
	// Kind is record, map or player.
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// MapID is the map, or that of the record, and empty for a player.
	MapID string `json:"mapId,omitempty"`
}

func (s DecidedSubject) validate() error {
	if s.MapID != "" {
		return validateIDs(s.ID, s.MapID)
	}
	return validateIDs(s.ID)
}

// ModerationDecided reports that a decision of the moderators about a player is carried out. Published by moderation.
type ModerationDecided struct {
	DecisionID string `json:"decisionId"`
	// PlayerID is whom the decision concerns.
	PlayerID string         `json:"playerId"`
	Decided  DecidedSubject `json:"subject"`
	// Kind is what was decided, as the API names it.
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`
}

// Subject implements Fact.
func (ModerationDecided) Subject() string { return ModerationDecidedSubject }

// Validate returns an error for ids that are none.
func (f ModerationDecided) Validate() error {
	if err := validateIDs(f.DecisionID, f.PlayerID); err != nil {
		return err
	}
	return f.Decided.validate()
}

// ReportClosed reports that what players have reported is decided. Published by moderation.
type ReportClosed struct {
	DecisionID string `json:"decisionId"`
	// ReporterIDs are at most MaxReceivers players.
	ReporterIDs []string       `json:"reporterIds"`
	Decided     DecidedSubject `json:"subject"`
	// Confirmed is false where the reports were dismissed.
	Confirmed bool      `json:"confirmed"`
	At        time.Time `json:"at"`
}

// Subject implements Fact.
func (ReportClosed) Subject() string { return ReportClosedSubject }

// Validate returns an error for ids that are none.
func (f ReportClosed) Validate() error {
	if err := validateIDs(append([]string{f.DecisionID}, f.ReporterIDs...)...); err != nil {
		return err
	}
	return f.Decided.validate()
}

// AppealAnswered reports that a moderator has answered an appeal against a decision, or has asked back. Published by
// moderation.
type AppealAnswered struct {
	AppealID   string         `json:"appealId"`
	DecisionID string         `json:"decisionId"`
	PlayerID   string         `json:"playerId"`
	Decided    DecidedSubject `json:"subject"`
	Granted    bool           `json:"granted"`
	// QuestionID is the message with which a moderator has asked back, and the appeal is still open. It is empty for an
	// answer.
	QuestionID string    `json:"questionId,omitempty"`
	At         time.Time `json:"at"`
}

// Subject implements Fact.
func (AppealAnswered) Subject() string { return AppealAnsweredSubject }

// Validate returns an error for ids that are none.
func (f AppealAnswered) Validate() error {
	ids := []string{f.AppealID, f.DecisionID, f.PlayerID}
	if f.QuestionID != "" {
		ids = append(ids, f.QuestionID)
	}
	if err := validateIDs(ids...); err != nil {
		return err
	}
	return f.Decided.validate()
}

// TokenRevoked reports that a personal token is revoked. Published by auth, for the gateways, which stop accepting it.
type TokenRevoked struct {
	TokenID  string    `json:"tokenId"`
	PlayerID string    `json:"playerId"`
	At       time.Time `json:"at"`
}

// Subject implements Fact.
func (TokenRevoked) Subject() string { return TokenRevokedSubject }

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

// Validate returns an error for ids that are none, and for points that cannot be stored.
func (f PointsChanged) Validate() error {
	ids, numbers := []string{f.MapID}, []int64{}
	for _, c := range f.Changes {
		ids = append(ids, c.PlayerID, c.RecordID)
		numbers = append(numbers, c.Before, c.After)
	}
	return cmp.Or(validateIDs(ids...), validateNumbers(numbers...))
}

// RankingChanged reports that the points of players in all maps have changed. Published by records when it has computed
// them, not where all points are computed anew.
type RankingChanged struct {
	// Players have points, and are at most MaxRankedPlayers, those with the largest changes first.
	Players []RankedPlayer `json:"players"`
	// More counts the players that are left out.
	More int64     `json:"more"`
	At   time.Time `json:"at"`
}

// MaxRankedPlayers bounds RankingChanged.
const MaxRankedPlayers = 20

// RankedPlayer is a player in the ranking by points.
type RankedPlayer struct {
	PlayerID string `json:"playerId"`
	// Before and After are the points in all maps, in tenths. Before is 0 for a player who was not ranked.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	Rank   int64 `json:"rank"`
}

// Subject implements Fact.
func (RankingChanged) Subject() string { return RankingChangedSubject }

// validateIDs returns an error for the first of the ids that is none.
func validateIDs(ids ...string) error {
	for _, id := range ids {
		if !IsID(id) {
			return fmt.Errorf("%q is no id", id)
		}
	}
	return nil
}

// validateNumbers returns an error for the first of the numbers that is negative or does not fit into a column of
// integers.
func validateNumbers(numbers ...int64) error {
	for _, n := range numbers {
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("%d is no finish time, place or number of points", n)
		}
	}
	return nil
}
