package record

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// ModerationStore removes and restores records, and hides and shows the records of players. The change, ranks, totals,
// events and the entry of the audit log are committed together.
type ModerationStore interface {
	// ModerateRecord stores what Removal.Moderate returns. If a record that is removed was the player's best, the
	// next-best takes its place. The replay is kept, and is a duplicate when it is submitted again. It also returns
	// ErrRecordUnknown.
	ModerateRecord(ctx context.Context, change Moderation) (Record, error)
	// ModeratePlayer stores what Hiding.Moderate returns for all records of a player, or of whom the player was merged
	// into, also for those that are restored or transferred to the player later. It also returns ErrPlayerBusy.
	ModeratePlayer(ctx context.Context, change Moderation) error
}

// Moderation is a change of a record, or of all records of a player, by moderators.
type Moderation struct {
	// Action is access.RemoveRecord or access.RestoreRecord of the record with RecordID, or access.HidePlayer or
	// access.ShowPlayer of the player with PlayerID.
	Action             access.Action
	RecordID, PlayerID string
	By                 access.Attribution
	At                 time.Time
}

// ReplayKeptFor is how long the replay of a removed record is kept: the period for appeals.
const ReplayKeptFor = 365 * 24 * time.Hour

// Removal is a record with whether it is removed. It is read under the lock of the record's map.
type Removal struct {
	Record  Record
	Removed bool
	// ReplayPurged is true where the replay was deleted after ReplayKeptFor.
	ReplayPurged bool
}

// Moderate returns the removal after a change, and the entry of the audit log. It returns ErrAlreadyRemoved,
// ErrNotRemoved or ErrReplayPurged.
func (r Removal) Moderate(change Moderation) (after Removal, entry access.Entry, err error) {
	after = r
	after.Removed = change.Action == access.RemoveRecord
	switch {
	case after.Removed && r.Removed:
		return r, entry, ErrAlreadyRemoved
	case !after.Removed && !r.Removed:
		return r, entry, ErrNotRemoved
	case !after.Removed && r.ReplayPurged:
		return r, entry, ErrReplayPurged
	}
	return after, access.Entry{
		By: change.By, Action: change.Action, Target: r.Record.ID, Before: r.auditValues(), After: after.auditValues(),
	}, nil
}

func (r Removal) auditValues() map[string]any {
	return map[string]any{
		"map": r.Record.MapID, "player": r.Record.PlayerID, "finishTime": r.Record.FinishTime, "removed": r.Removed,
	}
}

// Hiding is a player with whether the player's records are hidden. It is read under the lock of the player's totals.
type Hiding struct {
	PlayerID string
	Hidden   bool
}

// Moderate returns the hiding after a change, and the entry of the audit log. It returns ErrAlreadyHidden or
// ErrNotHidden.
func (h Hiding) Moderate(change Moderation) (after Hiding, entry access.Entry, err error) {
	after = Hiding{PlayerID: h.PlayerID, Hidden: change.Action == access.HidePlayer}
	switch {
	case after.Hidden && h.Hidden:
		return h, entry, ErrAlreadyHidden
	case !after.Hidden && !h.Hidden:
		return h, entry, ErrNotHidden
	}
	return after, access.Entry{
		By: change.By, Action: change.Action, Target: h.PlayerID,
		Before: map[string]any{"hidden": h.Hidden}, After: map[string]any{"hidden": after.Hidden},
	}, nil
}

// HidingByMerge returns the change that hides the records of a player because of a merge: whom a hidden player was
// merged into, or those that a hidden player got from a player who was merged.
func HidingByMerge(playerID string, at time.Time) Moderation {
	return Moderation{Action: access.HidePlayer, PlayerID: playerID, At: at, By: access.Attribution{
		Actor: access.System(Service), Reason: "Two players were merged, and the records of one of them are hidden.",
	}}
}

// Moderator removes and restores records, and hides and shows players. Each change needs a reason.
type Moderator struct {
	Records ModerationStore
	Players Players
	Now     func() time.Time
}

// Authorize returns a change with whom it is made by, and the time. A player who was merged stands for whom they were
// merged into. It returns the errors of access.Authorize, for what is no record's id ErrRecordUnknown, and for a player
// ErrPlayerUnknown, access.ErrNeedsAdmin or a problem of kind unavailable.
func (m *Moderator) Authorize(ctx context.Context, change Moderation) (Moderation, error) {
	_, by, err := access.Authorize(ctx, change.By, change.Action, m.Players.Get)
	if err != nil {
		return change, err
	}
	change.By, change.At = by, event.InMillis(m.Now())
	if change.Action == access.RemoveRecord || change.Action == access.RestoreRecord {
		if !event.IsID(change.RecordID) {
			return change, ErrRecordUnknown
		}
		return change, nil
	}
	player, err := m.Players.Get(ctx, change.PlayerID)
	if err != nil {
		return change, err
	}
	change.PlayerID = player.ID
	return change, by.Actor.RequireAgainst(player.Roles)
}

// ModerateRecord removes or restores a record. It returns the errors of Authorize and of Removal.Moderate.
func (m *Moderator) ModerateRecord(ctx context.Context, change Moderation) (Record, error) {
	change, err := m.Authorize(ctx, change)
	if err != nil {
		return Record{}, err
	}
	return m.Records.ModerateRecord(ctx, change)
}

// ModeratePlayer hides all records of a player, or of whom the player was merged into, or shows them again. It returns
// that player, the errors of Authorize and of Hiding.Moderate, or ErrPlayerBusy.
func (m *Moderator) ModeratePlayer(ctx context.Context, change Moderation) (Player, error) {
	change, err := m.Authorize(ctx, change)
	if err != nil {
		return Player{}, err
	}
	if err := m.Records.ModeratePlayer(ctx, change); err != nil {
		return Player{}, err
	}
	return m.Players.Get(ctx, change.PlayerID)
}
