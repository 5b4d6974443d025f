package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Remove implements parkourmap.ModerationStore.
func (s *Store) Remove(ctx context.Context, id string, at time.Time, by access.Attribution) error {
	remove := func(v parkourmap.Versions) (parkourmap.Versions, error) { return v.Remove(id, at) }
	fact := event.MapRemoved{MapID: id, Reason: string(by.Reason), DecisionID: by.DecisionID}
	return s.moderate(ctx, id, remove, fact, audit.Entry{By: by, Action: access.RemoveMap, Target: id})
}

// Restore implements parkourmap.ModerationStore.
func (s *Store) Restore(ctx context.Context, id string, by access.Attribution) error {
	restore := func(v parkourmap.Versions) (parkourmap.Versions, error) { return v.Restore(id) }
	fact := event.MapRestored{MapID: id, Reason: string(by.Reason), DecisionID: by.DecisionID}
	return s.moderate(ctx, id, restore, fact, audit.Entry{By: by, Action: access.RestoreMap, Target: id})
}

// Unrank implements parkourmap.ModerationStore.
func (s *Store) Unrank(ctx context.Context, id string, by access.Attribution) error {
	unrank := func(v parkourmap.Versions) (parkourmap.Versions, error) { return v.Unrank(id, by.PublicReason) }
	fact := event.MapUnranked{MapID: id, Reason: string(by.Reason), DecisionID: by.DecisionID}
	return s.moderate(ctx, id, unrank, fact, audit.Entry{By: by, Action: access.UnrankMap, Target: id})
}

// Rank implements parkourmap.ModerationStore.
func (s *Store) Rank(ctx context.Context, id string, by access.Attribution) error {
	rank := func(v parkourmap.Versions) (parkourmap.Versions, error) { return v.Rank(id) }
	fact := event.MapRanked{MapID: id, Reason: string(by.Reason), DecisionID: by.DecisionID}
	return s.moderate(ctx, id, rank, fact, audit.Entry{By: by, Action: access.RankMap, Target: id})
}

// moderate stores what change returns for the versions of a map, with the fact and the entry of the audit log, to which
// it adds the values before and after.
func (s *Store) moderate(
	ctx context.Context, id string, change func(parkourmap.Versions) (parkourmap.Versions, error), fact event.Fact,
	entry audit.Entry,
) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockGameMapOf(ctx, tx, id)
		if err != nil {
			return err
		}
		after, err := change(before)
		if err != nil {
			return err
		}
		if err := saveVersions(ctx, tx, before, after); err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, fact); err != nil {
			return err
		}
		entry.Before, entry.After = auditOf(before, id), auditOf(after, id)
		return audit.Append(ctx, tx, entry)
	})
}

// Reassign implements parkourmap.ModerationStore.
func (s *Store) Reassign(
	ctx context.Context, id string, author parkourmap.Player, at time.Time, by access.Attribution,
) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		authorID, err := copies.LockCurrent(ctx, tx, author.ID)
		if err != nil {
			return err
		}
		before, err := lockGameMapOf(ctx, tx, id)
		if err != nil {
			return err
		}
		after, err := before.Reassign(id, authorID, at)
		if err != nil {
			return err
		}
		if err := saveVersions(ctx, tx, before, after); err != nil {
			return err
		}
		for i, m := range before {
			if after[i].AuthorID == m.AuthorID {
				continue
			}
			if err := outbox.Append(ctx, tx, event.MapReassigned{
				MapID: m.ID, OldAuthorID: m.AuthorID, NewAuthorID: authorID, Reason: string(by.Reason),
			}); err != nil {
				return err
			}
			if err := audit.Append(ctx, tx, audit.Entry{
				By: by, Action: access.ReassignMap, Target: m.ID,
				Before: auditOf(before, m.ID), After: auditOf(after, m.ID),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// auditOf returns what the audit log says of a version.
func auditOf(versions parkourmap.Versions, id string) map[string]any {
	m := versions[slices.IndexFunc(versions, func(m parkourmap.Map) bool { return m.ID == id })]
	return map[string]any{
		"name": m.Name, "gameMapId": m.GameMapID, "mapVersion": m.MapVersion, "authorId": m.AuthorID,
		"removed": m.IsRemoved(), "unranked": m.Unranked,
	}
}
