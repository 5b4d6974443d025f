package event

import (
	"encoding/json"
	"fmt"
	"time"
)

// State is the current state of one entity, as far as other services need it. A copy
// applies it if its version is higher than the copy's.
type State interface {
	// Subject is where the state is published: state.v1.<kind>.<id>.
	Subject() string
	// StateVersion is the entity's version, raised by one at each change.
	StateVersion() int64
}

// Fact is something that happened, once.
type Fact interface {
	// Subject is where the fact is published: facts.v1.<what>.
	Subject() string
}

// Envelope is what is published on STATE and FACTS.
type Envelope struct {
	// ID is unique to the message (UUIDv7) and also its Nats-Msg-Id.
	ID string `json:"id"`
	// Version is the entity's version for a state, 0 for a fact.
	Version int64           `json:"version,omitempty"`
	At      time.Time       `json:"at"`
	Data    json.RawMessage `json:"data"`
}

// Decode reads the payload of an envelope.
func Decode[T any](e Envelope) (T, error) {
	var v T
	if err := json.Unmarshal(e.Data, &v); err != nil {
		return v, fmt.Errorf("payload of message %s: %w", e.ID, err)
	}
	return v, nil
}
