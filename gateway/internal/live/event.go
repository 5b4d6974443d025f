package live

import (
	"encoding/json"
	"fmt"
)

// kind is the type of an event in its public form.
type kind string

const (
	kindRecord           kind = "record"
	kindRecordRemoved    kind = "record.removed"
	kindRecordRestored   kind = "record.restored"
	kindRecordsHidden    kind = "records.hidden"
	kindRecordsShown     kind = "records.shown"
	kindMap              kind = "map"
	kindMapUpdated       kind = "map.updated"
	kindMapRemoved       kind = "map.removed"
	kindMapRestored      kind = "map.restored"
	kindPlayerRegistered kind = "player.registered"
	kindPlayerMerged     kind = "player.merged"
	kindPoints           kind = "points"
	kindPlayerDeleted    kind = "player.deleted"
	kindInbox            kind = "inbox"
	kindReset            kind = "reset"
)

// The public data of events. gateway/api/openapi.yaml describes them.
type (
	recordData struct {
		RecordID            string             `json:"recordId"`
		MapID               string             `json:"mapId"`
		PlayerID            string             `json:"playerId"`
		FinishTime          int64              `json:"finishTime"`
		FinishTimeStamp     *string            `json:"finishTimeStamp"`
		PersonalBest        bool               `json:"personalBest"`
		WorldRecord         bool               `json:"worldRecord"`
		Mode                *string            `json:"mode"`
		Rank                *int64             `json:"rank"`
		Overtook            []overtakenPlayer  `json:"overtook"`
		PreviousWorldRecord *brokenWorldRecord `json:"previousWorldRecord"`
		At                  string             `json:"at"`
	}
	overtakenPlayer struct {
		PlayerID string `json:"playerId"`
		From     int    `json:"from"`
		To       int    `json:"to"`
	}
	brokenWorldRecord struct {
		RecordID   string `json:"recordId"`
		PlayerID   string `json:"playerId"`
		FinishTime int64  `json:"finishTime"`
	}
	recordChangeData struct {
		RecordID        string  `json:"recordId"`
		MapID           string  `json:"mapId"`
		PlayerID        string  `json:"playerId"`
		FinishTime      int64   `json:"finishTime"`
		FinishTimeStamp *string `json:"finishTimeStamp"`
		CreatedAt       *string `json:"createdAt"`
		At              string  `json:"at"`
	}
	mapData struct {
		MapID string `json:"mapId"`
		At    string `json:"at"`
	}
	playerData struct {
		PlayerID string `json:"playerId"`
		At       string `json:"at"`
	}
	mergeData struct {
		PlayerID string `json:"playerId"`
		IntoID   string `json:"intoId"`
		At       string `json:"at"`
	}
	pointsData struct {
		Players []rankedPlayer `json:"players"`
		More    int64          `json:"more"`
		At      string         `json:"at"`
	}
	rankedPlayer struct {
		PlayerID string  `json:"playerId"`
		Points   float64 `json:"points"`
		Change   float64 `json:"change"`
		Rank     int64   `json:"rank"`
	}
	deletionData struct {
		PlayerID string `json:"playerId"`
		Name     string `json:"name"`
		At       string `json:"at"`
	}
	inboxData struct {
		Kind string `json:"kind"`
		At   string `json:"at"`
	}
	resetData struct {
		Oldest uint64 `json:"oldest"`
	}
)

// liveEvent is an event in both public forms, encoded once for all readers.
type liveEvent struct {
	content
	// id is the sequence of the fact.
	id uint64
	// sse is the event in the form text/event-stream, ndjson in the form application/x-ndjson.
	sse, ndjson []byte
}

// encode returns the event with a content. Its data must be a struct with fields.
func encode(id uint64, c content) (*liveEvent, error) {
	data, err := json.Marshal(c.data)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", id, err)
	}
	c.data = nil
	return &liveEvent{
		content: c, id: id,
		sse:    fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", id, c.kind, data),
		ndjson: fmt.Appendf(nil, "{\"type\":%q,\"id\":%d,%s\n", c.kind, id, data[1:]),
	}, nil
}
