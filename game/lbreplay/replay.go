package lbreplay

import (
	"errors"
	"fmt"
	"time"

	"capzone.dev/game/bonkmap"
)

// The values of a replay whose file has none.
const (
	UnknownName     = "Unknown"
	UnknownGameMode = "View v1.3.0+"
	UnknownMapID    = -1
)

// Earliest is the first time stamp that is accepted: the game did not exist before.
var Earliest = time.Date(2013, time.January, 1, 0, 0, 0, 0, time.UTC)

// MaxAhead is how far a time stamp may be ahead of the caller's clock, whose time the replay has then.
const MaxAhead = 5 * time.Minute

// Replay is the contents of a file.
type Replay struct {
	MapName   string
	MapAuthor string
	MapID     int // the game's own id of the map
	// GameMode is the display name of the map data's mode. Where that has none, it is the label as in the file.
	GameMode string
	// LabelMode is the parkour mode that the label names, whatever the map data has. It is NoMode for any other label.
	LabelMode bonkmap.Mode

	FinishTime    int // milliseconds, on a frame
	PlayerName    string
	PlayerLevel   int
	PlayerSkin    string // as in the file, usually JSON
	Validated     bool
	ReplayVersion string // of the mod
	GameVersion   string

	// Timestamp is when the map was finished, in UTC and whole milliseconds. If the file has no
	// time stamp (TimestampMissing) or a faulty one, it is the caller's clock.
	Timestamp        time.Time
	TimestampMissing bool
	// Ahead is by how much the time stamp in the file is ahead of the caller's clock, whose time Timestamp is then.
	Ahead          time.Duration
	TimestampFault TimestampFault

	MapData string       // the map string, empty where the file has none
	Map     *bonkmap.Map // the decoded MapData, nil where the file has none

	Disagreements []Disagreement
}

// TimestampFault is why a time stamp in a file is not accepted.
type TimestampFault string

// The faults of time stamps.
const (
	NoTimestampFault    TimestampFault = ""
	TimestampUnreadable TimestampFault = "unreadable"
	TimestampTooOld     TimestampFault = "too_old" // before Earliest
	TimestampAhead      TimestampFault = "ahead"   // by more than MaxAhead
)

// Line is a line of a file.
type Line struct {
	Number int // from 1
	Label  string
	Value  string
}

// Subject is a value that both a label and the map data have.
type Subject string

// The subjects of disagreements.
const (
	SubjectMapName   Subject = "map name"
	SubjectMapAuthor Subject = "map author"
	SubjectMapID     Subject = "map id"
)

// Disagreement is a label that contradicts the map data, a sign that the file was edited. The label of the mode
// names the mode in which the map was played, which need not be that of the map data.
type Disagreement struct {
	Subject Subject
	Line    int    // of the label
	Label   string // the value of the label
	Data    string // the value of the map data
}

// The reasons why a file is invalid, wrapped in an [Error].
var (
	ErrTooLarge      = errors.New("the file is larger than 5 MiB")
	ErrLineTooLong   = errors.New("the line is longer than 4 MiB")
	ErrNotText       = errors.New("the file is not UTF-8 text")
	ErrNotAReplay    = errors.New("the file has none of a replay's labels")
	ErrBadFinishTime = errors.New("the finish time is not a time from 0 to 24 hours")
	ErrTooLong       = errors.New("the value is too long")
	ErrBadMapData    = errors.New("the map data cannot be read")
)

// Error is the reason why a file is invalid, and where.
type Error struct {
	Line int // from 1; 0 where the whole file is at fault
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("lbreplay: %v", e.Err)
	}
	return fmt.Sprintf("lbreplay: line %d: %v", e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
