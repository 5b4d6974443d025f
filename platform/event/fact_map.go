package event

import "time"

// MapCreated reports that a map, or a new version of one, was submitted, with a replay of its
// author or a validator. Published by maps; records makes the map's first record of the replay.
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

// MapUpdated reports that a map was submitted again with the same physics. Published by maps; records
// makes a record like any other of the replay.
type MapUpdated MapCreated

// Subject implements Fact.
func (MapUpdated) Subject() string { return MapUpdatedSubject }

// MapRemoved reports that a moderator or an operator removed a map. Published by maps.
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
