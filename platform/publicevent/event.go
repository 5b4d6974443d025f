// Package publicevent translates facts, field by field, into the events that everybody may see. The gateway sends them
// as live events, and the notifications service to webhooks. What a translation does not name stays inside.
package publicevent

// Kind is the type of an event, as readers see it.
type Kind string

// The kinds of events.
const (
	KindRecord           Kind = "record"
	KindRecordRemoved    Kind = "record.removed"
	KindRecordRestored   Kind = "record.restored"
	KindRecordsHidden    Kind = "records.hidden"
	KindRecordsShown     Kind = "records.shown"
	KindMap              Kind = "map"
	KindMapUpdated       Kind = "map.updated"
	KindMapRemoved       Kind = "map.removed"
	KindMapRestored      Kind = "map.restored"
	KindPlayerRegistered Kind = "player.registered"
	KindPlayerMerged     Kind = "player.merged"
	KindPlayerDeleted    Kind = "player.deleted"
	KindPoints           Kind = "points"
	KindInbox            Kind = "inbox"
)

// The types of the data of events, which gateway/api/openapi.yaml describes.
type (
	// Record is a record that was submitted.
	Record struct {
		RecordID            string             `json:"recordId"`
		MapID               string             `json:"mapId"`
		PlayerID            string             `json:"playerId"`
		FinishTime          int64              `json:"finishTime"`
		FinishTimeStamp     string             `json:"finishTimeStamp"`
		PersonalBest        bool               `json:"personalBest"`
		WorldRecord         bool               `json:"worldRecord"`
		Mode                *string            `json:"mode"`
		Medal               *string            `json:"medal"`
		Rank                *int64             `json:"rank"`
		Overtook            []OvertakenPlayer  `json:"overtook"`
		PreviousWorldRecord *BrokenWorldRecord `json:"previousWorldRecord"`
		At                  string             `json:"at"`
	}
	// OvertakenPlayer is a player who lost a place to a record.
	OvertakenPlayer struct {
		PlayerID string `json:"playerId"`
		From     int    `json:"from"`
		To       int    `json:"to"`
	}
	// BrokenWorldRecord is the world record that a record has broken.
	BrokenWorldRecord struct {
		RecordID   string `json:"recordId"`
		PlayerID   string `json:"playerId"`
		FinishTime int64  `json:"finishTime"`
	}
	// RecordChange is a record that was removed or restored.
	RecordChange struct {
		RecordID        string `json:"recordId"`
		MapID           string `json:"mapId"`
		PlayerID        string `json:"playerId"`
		FinishTime      int64  `json:"finishTime"`
		FinishTimeStamp string `json:"finishTimeStamp"`
		CreatedAt       string `json:"createdAt"`
		At              string `json:"at"`
	}
	// Map is a map that was submitted or has changed.
	Map struct {
		MapID string `json:"mapId"`
		At    string `json:"at"`
	}
	// Player is a player of whom something has changed.
	Player struct {
		PlayerID string `json:"playerId"`
		At       string `json:"at"`
	}
	// Merge is a player who was merged into another.
	Merge struct {
		PlayerID string `json:"playerId"`
		IntoID   string `json:"intoId"`
		At       string `json:"at"`
	}
	// Deletion is a player who has deleted the account.
	Deletion struct {
		PlayerID string `json:"playerId"`
		Name     string `json:"name"`
		At       string `json:"at"`
	}
	// Points are the players whose points have changed.
	Points struct {
		Players []RankedPlayer `json:"players"`
		At      string         `json:"at"`
	}
	// RankedPlayer is a player in the ranking by points.
	RankedPlayer struct {
		PlayerID string  `json:"playerId"`
		Points   float64 `json:"points"`
		Change   float64 `json:"change"`
		// Rank is null for a player who is not ranked any more.
		Rank *int64 `json:"rank"`
	}
	// Inbox is a new notification of the receivers.
	Inbox struct {
		Kind string `json:"kind"`
		At   string `json:"at"`
	}
)

// Event is the public content of a fact.
type Event struct {
	Kind  Kind
	Types Types
	// Data is one of the types above.
	Data any
	// Maps and Players are the ids that Data names.
	Maps, Players []string
	Mode          string
	// Receivers are the only players for whom the event is, sorted. Empty where it is for everybody.
	Receivers []string
}
