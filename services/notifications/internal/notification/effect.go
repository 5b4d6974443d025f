package notification

import (
	"cmp"
	"time"

	"capzone.dev/platform/event"
)

// Effect is what a fact changes.
type Effect struct {
	Notifications []Notification
	// Causes says which causes of notifications were removed or restored: a record, and what a player holds on maps, under
	// the causes of OfHiding and OfShowing.
	Causes []Removal
	// Player says that the records of a player were hidden or shown. It may be nil.
	Player *Removal
	// PointsLost is what records have cost players.
	PointsLost []PointsLost
	// Sequence is the place of the fact in its stream, or 0 where none has caused the effect.
	Sequence uint64
	// At is when the fact was published.
	At time.Time
}

// IsEmpty reports whether the fact changes nothing.
func (e Effect) IsEmpty() bool {
	return len(e.Notifications) == 0 && len(e.Causes) == 0 && e.Player == nil && len(e.PointsLost) == 0
}

// PointsLost is what a record has cost a player whom it has passed, in tenths of points on the record's map.
type PointsLost struct {
	PlayerID, RecordID string
	Points             int64
	// At is when the points were computed.
	At time.Time
}

// Removal says what became of a cause of notifications, or of the records of a player.
type Removal struct {
	ID string
	// Removed is false after a restoration.
	Removed bool
	At      time.Time
}

// Audience is who may be told of a record, besides the players that its fact names.
type Audience struct {
	// AuthorID is the author of the map.
	AuthorID string
	// Passed are followers of the record's player whom the record has passed on the leaderboard.
	Passed []event.MovedPlayer
	// OfPlayer and OfMap are the followers of the record's player and of the map.
	OfPlayer, OfMap []string
}

// OfRecord returns the notifications of a submitted record: of each kind one for each player to whom it applies, the
// most important kind first. A receiver gets the first of them that is not switched off.
func OfRecord(fact event.RecordSubmitted, audience Audience) []Notification {
	type key struct {
		receiver string
		kind     Kind
	}
	seen := map[key]bool{}
	var notifications []Notification
	// passed is the receiver as a player whom the record has passed, or the zero value.
	add := func(receiver string, kind Kind, passed event.MovedPlayer) {
		if receiver == "" || receiver == fact.PlayerID || seen[key{receiver, kind}] {
			return
		}
		seen[key{receiver, kind}] = true
		n := Notification{
			ReceiverID: receiver, Kind: kind, CauseID: fact.RecordID, GroupID: fact.MapID, PlayerID: fact.PlayerID,
			MapID: fact.MapID, RecordID: fact.RecordID, FinishTime: fact.FinishTime, At: fact.At,
			OwnFinishTime: passed.FinishTime, From: passed.From, To: passed.To,
		}
		if kind == FollowedRecord {
			n.GroupID = fact.PlayerID
		}
		notifications = append(notifications, n)
	}
	if lost := fact.PreviousWorldRecord; lost != nil {
		var passed event.MovedPlayer
		for _, p := range fact.Overtook {
			if p.PlayerID == lost.PlayerID {
				passed = p
			}
		}
		passed.FinishTime = lost.FinishTime
		add(lost.PlayerID, RecordLost, passed)
	}
	for _, passed := range [][]event.MovedPlayer{fact.Overtook, audience.Passed} {
		for _, p := range passed {
			add(p.PlayerID, Passed, p)
		}
	}
	add(audience.AuthorID, RecordOnMyMap, event.MovedPlayer{})
	for _, follower := range audience.OfPlayer {
		add(follower, FollowedRecord, event.MovedPlayer{})
	}
	for _, follower := range audience.OfMap {
		add(follower, FollowedMapRecord, event.MovedPlayer{})
	}
	return notifications
}

// OfRemoval marks the notifications of a removed record, and tells the player who holds the world record of the map
// again, because the record that had broken it was removed.
func OfRemoval(fact event.RecordRemoved) Effect {
	effect := Effect{Causes: causesOfRecord(fact, true)}
	if w := fact.WorldRecord; w != nil && w.PlayerID != fact.PlayerID {
		effect.Notifications = []Notification{regained(fact.MapID, *w, fact.PlayerID, fact.RecordID, fact.At)}
	}
	return effect
}

// OfRestoration undoes OfRemoval, and tells the player whose world record the restored record has broken. Where it had
// broken it before, the player has the notification of that, which this one replaces.
func OfRestoration(fact event.RecordRestored) Effect {
	effect := Effect{Causes: causesOfRecord(event.RecordRemoved(fact), false)}
	if w := fact.WorldRecord; w != nil && w.PlayerID != fact.PlayerID {
		effect.Notifications = []Notification{{
			ReceiverID: w.PlayerID, Kind: RecordLost, CauseID: fact.RecordID, GroupID: fact.MapID,
			PlayerID: fact.PlayerID, MapID: fact.MapID, RecordID: fact.RecordID, FinishTime: fact.FinishTime, At: fact.At,
			OwnFinishTime: w.FinishTime,
		}}
	}
	return effect
}

// causesOfRecord returns the causes that the removal or restoration of a record removes or restores: the record, and
// where the world record of the map goes to or comes from another player, what the record's player holds on the map.
func causesOfRecord(fact event.RecordRemoved, removed bool) []Removal {
	causes := []Removal{{fact.RecordID, removed, fact.At}}
	if w := fact.WorldRecord; w != nil && w.PlayerID != fact.PlayerID {
		causes = append(causes, Removal{event.DerivedID(fact.PlayerID, fact.MapID), removed, fact.At})
	}
	return causes
}

// OfHiding marks the notifications of a hidden player's records and of what the player holds on the maps whose world
// records this changes, and tells the players who hold these again. The cause is the hidden player on that map.
func OfHiding(fact event.RecordsHidden) Effect {
	effect := Effect{Player: &Removal{fact.PlayerID, true, fact.At}}
	for _, w := range fact.WorldRecords {
		cause := event.DerivedID(fact.PlayerID, w.MapID)
		effect.Causes = append(effect.Causes, Removal{cause, true, fact.At})
		if w.PlayerID != fact.PlayerID {
			effect.Notifications = append(effect.Notifications, regained(w.MapID, w.WorldRecord, fact.PlayerID, cause, fact.At))
		}
	}
	return effect
}

func regained(mapID string, w event.WorldRecord, playerID, causeID string, at time.Time) Notification {
	return Notification{
		ReceiverID: w.PlayerID, Kind: RecordRegained, CauseID: causeID, GroupID: mapID, PlayerID: playerID,
		MapID: mapID, RecordID: w.RecordID, FinishTime: w.FinishTime, At: at,
	}
}

// OfShowing undoes OfHiding, and tells the players whose world records the player has broken again. It does not change
// the causes of maps on which the player's record was removed meanwhile.
func OfShowing(fact event.RecordsShown) Effect {
	effect := Effect{Player: &Removal{fact.PlayerID, false, fact.At}}
	for _, w := range fact.WorldRecords {
		cause := event.DerivedID(fact.PlayerID, w.MapID)
		effect.Causes = append(effect.Causes, Removal{cause, false, fact.At})
		if w.PlayerID != fact.PlayerID {
			effect.Notifications = append(effect.Notifications, Notification{
				ReceiverID: w.PlayerID, Kind: RecordLost, CauseID: cause, GroupID: w.MapID, PlayerID: fact.PlayerID,
				MapID: w.MapID, At: fact.At,
			})
		}
	}
	return effect
}

// OfDecision tells the player whom a decision of the moderators concerns.
func OfDecision(fact event.ModerationDecided) Effect {
	n := decided(fact.PlayerID, Moderated, fact.DecisionID, fact.Decided, fact.At)
	n.DecisionID, n.Decision, n.PublicReason = fact.DecisionID, fact.Kind, fact.PublicReason
	return Effect{Notifications: []Notification{n}}
}

// OfReports tells the players whose reports are decided.
func OfReports(fact event.ReportClosed) Effect {
	notifications := make([]Notification, len(fact.ReporterIDs))
	for i, reporter := range fact.ReporterIDs {
		n := decided(reporter, ReportDecided, fact.DecisionID, fact.Decided, fact.At)
		n.PlayerID, n.Decision, n.PublicReason = fact.Decided.PlayerID, fact.Kind, fact.PublicReason
		notifications[i] = n
	}
	return Effect{Notifications: notifications}
}

// OfAppeal tells the player whose appeal is answered, or who is asked back in it.
func OfAppeal(fact event.AppealAnswered) Effect {
	n := decided(fact.PlayerID, AppealAnswered, cmp.Or(fact.QuestionID, fact.AppealID), fact.Decided, fact.At)
	n.DecisionID, n.Appeal = fact.DecisionID, AppealKept
	switch {
	case fact.QuestionID != "":
		n.Appeal = AppealAsked
	case fact.Granted:
		n.Appeal = AppealGranted
	}
	return Effect{Notifications: []Notification{n}}
}

// decided returns a notification about a decision. It is grouped with others about the same thing.
func decided(receiver string, kind Kind, causeID string, about event.DecidedSubject, at time.Time) Notification {
	n := Notification{
		ReceiverID: receiver, Kind: kind, CauseID: causeID, GroupID: about.ID, MapID: about.MapID, At: at,
	}
	if about.Kind == "record" {
		n.RecordID = about.ID
	}
	return n
}

// OfPoints stores what records have cost players. It may come before the notifications of the records.
func OfPoints(fact event.PointsChanged) (effect Effect) {
	for _, c := range fact.Changes {
		if c.After < c.Before {
			effect.PointsLost = append(effect.PointsLost, PointsLost{c.PlayerID, c.RecordID, c.Before - c.After, fact.At})
		}
	}
	return effect
}

// OfVersion returns the notifications of a new version of a map, for those who follow the map and those who have a
// personal best on an older version. Its author and who submitted it know of it.
func OfVersion(fact event.MapCreated, version Map, at time.Time, followers, players []string) []Notification {
	seen := map[string]bool{fact.SubmittedByID: true, version.AuthorID: true}
	var notifications []Notification
	for _, receivers := range [][]string{followers, players} {
		for _, receiver := range receivers {
			if seen[receiver] {
				continue
			}
			seen[receiver] = true
			notifications = append(notifications, Notification{
				ReceiverID: receiver, Kind: MapNewVersion, CauseID: fact.MapID, GroupID: fact.MapID, MapID: fact.MapID, At: at,
			})
		}
	}
	return notifications
}
