package record

import (
	"context"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// ModerationStore removes and restores records, and hides and shows the records of players. The change, ranks, totals,
// events and the audit are committed together.
type ModerationStore interface {
	// ModerateRecord stores what Removal.Moderate returns for a record. If one that is removed was the player's best, the
	// next-best takes its place. The replay is kept, and is a duplicate when it is submitted again. It also returns
	// ErrRecordUnknown.
	ModerateRecord(ctx context.Context, by access.Attribution, action access.Action, id string) (Record, error)
	// ModeratePlayer stores what Hiding.Moderate returns for all records of a player, or of whom the player was merged
	// into, also for those that are restored or transferred to the player later.
	ModeratePlayer(ctx context.Context, by access.Attribution, action access.Action, playerID string) error
}

// ReplayKeptFor is how long the replay of a removed record is kept: the period for appeals.
const ReplayKeptFor = 365 * 24 * time.Hour

// Removal is whether a record is removed. It is read under the lock of the record's map.
type Removal struct {
	Removed bool
	// ReplayPurged is true where the replay was deleted after ReplayKeptFor.
	ReplayPurged bool
}

// Moderate returns the removal after access.RemoveRecord or access.RestoreRecord. It returns ErrAlreadyRemoved,
// ErrNotRemoved or ErrReplayPurged.
func (r Removal) Moderate(action access.Action) (Removal, error) {
	switch {
	case action == access.RemoveRecord && r.Removed:
		return r, ErrAlreadyRemoved
	case action == access.RemoveRecord:
		return Removal{Removed: true}, nil
	case !r.Removed:
		return r, ErrNotRemoved
	case r.ReplayPurged:
		return r, ErrReplayPurged
	}
	return Removal{}, nil
}

// Hiding is whether the records of a player are hidden. It is read under the lock of the player's totals.
type Hiding struct{ Hidden bool }

// Moderate returns the hiding after access.HidePlayer or access.ShowPlayer. It returns ErrAlreadyHidden or
// ErrNotHidden.
func (h Hiding) Moderate(action access.Action) (Hiding, error) {
	switch {
	case action == access.HidePlayer && h.Hidden:
		return h, ErrAlreadyHidden
	case action == access.ShowPlayer && !h.Hidden:
		return h, ErrNotHidden
	}
	return Hiding{Hidden: action == access.HidePlayer}, nil
}

// Moderator removes and restores records, and hides and shows players. Each change needs a reason.
type Moderator struct {
	Records ModerationStore
	Players Players
}

// Authorize is access.Authorize for the change of a record. It also returns ErrRecordUnknown for what is no id.
func (m *Moderator) Authorize(
	ctx context.Context, by access.Attribution, action access.Action, id string,
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
	ctx context.Context, by access.Attribution, action access.Action, playerID string,
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

// ModerateRecord removes or restores a record. It returns the errors of Authorize and of Removal.Moderate.
func (m *Moderator) ModerateRecord(
	ctx context.Context, by access.Attribution, action access.Action, id string,
) (Record, error) {
	by, err := m.Authorize(ctx, by, action, id)
	if err != nil {
		return Record{}, err
	}
	return m.Records.ModerateRecord(ctx, by, action, id)
}

// ModeratePlayer hides all records of a player, or of whom the player was merged into, or shows them again. It returns
// the errors of AuthorizeAgainst and of Hiding.Moderate.
func (m *Moderator) ModeratePlayer(
	ctx context.Context, by access.Attribution, action access.Action, playerID string,
) (Player, error) {
	player, by, err := m.AuthorizeAgainst(ctx, by, action, playerID)
	if err != nil {
		return Player{}, err
	}
	return player, m.Records.ModeratePlayer(ctx, by, action, player.ID)
}
