package record

import "capzone.dev/platform/event"

// Placement is what a new record has changed on its map's leaderboard.
type Placement struct {
	// Rank is the rank of the player's best after the submission, counted from 1.
	Rank int64
	// PersonalBest is true when the submitted record is the player's best now.
	PersonalBest bool
	// PreviousBest is the finish time that the player had before, in
	// milliseconds, and 0 when there was none.
	PreviousBest int
	// WorldRecord is true when the record is strictly faster than all before it, and EqualsWorldRecord when it is as
	// fast as the fastest of them.
	WorldRecord, EqualsWorldRecord bool
}

// LeaderboardState is what decides about a new record. It is read under the lock of the record's map.
type LeaderboardState struct {
	MapRemoved, PlayerMerged, PlayerHidden bool
	// FinishExists is true when a record on any version of the map has the finish time and the time stamp.
	FinishExists bool
	// PreviousBest and WorldRecord are the finish times of the player's best and of the map's world record, in
	// milliseconds, and 0 where there is none.
	PreviousBest, WorldRecord int
}

// Place returns what a new record changes, without the rank. It returns ErrMapRemoved, event.ErrPlayerMerged,
// ErrPlayerHidden or ErrReplayExists.
func (s LeaderboardState) Place(a Accepted) (Placement, error) {
	switch {
	case s.PlayerMerged:
		return Placement{}, event.ErrPlayerMerged
	case s.MapRemoved:
		return Placement{}, ErrMapRemoved
	case s.PlayerHidden:
		return Placement{}, ErrPlayerHidden
	case s.FinishExists && !a.First:
		return Placement{}, ErrReplayExists
	}
	finishTime := a.Record.FinishTime
	return Placement{
		PersonalBest:      s.PreviousBest == 0 || finishTime < s.PreviousBest,
		PreviousBest:      s.PreviousBest,
		WorldRecord:       s.WorldRecord == 0 || finishTime < s.WorldRecord,
		EqualsWorldRecord: finishTime == s.WorldRecord,
	}, nil
}
