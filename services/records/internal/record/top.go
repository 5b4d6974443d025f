package record

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

// Top is the start of a leaderboard: its first TopRows rows, best first.
type Top []Row

// TopRows is one more than event.TopPlaces, so that the last of these places and the one below it are known.
const TopRows = event.TopPlaces + 1

// Row is a row of a leaderboard: a player's personal best.
type Row struct {
	PlayerID, RecordID string
	FinishTime         int // milliseconds
	FinishTimeStamp    time.Time
}

// Compare returns a negative number where the row is above another one of the leaderboard.
func (r Row) Compare(other Row) int {
	return cmp.Or(
		cmp.Compare(r.FinishTime, other.FinishTime),
		r.FinishTimeStamp.Compare(other.FinishTimeStamp),
		strings.Compare(r.RecordID, other.RecordID),
	)
}

// With returns the top after a new personal best, which takes the place of the player's former row.
func (t Top) With(best Record) Top {
	row := Row{
		PlayerID: best.PlayerID, RecordID: best.ID, FinishTime: best.FinishTime, FinishTimeStamp: best.FinishTimeStamp,
	}
	after := slices.DeleteFunc(slices.Clone(t), func(r Row) bool { return r.PlayerID == best.PlayerID })
	i, _ := slices.BinarySearchFunc(after, row, Row.Compare)
	after = slices.Insert(after, i, row)
	return after[:min(len(after), TopRows)]
}

// Moved returns the players whose place is another one in after, and one of the first event.TopPlaces before or after.
// They are in the order of their new places. It leaves out the player whose record has changed.
func (t Top) Moved(after Top, changedPlayerID string) (moved []event.MovedPlayer) {
	for i, row := range after {
		from := slices.IndexFunc(t, func(r Row) bool { return r.PlayerID == row.PlayerID })
		if row.PlayerID == changedPlayerID || from < 0 || from == i || min(from, i) >= event.TopPlaces {
			continue
		}
		moved = append(moved, event.MovedPlayer{
			PlayerID: row.PlayerID, RecordID: row.RecordID, FinishTime: int64(row.FinishTime), From: from + 1, To: i + 1,
		})
	}
	return moved
}
