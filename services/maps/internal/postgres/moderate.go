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

// Moderate implements parkourmap.ModerationStore.
func (s *Store) Moderate(ctx context.Context, change parkourmap.Moderation) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		before, err := lockGameMapOf(ctx, tx, change.MapID)
		if err != nil {
			return err
		}
		after, fact, err := before.Moderate(change)
		if err != nil {
			return err
		}
		if err := saveVersions(ctx, tx, before, after); err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, fact); err != nil {
			return err
		}
		return audit.Append(ctx, tx, audit.Entry{
			By: change.By, Action: change.Action, Target: change.MapID,
			Before: auditOf(before, change.MapID), After: auditOf(after, change.MapID),
		})
	})
}

// Reassign implements parkourmap.ModerationStore.
func (s *Store) Reassign(
	ctx context.Context, by access.Attribution, id string, author parkourmap.Player, at time.Time,
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
		return appendOwners(ctx, tx, access.ReassignMap, by, before, after)
	})
}

// appendOwners appends the facts and the entries of the audit log of the versions that an action about their owner has
// removed or given to another author.
func appendOwners(
	ctx context.Context, tx pgx.Tx, action access.Action, by access.Attribution, before, after parkourmap.Versions,
) error {
	for i, m := range before {
		var fact event.Fact
		switch {
		case after[i].IsRemoved() && !m.IsRemoved():
			fact = event.MapRemoved{MapID: m.ID, Reason: string(by.Reason)}
		case after[i].AuthorID != m.AuthorID:
			fact = event.MapReassigned{
				MapID: m.ID, OldAuthorID: m.AuthorID, NewAuthorID: after[i].AuthorID, Reason: string(by.Reason),
			}
		default:
			continue
		}
		if err := outbox.Append(ctx, tx, fact); err != nil {
			return err
		}
		err := audit.Append(ctx, tx, audit.Entry{
			By: by, Action: action, Target: m.ID, Before: auditOf(before, m.ID), After: auditOf(after, m.ID),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// auditOf returns what the audit log says of a version.
func auditOf(versions parkourmap.Versions, id string) map[string]any {
	m := versions[slices.IndexFunc(versions, func(m parkourmap.Map) bool { return m.ID == id })]
	return map[string]any{
		"name": m.Name, "gameMapId": m.GameMapID, "mapVersion": m.MapVersion, "authorId": m.AuthorID,
		"removed": m.IsRemoved(), "unranked": m.Unranked,
	}
}
