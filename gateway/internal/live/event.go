package live

import (
	"encoding/json"
	"fmt"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/publicevent"
)

// kindReset is the type of the event for a reader whose next events are not kept. gateway/api/openapi.yaml describes
// all events.
const kindReset publicevent.Kind = "reset"

// kindPosition is the type of the line that says up to which number a reader of application/x-ndjson has everything. In
// the other form that is a comment with an id.
const kindPosition = "position"

type resetData struct {
	Oldest uint64 `json:"oldest"`
}

// liveEvent is an event in both public forms, encoded once for all readers.
type liveEvent struct {
	publicevent.Event
	// id is the sequence of the fact.
	id uint64
	// sse is the event in the form text/event-stream, ndjson in the form application/x-ndjson.
	sse, ndjson []byte
}

// translate returns the public event of a fact, nil for a fact that is not public.
func translate(msg eventbus.StoredMsg) (*liveEvent, error) {
	var envelope event.Envelope
	if err := json.Unmarshal(msg.Data, &envelope); err != nil {
		return nil, err
	}
	e, err := publicevent.Translate(msg.Subject, envelope)
	if err != nil || e == nil {
		return nil, err
	}
	return encode(msg.Sequence, *e)
}

// encode returns an event in its forms. Its data must be a struct with fields.
func encode(id uint64, e publicevent.Event) (*liveEvent, error) {
	data, err := json.Marshal(e.Data)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", id, err)
	}
	e.Data = nil
	return &liveEvent{
		Event: e, id: id,
		sse:    fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", id, e.Kind, data),
		ndjson: fmt.Appendf(nil, "{\"type\":%q,\"id\":%d,%s\n", e.Kind, id, data[1:]),
	}, nil
}
