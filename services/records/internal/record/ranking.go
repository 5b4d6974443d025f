package record

// Beats reports whether a record replaces the player's best so far. Only a strictly
// faster one does: of equal times the first stays.
func (r Record) Beats(best Record) bool { return r.FinishTime < best.FinishTime }

// DuplicateProblem returns why a record is refused for which FindDuplicate has found an
// existing one: ErrReplayCopied if that one is another player's, else ErrReplayExists.
// Both carry the _id of the existing record.
func (r Record) DuplicateProblem(existing Record) error {
	if r.ReplayHash == existing.ReplayHash || r.PlayerID == existing.PlayerID {
		return ErrReplayExists.WithData("_id", existing.ID)
	}
	return ErrReplayCopied.WithData("_id", existing.ID)
}

// Placement is what a record has changed on its map's leaderboard.
type Placement struct {
	// Rank is the rank of the player's best after the submission, counted from 1.
	Rank int64
	// PersonalBest is true when the submitted record is the player's best now.
	PersonalBest bool
	// PreviousBest is the finish time that the player had before, in
	// milliseconds, and 0 when there was none.
	PreviousBest int
}

// WorldRecord reports whether the record is the first of its map's leaderboard now.
func (p Placement) WorldRecord() bool { return p.PersonalBest && p.Rank == 1 }
