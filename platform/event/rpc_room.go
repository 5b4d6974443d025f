package event

import (
	"encoding/json"
	"time"
)

// Subjects of requests for a verification room. Both are answered by one bot of the queue group RoomOpenQueue:
// RoomOpenSubject by a bot that has a room at once, RoomWaitSubject by a bot whose queue accepts another login.
// All other requests go to the bot that holds the room.
const (
	RoomOpenSubject = "room.v1.open"
	RoomWaitSubject = "room.v1.wait"
	RoomOpenQueue   = "bots"
)

// RoomSaySubject takes requests to say something in a room.
func RoomSaySubject(bot string) string { return "room.v1.bot." + bot + ".say" }

// RoomStateSubject takes requests for the state of a room.
func RoomStateSubject(bot string) string { return "room.v1.bot." + bot + ".state" }

// RoomCloseSubject takes requests to close a room.
func RoomCloseSubject(bot string) string { return "room.v1.bot." + bot + ".close" }

// RoomEventSubject is where a bot publishes its reports of a room.
func RoomEventSubject(room string) string { return "room.v1.event." + room }

// OpenRoom asks for an unlisted, passworded room for two.
type OpenRoom struct {
	// Session is the login session's id. A bot that is asked twice for the same session answers with the same room.
	Session string `json:"session"`
	// Lifetime is how long the room may stay open, in milliseconds.
	Lifetime int64 `json:"lifetime"`
	// Held is the number of rooms that the client's address has already. In a bot's
	// queue, a login whose address has fewer goes first.
	Held int `json:"held,omitempty"`
}

// RoomOpened answers OpenRoom. Without a link the login waits in the bot's queue;
// reports of the room say how it goes on.
type RoomOpened struct {
	Bot  string `json:"bot"`
	Room string `json:"room"`
	// Link lets its holder into the room. It goes to the one browser that asked.
	Link string `json:"link,omitempty"`
	// Position is the number of logins that are before this one in the queue.
	Position int `json:"place,omitempty"`
}

// SayInRoom makes the bot say a text. It may hold a code, so it is never stored.
type SayInRoom struct {
	Room string `json:"room"`
	Text string `json:"text"`
}

// RoomQuery asks for the state of a room.
type RoomQuery struct {
	Room string `json:"room"`
}

// RoomView answers RoomQuery.
type RoomView struct {
	Room string `json:"room"`
	// Open is false when the room is over, or not open yet.
	Open bool `json:"open"`
	// Link is the open room's link.
	Link string `json:"link,omitempty"`
	// LastReport is the number of the newest report of this room.
	LastReport int64 `json:"lastReport"`
	// Present are the visitors in the room now, Seen all who ever entered it. The bot itself is not a visitor.
	Present []Visitor `json:"present"`
	Seen    []Visitor `json:"seen"`
	// Renamed is true when a visitor changed the name while in the room.
	Renamed bool `json:"renamed,omitempty"`
}

// CloseRoom makes the bot close a room after saying a last text.
type CloseRoom struct {
	Room string `json:"room"`
	Text string `json:"text,omitempty"`
}

// Visitor is a player who entered a room, as the game reports it.
type Visitor struct {
	// Visit distinguishes two entries into one room, also of the same player.
	Visit int64  `json:"visit"`
	Name  string `json:"name"`
	Level int    `json:"level"`
	Guest bool   `json:"guest"`
	// Skin is the game's avatar as JSON ({"layers":[…],"bc":9315498}), at most 16 KiB.
	Skin json.RawMessage `json:"skin,omitempty"`
}

// RoomReportKind is the kind of a report.
type RoomReportKind string

// The kinds of report.
const (
	// RoomJoined: a visitor entered.
	RoomJoined RoomReportKind = "joined"
	// RoomLeft: a visitor left.
	RoomLeft RoomReportKind = "left"
	// RoomRenamed: a visitor changed the name, which voids the session.
	RoomRenamed RoomReportKind = "renamed"
	// RoomClosed: the room ended as it should.
	RoomClosed RoomReportKind = "closed"
	// RoomLost: the room ended against the bot's will, or was never opened.
	RoomLost RoomReportKind = "lost"
	// RoomTaken: the game handed the room to another host, which voids the session.
	RoomTaken RoomReportKind = "taken"
	// RoomQueued: the login has another position in the bot's queue.
	RoomQueued RoomReportKind = "queued"
	// RoomReady: the room of a login that waited is open. RoomView has its link.
	RoomReady RoomReportKind = "ready"
)

// RoomReport is what a bot publishes when something happens in a room.
type RoomReport struct {
	Room string `json:"room"`
	Bot  string `json:"bot"`
	// Session is the login session that the room was opened for.
	Session string `json:"session"`
	// Number counts the reports of a room from 1. It is also part of the
	// Nats-Msg-Id ("<room>.<number>"), so that a repeated report is dropped.
	Number int64          `json:"number"`
	Kind   RoomReportKind `json:"kind"`
	// Visitor joined, left or was renamed.
	Visitor *Visitor `json:"visitor,omitempty"`
	// Position is the number of logins before this one, in a RoomQueued.
	Position int       `json:"place,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	At       time.Time `json:"at"`
}
