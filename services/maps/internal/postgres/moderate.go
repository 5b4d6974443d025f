package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
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

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":                       "the row stays as a tombstone",
	"players.merged_into":              "becomes the id of the player merged into, also of players merged before",
	"maps.author_id":                   "becomes the id of the player merged into, also of removed maps",
	"maps.submitted_by_id":             "becomes the id of the player merged into, also of removed maps",
	"map_edits.editor_id":              "becomes the id of the player merged into",
	"map_stats.world_record_player_id": "follows by the states of the totals",
}

const mapsOfPlayerSQL = `
	select distinct game_map_id from (
		select game_map_id from maps where author_id = @player
		union all
		select game_map_id from maps where submitted_by_id = @player) of_player
	order by game_map_id`

// transferMaps gives all maps of a merged player, as author and as submitter, removed ones included, to the player
// whom they were merged into. Where that one was deleted before, the maps lose the texts that the merged player wrote.
// Each game map is a transaction of its own; repeating the call continues where an earlier one was interrupted. No map
// is made for the merged player meanwhile, because Submit and Reassign take the lock of merges.
func (s *Store) transferMaps(ctx context.Context, from string) error {
	gameMapIDs, err := postgres.Collect(ctx, s.db, pgx.RowTo[int64], mapsOfPlayerSQL, pgx.NamedArgs{"player": from})
	if err != nil {
		return fmt.Errorf("maps of player %s: %w", from, err)
	}
	if err := s.transferEdits(ctx, from); err != nil {
		return err
	}
	for _, id := range gameMapIDs {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error {
			into, err := copies.LockCurrent(ctx, tx, from)
			if err != nil {
				return err
			}
			before, err := lockGameMap(ctx, tx, id)
			if err != nil {
				return err
			}
			deleted, err := copies.IsDeleted(ctx, tx, into)
			if err != nil {
				return err
			}
			after := before
			if deleted {
				if after, err = withoutTextsOf(ctx, tx, before, from, nil); err != nil {
					return err
				}
			}
			return saveVersions(ctx, tx, before, after.Merge(from, into))
		})
		if err != nil {
			return fmt.Errorf("transfer game map %d of player %s: %w", id, from, err)
		}
	}
	return s.forgetNames(ctx, from)
}
