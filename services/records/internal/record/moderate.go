package record

import (
	"context"

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

// Removal is whether a record is removed. It is read under the lock of the record's map.
type Removal struct {
	Removed bool
	// ReplayPurged is true where the replay was deleted after the period for appeals.
	ReplayPurged bool
}

// Remove returns the removal of an active record, or ErrAlreadyRemoved.
func (r Removal) Remove() (Removal, error) {
	if r.Removed {
		return r, ErrAlreadyRemoved
	}
	return Removal{Removed: true}, nil
}

// Restore undoes Remove. It returns ErrNotRemoved or ErrReplayPurged.
func (r Removal) Restore() (Removal, error) {
	switch {
	case !r.Removed:
		return r, ErrNotRemoved
	case r.ReplayPurged:
		return r, ErrReplayPurged
	}
	return Removal{}, nil
}

// Hiding is whether the records of a player are hidden. It is read under the lock of the player's totals.
type Hiding struct{ Hidden, PlayerMerged bool }

// Hide returns the hiding of a player whose records are shown. It returns event.ErrPlayerMerged or ErrAlreadyHidden.
func (h Hiding) Hide() (Hiding, error) {
	switch {
	case h.PlayerMerged:
		return h, event.ErrPlayerMerged
	case h.Hidden:
		return h, ErrAlreadyHidden
	}
	return Hiding{Hidden: true}, nil
}

// Show undoes Hide. It returns event.ErrPlayerMerged or ErrNotHidden.
func (h Hiding) Show() (Hiding, error) {
	switch {
	case h.PlayerMerged:
		return h, event.ErrPlayerMerged
	case !h.Hidden:
		return h, ErrNotHidden
	}
	return Hiding{}, nil
}

// Moderator removes and restores records, and hides and shows players. Each change needs a reason.
type Moderator struct {
	Records ModerationStore
	Players Players
}

// Authorize is access.Authorize for the change of a record. It also returns ErrRecordUnknown for what is no id.
func (m *Moderator) Authorize(
	ctx context.Context, id string, by access.Attribution, action access.Action,
) (access.Attribution, error) {
	_, by, err := access.Authorize(ctx, by, action, m.Players.Get)
	if err == nil && !event.IsID(id) {
		err = ErrRecordUnknown
	}
	return by, err
}

// AuthorizeAgainst is access.Authorize for an action against a player. It returns the player too, or whom they were
// merged into. It also returns access.ErrNeedsAdmin, ErrPlayerUnknown or a problem of kind unavailable.
func (m *Moderator) AuthorizeAgainst(
	ctx context.Context, playerID string, by access.Attribution, action access.Action,
) (Player, access.Attribution, error) {
	_, by, err := access.Authorize(ctx, by, action, m.Players.Get)
	if err != nil {
		return Player{}, by, err
	}
	player, err := m.Players.Get(ctx, playerID)
	if err != nil {
		return Player{}, by, err
	}
	roles, _ := player.Rights()
	return player, by, by.Actor.RequireAgainst(roles)
}

// Remove removes a record. It returns access.ErrForbidden, ErrRecordUnknown or ErrAlreadyRemoved.
func (m *Moderator) Remove(ctx context.Context, id string, by access.Attribution) (Record, error) {
	by, err := m.Authorize(ctx, id, by, access.RemoveRecord)
	if err != nil {
		return Record{}, err
	}
	return m.Records.Remove(ctx, id, by)
}

// Restore restores a removed record. It returns access.ErrForbidden, ErrRecordUnknown, ErrNotRemoved or
// ErrReplayPurged.
func (m *Moderator) Restore(ctx context.Context, id string, by access.Attribution) (Record, error) {
	by, err := m.Authorize(ctx, id, by, access.RestoreRecord)
	if err != nil {
		return Record{}, err
	}
	return m.Records.Restore(ctx, id, by)
}

// Hide hides all records of a player, or of whom the player was merged into. It returns access.ErrForbidden,
// access.ErrNeedsAdmin, ErrPlayerUnknown, ErrAlreadyHidden or, for a player who is merged meanwhile,
// event.ErrPlayerMerged, or a problem of kind unavailable.
func (m *Moderator) Hide(ctx context.Context, playerID string, by access.Attribution) (Player, error) {
	player, by, err := m.AuthorizeAgainst(ctx, playerID, by, access.HidePlayer)
	if err != nil {
		return Player{}, err
	}
	return player, m.Records.Hide(ctx, player.ID, by)
}

// Show shows the records of a hidden player again. It returns ErrNotHidden in place of ErrAlreadyHidden, and else the
// errors of Hide.
func (m *Moderator) Show(ctx context.Context, playerID string, by access.Attribution) (Player, error) {
	player, by, err := m.AuthorizeAgainst(ctx, playerID, by, access.ShowPlayer)
	if err != nil {
		return Player{}, err
	}
	return player, m.Records.Show(ctx, player.ID, by)
}
