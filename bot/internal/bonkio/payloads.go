package bonkio

import "encoding/json"

// creation is the payload of event 12.
type creation struct {
	PeerID     string          `json:"peerID"`
	RoomName   string          `json:"roomName"`
	MaxPlayers int             `json:"maxPlayers"`
	Password   string          `json:"password"`
	DBID       int64           `json:"dbid"`
	Guest      bool            `json:"guest"`
	MinLevel   int             `json:"minLevel"`
	MaxLevel   int             `json:"maxLevel"`
	Latitude   float64         `json:"latitude"`
	Longitude  float64         `json:"longitude"`
	Country    string          `json:"country"`
	Version    int             `json:"version"`
	Hidden     int             `json:"hidden"`
	Quick      bool            `json:"quick"`
	Mode       string          `json:"mode"`
	Token      string          `json:"token"`
	Avatar     json.RawMessage `json:"avatar"`
}

// plainAvatar is a skin of one colour.
var plainAvatar = json.RawMessage(`{"layers": [], "bc": 38823}`)

// joinRequest is the payload of event 13.
type joinRequest struct {
	Address   string          `json:"joinID"`
	Password  string          `json:"roomPassword"`
	Guest     bool            `json:"guest"`
	GuestName string          `json:"guestName"`
	DBID      int             `json:"dbid"`
	Version   int             `json:"version"`
	PeerID    string          `json:"peerID"`
	Bypass    string          `json:"bypass"`
	Avatar    json.RawMessage `json:"avatar"`
}

// lobbySettings are the lobby's settings, under the game's abbreviations. The map is a decoded one without bodies.
// Only in event 11 is a map an object instead of a map string. A client that receives a string fails before it shows
// the lobby.
var lobbySettings = json.RawMessage(`{
	"map": {
		"v": 1,
		"s": {"re": false, "nc": false, "pq": 1, "gd": 25, "fl": false},
		"physics": {"shapes": [], "fixtures": [], "bodies": [], "bro": [], "joints": [], "ppm": 12},
		"spawns": [], "capZones": [],
		"m": {"a": "", "n": "Login", "dbv": 2, "dbid": -1, "authid": -1, "date": "", "rxid": 0, "rxn": "", "rxa": "",
			"rxdb": 1, "cr": [], "pub": false, "mo": ""}
	},
	"gt": 2, "wl": 3, "q": false, "tl": true, "tea": false, "ga": "b", "mo": "b", "bal": []
}`)
