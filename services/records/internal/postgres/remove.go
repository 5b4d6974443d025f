package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/access"
	"capzone.dev/platform/audit"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Remove implements record.ModerationStore.
func (s *Store) Remove(ctx context.Context, id string, by access.Attribution) (removed record.Record, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if removed, err = lockRecord(ctx, tx, id); err != nil {
			return err
		}
		wasBest, err := isPersonalBest(ctx, tx, removed)
		if err != nil {
			return err
		}
		before, err := readLeaders(ctx, tx, removed.MapID)
		if err != nil {
			return err
		}
		if err := markRemoved(ctx, tx, removed, by); err != nil {
			return err
		}
		if err := recount(ctx, tx, []string{removed.MapID}, []string{removed.PlayerID}); err != nil {
			return err
		}
		after, err := readLeaders(ctx, tx, removed.MapID)
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.RecordRemoved{
			RecordID: removed.ID, MapID: removed.MapID, PlayerID: removed.PlayerID, FinishTime: int64(removed.FinishTime),
			FinishTimeStamp: removed.FinishTimeStamp, CreatedAt: removed.CreatedAt, PersonalBest: wasBest,
			Moved:       before.top.Moved(after.top, removed.PlayerID),
			WorldRecord: after.worldRecordUnless(before), Reason: string(by.Reason), DecisionID: by.DecisionID, At: now(),
		})
	})
	if err != nil {
		return record.Record{}, err
	}
	return removed, nil
}

// Restore implements record.ModerationStore.
func (s *Store) Restore(ctx context.Context, id string, by access.Attribution) (restored record.Record, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		if restored, err = lockRecord(ctx, tx, id); err != nil {
			return err
		}
		before, err := readLeaders(ctx, tx, restored.MapID)
		if err != nil {
			return err
		}
		if err := markRestored(ctx, tx, restored, by); err != nil {
			return err
		}
		if err := recount(ctx, tx, []string{restored.MapID}, []string{restored.PlayerID}); err != nil {
			return err
		}
		isBest, err := isPersonalBest(ctx, tx, restored)
		if err != nil {
			return err
		}
		after, err := readLeaders(ctx, tx, restored.MapID)
		if err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.RecordRestored{
			RecordID: restored.ID, MapID: restored.MapID, PlayerID: restored.PlayerID, FinishTime: int64(restored.FinishTime),
			FinishTimeStamp: restored.FinishTimeStamp, CreatedAt: restored.CreatedAt, PersonalBest: isBest,
			Moved:       before.top.Moved(after.top, restored.PlayerID),
			WorldRecord: before.worldRecordUnless(after), Reason: string(by.Reason), DecisionID: by.DecisionID, At: now(),
		})
	})
	if err != nil {
		return record.Record{}, err
	}
	return restored, nil
}

const isPersonalBestSQL = `
	select exists (
		select from personal_bests where map_id = @map and player_id = @player and record_id = @id)`

func isPersonalBest(ctx context.Context, tx pgx.Tx, r record.Record) (is bool, err error) {
	args := pgx.NamedArgs{"map": r.MapID, "player": r.PlayerID, "id": r.ID}
	if err := tx.QueryRow(ctx, isPersonalBestSQL, args).Scan(&is); err != nil {
		return false, fmt.Errorf("personal best of record %s: %w", r.ID, err)
	}
	return is, nil
}

const recordSQL = `select ` + recordColumns + ` from records r where id = @id`

// lockRecord locks the map of a record and returns the record. A record's map never changes,
// its player only under the map's lock.
func lockRecord(ctx context.Context, tx pgx.Tx, id string) (record.Record, error) {
	args := pgx.NamedArgs{"id": id}
	found, err := selectRecord(ctx, tx, recordSQL, args)
	if err != nil {
		return record.Record{}, err
	}
	if err := lockMaps(ctx, tx, found.MapID); err != nil {
		return record.Record{}, err
	}
	return selectRecord(ctx, tx, recordSQL, args)
}

const markRemovedSQL = `
	update records set removed_at = @now, removed_reason = @reason
	where id = @id and removed_at is null`

// markRemoved removes a record whose map is locked. It returns record.ErrAlreadyRemoved.
func markRemoved(ctx context.Context, tx pgx.Tx, r record.Record, by access.Attribution) error {
	tag, err := tx.Exec(ctx, markRemovedSQL, pgx.NamedArgs{"id": r.ID, "now": now(), "reason": by.Reason})
	if err != nil {
		return fmt.Errorf("remove record %s: %w", r.ID, err)
	}
	if tag.RowsAffected() == 0 {
		return record.ErrAlreadyRemoved
	}
	return audit.Append(ctx, tx, audit.Entry{
		By: by, Action: access.RemoveRecord, Target: r.ID, Before: auditValues(r, false), After: auditValues(r, true),
	})
}

const (
	// lockRemovedSQL waits for a purge of the record's replay.
	lockRemovedSQL = `
		select removed_at is not null, replay_purged_at is not null from records where id = $1 for update`
	markRestoredSQL = `update records set removed_at = null, removed_reason = null where id = $1`
)

// markRestored restores a record whose map is locked. It returns record.ErrNotRemoved or record.ErrReplayPurged.
func markRestored(ctx context.Context, tx pgx.Tx, r record.Record, by access.Attribution) error {
	var removed, purged bool
	if err := tx.QueryRow(ctx, lockRemovedSQL, r.ID).Scan(&removed, &purged); err != nil {
		return fmt.Errorf("restore record %s: %w", r.ID, err)
	}
	switch {
	case !removed:
		return record.ErrNotRemoved
	case purged:
		return record.ErrReplayPurged
	}
	if _, err := tx.Exec(ctx, markRestoredSQL, r.ID); err != nil {
		return fmt.Errorf("restore record %s: %w", r.ID, err)
	}
	return audit.Append(ctx, tx, audit.Entry{
		By: by, Action: access.RestoreRecord, Target: r.ID, Before: auditValues(r, true), After: auditValues(r, false),
	})
}

// auditValues returns what the audit log says of a record.
func auditValues(r record.Record, removed bool) map[string]any {
	return map[string]any{"map": r.MapID, "player": r.PlayerID, "finishTime": r.FinishTime, "removed": removed}
}

// purgeSQL skips rows that another transaction has locked, and no statement after it
// waits for a lock. A submission of the same replay may wait for its row, never the other
// way round.
const purgeSQL = `
	update records set replay_purged_at = now()
	where id = any (array(
		select id from records
		where removed_at < @before and replay_purged_at is null
		order by removed_at limit @limit for update skip locked))
	returning replay_hash`

// PurgeReplays releases the replay files of at most limit records that were removed before a
// time, and returns how many. The records stay, and their replays stay duplicates. key
// returns where the replay with a hash is stored.
func (s *Store) PurgeReplays(
	ctx context.Context, removedBefore time.Time, limit int, key func(hash string) string,
) (count int, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		args := pgx.NamedArgs{"before": removedBefore, "limit": limit}
		hashes, err := postgres.Collect(ctx, tx, pgx.RowTo[string], purgeSQL, args)
		if err != nil {
			return err
		}
		for _, hash := range hashes {
			if err := objectstore.Release(ctx, tx, key(hash)); err != nil {
				return err
			}
		}
		count = len(hashes)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("purge the replays of removed records: %w", err)
	}
	return count, nil
}

const usesReplaySQL = `select exists (select from records where replay_hash = $1 and replay_purged_at is null)`

// UsesReplay reports whether a record needs the replay with the hash. A removed record does
// until its replay is purged.
func (s *Store) UsesReplay(ctx context.Context, tx pgx.Tx, hash string) (used bool, err error) {
	if err := tx.QueryRow(ctx, usesReplaySQL, hash).Scan(&used); err != nil {
		return false, fmt.Errorf("use of replay %s: %w", hash, err)
	}
	return used, nil
}

const replayHashesSQL = `
	select replay_hash from records
	where replay_hash > @after and replay_purged_at is null
	order by replay_hash
	limit @limit`

// ReplayHashes implements record.ReplayHashes.
func (s *Store) ReplayHashes(ctx context.Context, after string, limit int) ([]string, error) {
	hashes, err := postgres.Collect(ctx, s.db, pgx.RowTo[string],
		replayHashesSQL, pgx.NamedArgs{"after": after, "limit": limit})
	if err != nil {
		return nil, fmt.Errorf("hashes of replays: %w", err)
	}
	return hashes, nil
}
