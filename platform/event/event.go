// Package event is the catalogue of everything that crosses a service boundary
// over NATS: each subject, each payload, and which stream keeps it.
//
// There are five kinds of message:
//
//   - State: what other services need of one entity, with its version, or
//     a tombstone, on state.v1.<kind>.<id>. The stream STATE keeps the last
//     message of each subject, so that a copy can be rebuilt from it alone.
//     Copies compare versions and need no inbox.
//   - Fact: something that happened, on facts.v1.<what>. The stream FACTS keeps
//     it for 30 days. A consumer writes the message's id to its inbox in the
//     transaction of the effect.
//   - Command: a decision of the moderators for the owner of an entity, on
//     commands.v1.<service>.<verb>. The stream COMMANDS keeps it until it was
//     carried out or refused.
//   - RoomReport: what a verification bot saw, on room.v1.event.<room>. The
//     stream ROOMS keeps it for 10 minutes.
//   - Requests and their replies, over core NATS: room.v1.open and
//     room.v1.bot.<bot>.* to bots, rpc.v1.<service>.* between services.
//
// All payloads are JSON. Unknown fields are ignored, so that fields may be added; a changed meaning needs a new
// version in the subject. Names, times (RFC 3339, UTC) and durations (whole milliseconds) are as in the HTTP
// API. docs/events.md describes the catalogue, and a test compares the two.
package event

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"capzone.dev/platform/problem"
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

// IsID reports whether text is a UUID in its usual form of 36 characters, the form of every entity's id. PostgreSQL
// would also accept some other forms and fail on the rest, so ids are checked before a query or a request.
func IsID(text string) bool { return len(text) == 36 && uuid.Validate(text) == nil }

// The problems with which programs answer each other's requests. Services also return them to their own
// callers, so that a code means the same everywhere. A service may return a copy with another sentence.
var (
	ErrPlayerUnknown = problem.NotFound("player_unknown", "There is no such player.")
	ErrPlayerBanned  = problem.Forbidden("player_banned", "This player is banned.")
	ErrPlayerMerged  = problem.Conflict("player_merged", "This player was merged into another.")
	ErrMapUnknown    = problem.NotFound("map_unknown", "There is no such map.")
)
