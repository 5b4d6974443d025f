package event

import "encoding/json"

// Subjects of requests between services. The gateway never routes them.
const (
	EnsurePlayerSubject   = "rpc.v1.players.ensure"
	RegisterPlayerSubject = "rpc.v1.players.register"
	GetPlayerSubject      = "rpc.v1.players.get"
	GetMapSubject         = "rpc.v1.maps.get"
)

// EnsurePlayer asks for the player of a name, made as a placeholder where
// unknown. Idempotent. Answered with PlayerState.
type EnsurePlayer struct {
	Name string `json:"name"`
}

// RegisterPlayer registers the owner of a game account after a verified login. It creates
// the player, or turns the placeholder of that name into one. Answered with PlayerState;
// a banned player is refused with player_banned.
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
	ID       string `json:"id,omitempty"`
	BonkDBID int64  `json:"bonkDbId,omitempty"`
}
