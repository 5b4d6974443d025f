package parkourmap

import (
	"context"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// Moderation is a change of a map by moderators or operators.
type Moderation struct {
	// Action is access.ReassignMap, or one of a single version: access.RemoveMap, access.RestoreMap, access.UnrankMap or
	// access.RankMap.
	Action access.Action
	MapID  string
	// AuthorID is the author after access.ReassignMap.
	AuthorID string
	By       access.Attribution
	At       time.Time
}

// ModerationStore changes maps that exist.
type ModerationStore interface {
	// Moderate locks all versions of the game map, and stores what Versions.Moderate returns, in one transaction. A new
	// author who was merged since is replaced by the player merged into.
	Moderate(ctx context.Context, change Moderation) error
}

// Moderator removes, restores, unranks, ranks and corrects maps.
type Moderator struct {
	Maps    ModerationStore
	Players *Players
	Now     func() time.Time
}

// Moderate removes, restores, unranks or ranks one version of a map.
//
// A version that is removed is no longer found, its files are kept and not served. After the newest version, the newest
// remaining one is found by searches. The version cannot be submitted again, and when all versions are removed, no
// other can. A version that is unranked stays on the site with its leaderboard, and its records give no points; updates
// of it keep it unranked, and a version with other physics is ranked.
//
// It returns access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid, or an error of Versions.Moderate.
func (m *Moderator) Moderate(ctx context.Context, change Moderation) error {
	change, err := m.Authorize(ctx, change)
	if err != nil {
		return err
	}
	return m.Maps.Moderate(ctx, change)
}

// Reassign corrects the author of a map and of its other versions by the same author, also removed ones. It returns
// the new author, created as a placeholder where no player has the name. Medal times and submitter do not change. It
// returns access.ErrForbidden, access.ErrReasonInvalid, ErrMapUnknown, also for a removed map, ErrAlreadyAuthor,
// playername.ErrInvalid, or a problem of kind unavailable where the name has no copy and the players service cannot be
// asked.
func (m *Moderator) Reassign(ctx context.Context, by access.Attribution, id, name string) (Player, error) {
	change, err := m.Authorize(ctx, Moderation{Action: access.ReassignMap, MapID: id, By: by})
	if err != nil {
		return Player{}, err
	}
	author, err := m.Players.ByName(ctx, name)
	if err != nil {
		return Player{}, err
	}
	change.AuthorID = author.ID
	return author, m.Maps.Moderate(ctx, change)
}

// Authorize returns a change with whom it is made by, and the time. It returns the errors of access.Authorize, or
// ErrMapUnknown for what is no id.
func (m *Moderator) Authorize(ctx context.Context, change Moderation) (Moderation, error) {
	_, by, err := access.Authorize(ctx, change.By, change.Action, m.Players.Get)
	if err == nil && !event.IsID(change.MapID) {
		err = ErrMapUnknown
	}
	change.By, change.At = by, event.InMillis(m.Now())
	return change, err
}

// errUnchanged are the errors of changes that have been made already.
var errUnchanged = map[access.Action]error{
	access.RemoveMap: ErrAlreadyRemoved, access.RestoreMap: ErrNotRemoved,
	access.UnrankMap: ErrAlreadyUnranked, access.RankMap: ErrNotUnranked,
}

// Moderate returns the change of one version, or of all versions by its author. A removed version can be ranked and
// unranked too. It returns ErrMapUnknown, also for a removed version that is to get another author, ErrAlreadyRemoved,
// ErrNotRemoved, ErrAlreadyUnranked, ErrNotUnranked or ErrAlreadyAuthor.
func (v Versions) Moderate(change Moderation) (Change, error) {
	i := v.find(change.MapID)
	if i < 0 {
		return Change{}, ErrMapUnknown
	}
	if change.Action == access.ReassignMap {
		return v.reassign(v[i], change)
	}
	after := slices.Clone(v)
	m, by := &after[i], change.By
	var fact event.Fact
	done := event.MapRemoved{MapID: m.ID, Reason: string(by.Reason), DecisionID: by.DecisionID}
	switch {
	case change.Action == access.RemoveMap && !m.IsRemoved():
		m.RemovedAt, fact = change.At, done
	case change.Action == access.RestoreMap && m.IsRemoved():
		m.RemovedAt, fact = time.Time{}, event.MapRestored(done)
	case change.Action == access.UnrankMap && !m.Unranked:
		m.Unranked, m.UnrankedReason, fact = true, by.PublicReason, event.MapUnranked(done)
	case change.Action == access.RankMap && m.Unranked:
		m.Unranked, m.UnrankedReason, fact = false, "", event.MapRanked(done)
	default:
		return Change{}, errUnchanged[change.Action]
	}
	after.supersede()
	entry := v.entry(after, by, change.Action, m.ID)
	return Change{Versions: after, Facts: []event.Fact{fact}, Entries: []access.Entry{entry}}, nil
}

// reassign is Moderate for access.ReassignMap, of a version and all others by the same author.
func (v Versions) reassign(m Map, change Moderation) (Change, error) {
	switch {
	case m.IsRemoved():
		return Change{}, ErrMapUnknown
	case m.AuthorID == change.AuthorID:
		return Change{}, ErrAlreadyAuthor
	}
	after := slices.Clone(v)
	for i := range after {
		if v[i].AuthorID == m.AuthorID {
			after[i].AuthorID, after[i].UpdatedAt = change.AuthorID, event.Later(change.At, v[i].UpdatedAt)
		}
	}
	return v.ownersChange(after, change.By, change.Action), nil
}
