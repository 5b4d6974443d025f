package parkourmap

import (
	"context"
	"strconv"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// ModerationStore changes maps that exist. Each change locks all versions of the game map, and stores the
// versions afterwards with their events and an entry of the audit log in one transaction.
type ModerationStore interface {
	// Remove stores what Versions.Remove returns.
	Remove(ctx context.Context, id string, at time.Time, by access.Attribution) error
	// Restore stores what Versions.Restore returns.
	Restore(ctx context.Context, id string, by access.Attribution) error
	// Unrank stores what Versions.Unrank returns.
	Unrank(ctx context.Context, id string, by access.Attribution) error
	// Rank stores what Versions.Rank returns.
	Rank(ctx context.Context, id string, by access.Attribution) error
	// Reassign stores what Versions.Reassign returns, for the player whom the author was merged into, if any.
	Reassign(ctx context.Context, id string, author Player, at time.Time, by access.Attribution) error
	// Unlist deletes an imported map, or returns ErrListedMapUnknown. It locks no versions.
	Unlist(ctx context.Context, gameMapID int64, by access.Attribution) error
}

// Moderator removes, restores, unranks, ranks and corrects maps.
type Moderator struct {
	Maps    ModerationStore
	Players *Players
	Now     func() time.Time
}

// Remove removes one version of a map: it is no longer found, its files are kept and not served. After
// the newest version, the newest remaining one is found by searches. The version cannot be submitted
// again, and when all versions are removed, no other can. It returns access.ErrForbidden,
// access.ErrReasonMissing, access.ErrReasonInvalid, ErrMapUnknown or ErrAlreadyRemoved.
func (m *Moderator) Remove(ctx context.Context, id string, by access.Attribution) error {
	by, err := m.Authorize(ctx, id, by, access.RemoveMap)
	if err != nil {
		return err
	}
	return m.Maps.Remove(ctx, id, m.Now(), by)
}

// Restore undoes Remove. It returns access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid,
// ErrMapUnknown or ErrNotRemoved.
func (m *Moderator) Restore(ctx context.Context, id string, by access.Attribution) error {
	by, err := m.Authorize(ctx, id, by, access.RestoreMap)
	if err != nil {
		return err
	}
	return m.Maps.Restore(ctx, id, by)
}

// Unrank unranks one version of a map, removed or not: it stays on the site with its leaderboard, and its records give
// no points. Updates of the version keep it unranked; a version with other physics is ranked. It returns
// access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid, ErrMapUnknown or ErrAlreadyUnranked.
func (m *Moderator) Unrank(ctx context.Context, id string, by access.Attribution) error {
	by, err := m.Authorize(ctx, id, by, access.UnrankMap)
	if err != nil {
		return err
	}
	return m.Maps.Unrank(ctx, id, by)
}

// Rank undoes Unrank. It returns access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid, ErrMapUnknown
// or ErrNotUnranked.
func (m *Moderator) Rank(ctx context.Context, id string, by access.Attribution) error {
	by, err := m.Authorize(ctx, id, by, access.RankMap)
	if err != nil {
		return err
	}
	return m.Maps.Rank(ctx, id, by)
}

// Reassign corrects the author of a map and of its other versions by the same author, also removed ones. It returns
// the new author, created as a placeholder where no player has the name. Medal times and submitter do not change. It
// returns access.ErrForbidden, access.ErrReasonInvalid, ErrMapUnknown, also for a removed map, ErrAlreadyAuthor,
// playername.ErrInvalid, or a problem of kind unavailable where the name has no copy and the players service cannot be
// asked.
func (m *Moderator) Reassign(ctx context.Context, id, name string, by access.Attribution) (Player, error) {
	by, err := m.Authorize(ctx, id, by, access.ReassignMap)
	if err != nil {
		return Player{}, err
	}
	author, err := m.Players.ByName(ctx, name)
	if err != nil {
		return Player{}, err
	}
	return author, m.Maps.Reassign(ctx, id, author, m.now(), by)
}

// Unlist undoes the import of the map with the game's id. A version of the map on the site stays. It returns
// access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid or ErrListedMapUnknown.
func (m *Moderator) Unlist(ctx context.Context, gameMapID string, by access.Attribution) error {
	_, by, err := access.Authorize(ctx, by, access.UnlistMap, m.Players.Get)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(gameMapID, 10, 64)
	if err != nil {
		return ErrListedMapUnknown
	}
	return m.Maps.Unlist(ctx, id, by)
}

func (m *Moderator) now() time.Time { return m.Now().UTC().Truncate(time.Millisecond) }

// Authorize is access.Authorize for the change of a map. It also returns ErrMapUnknown for what is no id.
func (m *Moderator) Authorize(
	ctx context.Context, id string, by access.Attribution, action access.Action,
) (access.Attribution, error) {
	_, by, err := access.Authorize(ctx, by, action, m.Players.Get)
	if err == nil && !event.IsID(id) {
		err = ErrMapUnknown
	}
	return by, err
}
