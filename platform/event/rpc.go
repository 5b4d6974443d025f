package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"capzone.dev/platform/access"
)

// Subjects of requests between services. The gateway never routes them.
const (
	EnsurePlayerSubject   = "rpc.v1.players.ensure"
	RegisterPlayerSubject = "rpc.v1.players.register"
	GetPlayerSubject      = "rpc.v1.players.get"
	GetMapSubject         = "rpc.v1.maps.get"
	FindFinishSubject     = "rpc.v1.records.find-finish"
	FindPlayedSubject     = "rpc.v1.records.find-played"
	FindPassedSubject     = "rpc.v1.records.find-passed"
	ListPlayersSubject    = "rpc.v1.records.list-players"
	GetPointsSubject      = "rpc.v1.records.get-points"
	CountMedalsSubject    = "rpc.v1.records.count-medals"
	InspectRecordSubject  = "rpc.v1.records.inspect"
	ListFollowedSubject   = "rpc.v1.notifications.list-followed"
	ExchangeTokenSubject  = "rpc.v1.auth.exchange-token"
	CheckSessionSubject   = "rpc.v1.auth.check-session"
)

// EnsurePlayer asks for the player of a name, made as a placeholder where
// unknown. Idempotent. Answered with PlayerState.
type EnsurePlayer struct {
	Name string `json:"name"`
}

// RegisterPlayer registers the owner of a game account after a verified login. It creates the player, or turns the
// placeholder of that name into one. Answered with PlayerState; a banned player is refused with player_banned.
type RegisterPlayer struct {
	Name  string `json:"name"`
	Level int    `json:"level"`
	// Skin is the game's avatar as seen in the room, at most 16 KiB.
	Skin json.RawMessage `json:"skin,omitempty"`
}

// GetPlayer asks for a player by id. Answered with PlayerState or player_unknown.
type GetPlayer struct {
	ID string `json:"id"`
}

// GetMap asks for a map by its id or, where ID is empty, by the game's id.
// Answered with MapState or map_unknown; a removed map is answered as its tombstone.
type GetMap struct {
	ID        string `json:"id,omitempty"`
	GameMapID int64  `json:"bonkDbId,omitempty"`
	// Fingerprint selects one of the versions that have GameMapID. Where it is empty, or where no version has it, the
	// answer is the newest version that is not removed, or else the newest one.
	Fingerprint string `json:"fingerprint,omitempty"`
}

// FindFinish asks for the record of a finish on any version of a game map, removed or not. Answered with
// FoundFinish.
type FindFinish struct {
	GameMapID       int64     `json:"gameMapId"`
	FinishTime      int64     `json:"finishTime"` // milliseconds
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
}

// FoundFinish answers FindFinish. RecordID is empty where there is no such record.
type FoundFinish struct {
	RecordID string `json:"recordId,omitempty"`
}

// ProgressFilter selects maps by the personal best of a player, as the API names it. All but Unplayed need one.
type ProgressFilter string

// The filters of maps by progress.
const (
	Unplayed ProgressFilter = "unplayed"
	Played   ProgressFilter = "played"
	// BelowGold and BelowAuthor are slower than the medal.
	BelowGold   ProgressFilter = "belowGold"
	BelowAuthor ProgressFilter = "belowAuthor"
	// NotFirst is not rank 1 of the leaderboard.
	NotFirst ProgressFilter = "notFirst"
	// Near is at most 3 % slower than the next medal.
	Near ProgressFilter = "near"
)

// ProgressOrder is what maps are sorted by that a player has played.
type ProgressOrder string

// The orders of maps by progress, best first.
const (
	// ByNextMedal sorts by the milliseconds that are missing to the next medal.
	ByNextMedal ProgressOrder = "toNextMedal"
	// ByRank sorts by the rank of the personal best.
	ByRank ProgressOrder = "myRank"
)

// FindPlayed asks for the maps on which a player has a personal best. Answered with PlayedMaps, with player_unknown, or
// with too_many_played where there are more than MaxPlayedMaps.
type FindPlayed struct {
	PlayerID string `json:"playerId"`
	// Filter selects some of them, any but Unplayed. Empty for all.
	Filter ProgressFilter `json:"filter,omitempty"`
	// Order is empty where it does not matter.
	Order      ProgressOrder `json:"order,omitempty"`
	Descending bool          `json:"descending,omitempty"`
}

// MaxPlayedMaps is the largest number of personal bests of a player of whom FindPlayed is answered. So many ids fit
// into a message of NATS, which has at most a MiB.
const MaxPlayedMaps = 40_000

// PlayedMaps answers FindPlayed, also with maps that have a newer version. An order leaves out those without a value in
// it, which are those without a better medal. Equal ones come in the order of their ids.
type PlayedMaps struct {
	MapIDs IDs `json:"mapIds"`
}

// IDs are the ids of entities, of 16 bytes each, one behind the other.
type IDs []byte

// Append appends an id in its usual form. It returns an error for a text that is no id.
func (ids IDs) Append(id string) (IDs, error) {
	parsed, err := uuid.Parse(id)
	return append(ids, parsed[:]...), err
}

// UUIDs returns the ids. It returns an error where the last one is not whole.
func (ids IDs) UUIDs() ([][16]byte, error) {
	if len(ids)%16 != 0 {
		return nil, fmt.Errorf("%d bytes are no ids", len(ids))
	}
	list := make([][16]byte, 0, len(ids)/16)
	for id := range slices.Chunk(ids, 16) {
		list = append(list, [16]byte(id))
	}
	return list, nil
}

// MaxRequestedPlayers bounds the players that one request between services names or is answered with.
const MaxRequestedPlayers = 500

// FindPassed asks which of the players a record has passed on its leaderboard: those whose personal best is below the
// record, above the personal best that the record has replaced, and older than the record. Answered with PassedPlayers,
// or with record_unknown, also for a record that was removed since.
type FindPassed struct {
	RecordID string `json:"recordId"`
	// PlayerIDs are at most MaxRequestedPlayers players.
	PlayerIDs []string `json:"playerIds"`
}

// PassedPlayers answers FindPassed, best first. To is the place of now, and From the one above it.
type PassedPlayers struct {
	Passed []MovedPlayer `json:"passed"`
}

// GetPoints asks for the points of a player in all maps. Answered with PlayerPoints or player_unknown.
type GetPoints struct {
	PlayerID string `json:"playerId"`
}

// PlayerPoints answers GetPoints.
type PlayerPoints struct {
	// Tenths are the points, in tenths.
	Tenths int64 `json:"tenths"`
	// Rank is 0 for a player who is not ranked.
	Rank int64 `json:"rank,omitempty"`
}

// ListPlayers asks for the players who have a personal best on a map, in the order of their ids. Answered with
// ListedPlayers, or with map_unknown, or with map_gone for a map that was removed.
type ListPlayers struct {
	MapID string `json:"mapId"`
	// After is the last player of the page before, empty for the first page.
	After string `json:"after,omitempty"`
}

// ListedPlayers answers ListPlayers with at most MaxRequestedPlayers players. A shorter list is the last page.
type ListedPlayers struct {
	PlayerIDs []string `json:"playerIds"`
}

// CountMedals asks how many players have each medal of a map as their best one, by the medal times in the request.
// Answered with MedalCounts.
type CountMedals struct {
	MapID  string `json:"mapId"`
	Medals Medals `json:"medals"`
	// WithoutPlayerID is a player who is not counted.
	WithoutPlayerID string `json:"withoutPlayerId"`
}

// MedalCounts answers CountMedals.
type MedalCounts struct {
	Author int64 `json:"author"`
	Gold   int64 `json:"gold"`
	Silver int64 `json:"silver"`
	Bronze int64 `json:"bronze"`
}

// InspectRecord asks for what moderators need of a record, removed or not. Answered with InspectedRecord or
// record_unknown.
type InspectRecord struct {
	RecordID string `json:"recordId"`
	// ForFlags leaves out the neighbours, which no flag is made of.
	ForFlags bool `json:"forFlags,omitempty"`
}

// InspectedRecord answers InspectRecord.
type InspectedRecord struct {
	RecordID        string    `json:"recordId"`
	MapID           string    `json:"mapId"`
	PlayerID        string    `json:"playerId"`
	FinishTime      int64     `json:"finishTime"` // milliseconds
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
	CreatedAt       time.Time `json:"createdAt"`
	// Removed is true for a removed record, and Hidden for one that is not shown although it is not removed: all records
	// of the player are hidden, or the map was removed.
	Removed bool `json:"removed,omitempty"`
	Hidden  bool `json:"hidden,omitempty"`
	// Rank is the place on the leaderboard, from 1, and 0 for a record that is no personal best or not shown.
	Rank int64 `json:"rank,omitempty"`
	// Finishers is the number of rows of the leaderboard.
	Finishers int64 `json:"finishers"`
	// IsFirst is true for the first record that the player has submitted.
	IsFirst bool `json:"isFirst,omitempty"`
	// PlayerSince is when the player's account was made, and zero where it is not known.
	PlayerSince time.Time `json:"playerSince,omitzero"`
	// Neighbours are the rows of the leaderboard next above and next below the place that the record has, or would have,
	// without rows of the player.
	Neighbours []RankedFinish `json:"neighbours,omitempty"`
	// Adjacent are the player's finishes before and after this one by their time stamps. Finishes without a time stamp of
	// their own are left out, and such a record has none.
	Adjacent []Finish `json:"adjacent,omitempty"`
	// Copied is another player's personal best on the map that is at most a frame apart and was finished within a minute.
	Copied *Finish `json:"copied,omitempty"`
	// CopiedMapData is true where the replays of both have the same map data, byte for byte.
	CopiedMapData bool `json:"copiedMapData,omitempty"`
	// Undated is true for a replay without a time stamp.
	Undated bool           `json:"undated,omitempty"`
	Replay  ReplayVersions `json:"replay,omitzero"`
	// MapReplay is the replay with which this version of the map was submitted, and nil where it is not known.
	MapReplay *MapReplay `json:"mapReplay,omitempty"`
}

// ReplayVersions are the versions that a replay names: of the mod that wrote it, and of the game. Each has up to four
// numbers with points between them, or is empty where it is not known.
type ReplayVersions struct {
	Mod  string `json:"mod,omitempty"`
	Game string `json:"game,omitempty"`
}

// MapReplay is the replay with which a version of a map was submitted.
type MapReplay struct {
	ReplayVersions
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
}

// Finish is a record among others.
type Finish struct {
	RecordID        string    `json:"recordId"`
	MapID           string    `json:"mapId"`
	PlayerID        string    `json:"playerId"`
	FinishTime      int64     `json:"finishTime"` // milliseconds
	FinishTimeStamp time.Time `json:"finishTimeStamp"`
}

// RankedFinish is a row of a leaderboard.
type RankedFinish struct {
	RecordID   string `json:"recordId"`
	PlayerID   string `json:"playerId"`
	FinishTime int64  `json:"finishTime"` // milliseconds
	Rank       int64  `json:"rank"`
}

// ListFollowed asks for the players whom a player follows. Answered with FollowedPlayers.
type ListFollowed struct {
	PlayerID string `json:"playerId"`
}

// FollowedPlayers answers ListFollowed, with at most MaxRequestedPlayers players.
type FollowedPlayers struct {
	PlayerIDs []string `json:"playerIds"`
}

// ExchangeToken asks for an access token for the personal token with a hash. Answered with ExchangedToken, or with
// personal_token_invalid for one that is unknown, has expired or was revoked.
type ExchangeToken struct {
	// Hash is the SHA-256 of the personal token, which itself is sent to nobody.
	Hash []byte `json:"hash"`
}

// ExchangedToken answers ExchangeToken.
type ExchangedToken struct {
	AccessToken string `json:"accessToken"`
	// ExpiresAt is when the access token expires.
	ExpiresAt time.Time      `json:"expiresAt"`
	TokenID   string         `json:"tokenId"`
	Scopes    []access.Scope `json:"scopes"`
}

// CheckSession asks whether a session goes on. Answered with an empty object, or with session_ended.
type CheckSession struct {
	SessionID string `json:"sessionId"`
}
