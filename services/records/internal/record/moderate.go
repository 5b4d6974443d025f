package record

import (
	"context"
	"errors"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// ModerationStore removes and restores records, and hides and shows the records of players. The change, ranks, totals,
// events and the audit are committed together.
type ModerationStore interface {
	// Remove marks the record as removed. If it was the player's best, the next-best takes its place. The replay stays,
	// and stays a duplicate. It returns ErrRecordUnknown or ErrAlreadyRemoved.
	Remove(ctx context.Context, id string, by access.Attribution) (Record, error)
	// Restore undoes Remove. It returns ErrRecordUnknown, ErrNotRemoved or ErrReplayPurged.
	Restore(ctx context.Context, id string, by access.Attribution) (Record, error)
	// Hide hides all records of a player, also those that are restored or transferred to the player later. It returns
	// ErrAlreadyHidden or event.ErrPlayerMerged.
	Hide(ctx context.Context, playerID string, by access.Attribution) error
	// Show undoes Hide. It returns ErrNotHidden or event.ErrPlayerMerged.
	Show(ctx context.Context, playerID string, by access.Attribution) error
}

// Moderator removes and restores records, and hides and shows players. Each change needs a reason.
type Moderator struct {
	Records ModerationStore
	Players Players
}

// Remove removes a record. It returns access.ErrForbidden, ErrRecordUnknown or ErrAlreadyRemoved.
func (m *Moderator) Remove(ctx context.Context, id string, by access.Attribution) (Record, error) {
	by, err := access.Authorize(ctx, by, access.RemoveRecord, m.Players.Get)
	if err != nil {
		return Record{}, err
	}
	if !event.IsID(id) {
		return Record{}, ErrRecordUnknown
	}
	return m.Records.Remove(ctx, id, by)
}

// Restore restores a removed record. It returns access.ErrForbidden, ErrRecordUnknown, ErrNotRemoved or
// ErrReplayPurged.
func (m *Moderator) Restore(ctx context.Context, id string, by access.Attribution) (Record, error) {
	by, err := access.Authorize(ctx, by, access.RestoreRecord, m.Players.Get)
	if err != nil {
		return Record{}, err
	}
	if !event.IsID(id) {
		return Record{}, ErrRecordUnknown
	}
	return m.Records.Restore(ctx, id, by)
}

// Hide hides all records of a player, or of whom the player was merged into. It returns access.ErrForbidden,
// access.ErrNeedsAdmin, ErrPlayerUnknown or ErrAlreadyHidden, or a problem of kind unavailable.
func (m *Moderator) Hide(ctx context.Context, playerID string, by access.Attribution) (Player, error) {
	by, err := access.Authorize(ctx, by, access.HidePlayer, m.Players.Get)
	if err != nil {
		return Player{}, err
	}
	return m.followMerge(ctx, playerID, by, m.Records.Hide)
}

// Show shows the records of a hidden player again. It returns access.ErrForbidden, access.ErrNeedsAdmin,
// ErrPlayerUnknown or ErrNotHidden, or a problem of kind unavailable.
func (m *Moderator) Show(ctx context.Context, playerID string, by access.Attribution) (Player, error) {
	by, err := access.Authorize(ctx, by, access.ShowPlayer, m.Players.Get)
	if err != nil {
		return Player{}, err
	}
	return m.followMerge(ctx, playerID, by, m.Records.Show)
}

// followMerge changes a player, and once more where the player was merged into another one meanwhile.
func (m *Moderator) followMerge(
	ctx context.Context, playerID string, by access.Attribution,
	change func(ctx context.Context, playerID string, by access.Attribution) error,
) (Player, error) {
	player, err := m.Players.Get(ctx, playerID)
	if err != nil {
		return Player{}, err
	}
	roles, _ := player.Rights()
	if err := by.Actor.RequireAgainst(roles); err != nil {
		return Player{}, err
	}
	err = change(ctx, player.ID, by)
	if errors.Is(err, event.ErrPlayerMerged) {
		if player, err = m.Players.Get(ctx, playerID); err != nil {
			return Player{}, err
		}
		err = change(ctx, player.ID, by)
	}
	if err != nil {
		return Player{}, err
	}
	return player, nil
}
