package record

import (
	"cmp"
	"strings"
)

// Beats tells whether a run takes the place of the player's best so far: only by
// being strictly faster. An equal time keeps the first.
func (r Run) Beats(best Run) bool { return r.FinishTime < best.FinishTime }

// Compare orders the rows of a leaderboard: by finish time, then by the moment of
// the run, then by id.
func Compare(a, b Run) int {
	return cmp.Or(
		cmp.Compare(a.FinishTime, b.FinishTime),
		a.FinishTimeStamp.Compare(b.FinishTimeStamp),
		strings.Compare(a.ID, b.ID))
}

// SameMoment tells whether two runs are one and the same, whatever their files
// say besides. An equal time alone is an honest tie at 30 frames a second.
func (r Run) SameMoment(other Run) bool {
	return r.MapID == other.MapID && r.FinishTime == other.FinishTime && r.FinishTimeStamp.Equal(other.FinishTimeStamp)
}

// AgainstTwin returns why a run is refused that has the replay or the moment of
// one that was accepted before: ErrReplayExists, or ErrReplayCopied where that one
// is another player's. Both carry its _id.
func (r Run) AgainstTwin(twin Run) error {
	if r.ReplayHash == twin.ReplayHash || r.PlayerID == twin.PlayerID {
		return ErrReplayExists.WithData("_id", twin.ID)
	}
	return ErrReplayCopied.WithData("_id", twin.ID)
}

// Standing is what a run did to its map's leaderboard.
type Standing struct {
	// Rank is the player's place after the run, by their best run, counted from 1.
	Rank int64
	// PersonalBest is true when this run is the player's best now.
	PersonalBest bool
	// PreviousBest is the finish time that the player had before, in
	// milliseconds, and 0 when there was none.
	PreviousBest int
}

// WorldRecord tells whether the run is the first of its map's leaderboard now.
func (s Standing) WorldRecord() bool { return s.PersonalBest && s.Rank == 1 }
