package lbreplay

import (
	"time"

	"capzone.dev/game/bonkmap"
)

// What a replay says where its file says nothing.
const (
	UnknownName     = "Unknown"
	UnknownGameMode = "View v1.3.0+"
	UnknownMapID    = -1
)

// Earliest is when the game appeared, and no run can be older.
var Earliest = time.Date(2016, time.January, 1, 0, 0, 0, 0, time.UTC)

// Replay is a run as its file tells it.
type Replay struct {
	MapName   string
	MapAuthor string
	MapID     int    // the game's own number for the map
	GameMode  string // the display name

	FinishTime    int // milliseconds, on a frame
	PlayerName    string
	PlayerLevel   int
	PlayerSkin    string // as it stands in the file, usually JSON
	Validated     bool
	ReplayVersion string // of the mod
	GameVersion   string

	// Timestamp is when the run was made, in UTC and whole milliseconds. Where
	// the file does not say, it is the caller's clock and TimestampMissing is set.
	Timestamp        time.Time
	TimestampMissing bool

	MapData string       // the map string, empty where the file has none
	Map     *bonkmap.Map // what MapData holds, nil where the file has none

	Disagreements []Disagreement
	Unknown       []Line // lines with labels that are not known, 256 at most
}

// Line is a line of a file as it stands there.
type Line struct {
	Number int // from 1
	Label  string
	Value  string
}

// Subject is what a label and the map data both speak of.
type Subject string

// The subjects of disagreements.
const (
	SubjectMapName   Subject = "map name"
	SubjectMapAuthor Subject = "map author"
	SubjectMapID     Subject = "map id"
	SubjectGameMode  Subject = "game mode"
)

// Disagreement is a label that contradicts the map data: a sign that somebody
// has edited the file.
type Disagreement struct {
	Subject Subject
	Line    int    // of the label
	Label   string // what the label says
	Data    string // what the map data says
}
