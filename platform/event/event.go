// Package event is the catalogue of everything that crosses a service boundary
// over NATS: each subject, each payload, and which stream keeps it.
//
// There are five kinds of message:
//
//   - State: what other services need of one entity, with its version, or
//     a tombstone, on state.v1.<kind>.<id>. The stream STATE keeps the last
//     message of each subject, so that a copy can be rebuilt from it alone.
//     Copies compare versions.
//   - Fact: something that happened, on facts.v1.<what>. The stream FACTS keeps
//     it for 30 days. A consumer stores the message's id in the
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

	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
)

// InMillis returns a time in UTC, to the millisecond, as events and answers have it.
func InMillis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Later returns the time of a change of an entity, or a millisecond after that of the change before where it is not
// later: changes wait for each other after each has taken its time.
func Later(at, before time.Time) time.Time {
	if at.After(before) {
		return at
	}
	return before.Add(time.Millisecond)
}

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

// Envelope is what is published on STATE, FACTS and COMMANDS.
type Envelope struct {
	// ID is unique to the message (UUIDv7) and also its Nats-Msg-Id.
	ID string `json:"id"`
	// Version is the entity's version for a state, 0 for a fact or a command.
	Version int64           `json:"version,omitempty"`
	At      time.Time       `json:"at"`
	Data    json.RawMessage `json:"data"`
	// Sequence is the place of a delivered message in its stream. It is not part of the message.
	Sequence uint64 `json:"-"`
}

// Decode reads the payload of an envelope.
func Decode[T any](e Envelope) (T, error) {
	var v T
	if err := json.Unmarshal(e.Data, &v); err != nil {
		return v, fmt.Errorf("payload of message %s: %w", e.ID, err)
	}
	return v, nil
}

// NewID returns an id for a new entity, a UUIDv7.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// IsID reports whether text is a UUID in its usual form of 36 characters, the form of every entity's id. PostgreSQL
// would also accept some other forms and fail on the rest, so ids are checked before a query or a request.
func IsID(text string) bool { return len(text) == 36 && uuid.Validate(text) == nil }

// DerivedID returns the id of what has none of its own. It is the same for the same name below an entity's id.
func DerivedID(id, name string) string {
	parsed, err := uuid.Parse(id)
	if err != nil {
		parsed = uuid.Nil
	}
	return uuid.NewSHA1(parsed, []byte(name)).String()
}

// The problems with which programs answer each other's requests. Services also return them to their own
// callers, so that a code means the same everywhere. A service may return a copy with another sentence.
var (
	ErrPlayerUnknown = problem.NotFound("player_unknown", "There is no such player.")
	ErrPlayerBanned  = problem.Forbidden("player_banned", "This player is banned.")
	ErrSessionEnded  = problem.Unauthenticated("session_ended", "You have logged out. Please log in again.")
	ErrPlayerMerged  = problem.Conflict("player_merged", "This player was merged into another.")
	ErrMapUnknown    = problem.NotFound("map_unknown", "There is no such map.")
	ErrMapRemoved    = problem.NotFound("map_gone", "This map was removed.")
)

// Subject prefixes of states. The entity's id follows.
const (
	PlayerStatePrefix = "state.v1.player."
	MapStatePrefix    = "state.v1.map."
	MapStatsPrefix    = "state.v1.mapstats."
	PlayerStatsPrefix = "state.v1.playerstats."
)

// Ban is what a banned player is told of the ban.
type Ban struct {
	// Until is when the ban ends by itself, and zero for a ban without an end.
	Until time.Time `json:"until,omitzero"`
	// PublicReason and DecisionID are those of the moderators' decision, and empty for a ban by an operator.
	PublicReason access.PublicReason `json:"publicReason,omitempty"`
	DecisionID   string              `json:"decisionId,omitempty"`
}

// PlayerState is what other services need of a player. Owned by players.
type PlayerState struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
	// Removed marks a tombstone: only ID, Version and MergedInto count.
	Removed bool `json:"removed,omitempty"`
	// MergedInto is set on the tombstone of a player who was merged into another: the id of the other, who may have been
	// merged again.
	MergedInto string `json:"mergedInto,omitempty"`
	Name       string `json:"name"`
	// FormerNames are those of players who were merged into this one, until another account logs in under them.
	FormerNames []string `json:"formerNames,omitempty"`
	Level       int      `json:"level"`
	// SkinImageURL is the path of the avatar image, empty when there is none.
	SkinImageURL string `json:"skinImageUrl,omitempty"`
	// SkinColor is the base colour of the game skin as #rrggbb, empty when unknown.
	SkinColor string   `json:"skinColor,omitempty"`
	Roles     []string `json:"roles"`
	// Registered is false for a placeholder: a map's author who has never logged in.
	Registered bool `json:"registered"`
	Banned     bool `json:"banned,omitempty"`
	// Ban is what a banned player is told of the ban, and nil for others.
	Ban *Ban `json:"ban,omitempty"`
	// Deleted is true for a player whose account was deleted: the name says so, records and maps stay, and everything else
	// that belongs to the player is deleted.
	Deleted   bool      `json:"deleted,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Subject implements State.
func (s PlayerState) Subject() string { return PlayerStatePrefix + s.ID }

// StateVersion implements State.
func (s PlayerState) StateVersion() int64 { return s.Version }

// Identity implements access.Account.
func (s PlayerState) Identity() (id, name string) { return s.ID, s.Name }

// Rights implements access.Account.
func (s PlayerState) Rights() (roles []string, banned, deleted bool) {
	return s.Roles, s.Banned, s.Deleted
}

// Medals are the finish times that earn a medal, in milliseconds.
type Medals struct {
	Author int `json:"author"`
	Gold   int `json:"gold"`
	Silver int `json:"silver"`
	Bronze int `json:"bronze"`
}

// MapState is what other services need of a map. Owned by maps.
type MapState struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
	// Removed marks a tombstone: only ID and Version count.
	Removed bool   `json:"removed,omitempty"`
	Name    string `json:"name"`
	// GameMapID is the game's own id of the map.
	GameMapID int64 `json:"bonkDbId"`
	// GameMode is a display name: Classic, Grapple, VTOL, Arrows, Death Arrows, Simple.
	GameMode string `json:"gameMode"`
	AuthorID string `json:"authorId"`
	// SubmittedByID is the player who submitted the map: the author or a validator.
	SubmittedByID string `json:"submittedById"`
	// Fingerprint is the hexadecimal hash of everything in the map that affects physics.
	Fingerprint string `json:"fingerprint"`
	// MapVersion counts the versions of a map of the game from 1, and is 0 in a tombstone.
	MapVersion int `json:"mapVersion,omitempty"`
	// Superseded is true while a newer version exists: searches and totals leave this one out.
	Superseded bool `json:"superseded,omitempty"`
	// Unranked is true for a map that moderators have unranked: its records give no points.
	Unranked bool `json:"unranked,omitempty"`
	// UnrankedReason is the public reason of the decision that unranked the map, and empty where an operator has.
	UnrankedReason string `json:"unrankedReason,omitempty"`
	// PictureKey is the drawing of the map, WebP of 1200×630 pixels, in PictureBucket of the maps service. Both are
	// empty where the map is not drawn yet.
	PictureBucket string `json:"pictureBucket,omitempty"`
	PictureKey    string `json:"pictureKey,omitempty"`
	// Medals is nil when the author has not set any.
	Medals    *Medals   `json:"medals,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Subject implements State.
func (s MapState) Subject() string { return MapStatePrefix + s.ID }

// StateVersion implements State.
func (s MapState) StateVersion() int64 { return s.Version }

// MapStats are the totals of one map, absolute. Owned by records.
type MapStats struct {
	MapID   string `json:"mapId"`
	Version int64  `json:"version"`
	// Records is the number of records that are not removed.
	Records int64 `json:"records"`
	// WorldRecord is nil on a map without records.
	WorldRecord *WorldRecord `json:"worldRecord,omitempty"`
}

// WorldRecord is the fastest record of a map that is not removed; of equally fast ones the one that was accepted first.
type WorldRecord struct {
	RecordID   string `json:"recordId"`
	PlayerID   string `json:"playerId"`
	FinishTime int64  `json:"finishTime"` // milliseconds
	// At is when it became the world record.
	At time.Time `json:"at"`
}

// Subject implements State.
func (s MapStats) Subject() string { return MapStatsPrefix + s.MapID }

// StateVersion implements State.
func (s MapStats) StateVersion() int64 { return s.Version }

// PlayerStats are the totals of one player, absolute. Owned by records.
type PlayerStats struct {
	PlayerID string `json:"playerId"`
	Version  int64  `json:"version"`
	// Records is the number of records that are not removed.
	Records int64 `json:"records"`
}

// Subject implements State.
func (s PlayerStats) Subject() string { return PlayerStatsPrefix + s.PlayerID }

// StateVersion implements State.
func (s PlayerStats) StateVersion() int64 { return s.Version }
