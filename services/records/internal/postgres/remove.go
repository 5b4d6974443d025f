package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Remove implements record.RemovalStore.
func (s *Store) Remove(ctx context.Context, id string, by record.Attribution) (removed record.Record, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if removed, err = lockRecord(ctx, tx, id); err != nil {
			return err
		}
		if err := markRemoved(ctx, tx, removed, by); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.RecordRemoved{
			RecordID: removed.ID, MapID: removed.MapID, PlayerID: removed.PlayerID, Reason: by.Reason,
		})
	})
	return removed, err
}

const recordSQL = `select ` + recordColumns + ` from records where id = $1`

// lockRecord locks the map of a record and returns the record. A record's map never changes,
// its player only under the map's lock.
func lockRecord(ctx context.Context, tx pgx.Tx, id string) (record.Record, error) {
	found, err := getRecord(ctx, tx, id)
	if err != nil {
		return record.Record{}, err
	}
	if err := lockMap(ctx, tx, found.MapID); err != nil {
		return record.Record{}, err
	}
	return getRecord(ctx, tx, id)
}

func getRecord(ctx context.Context, tx pgx.Tx, id string) (record.Record, error) {
	rows, err := tx.Query(ctx, recordSQL, id)
	if err != nil {
		return record.Record{}, fmt.Errorf("record %s: %w", id, err)
	}
	return collectRecord(rows)
}

const markRemovedSQL = `
	update records set removed_at = @now, removed_reason = @reason
	where id = @id and removed_at is null`

// markRemoved removes a record whose map is locked, also from the leaderboard and the totals.
func markRemoved(ctx context.Context, tx pgx.Tx, r record.Record, by record.Attribution) error {
	tag, err := tx.Exec(ctx, markRemovedSQL, pgx.NamedArgs{"id": r.ID, "now": now(), "reason": by.Reason})
	if err != nil {
		return fmt.Errorf("remove record %s: %w", r.ID, err)
	}
	if tag.RowsAffected() == 0 {
		return record.ErrAlreadyRemoved
	}
	err = postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
		Actor: by.Operator, Action: "remove record", Subject: r.ID, Reason: by.Reason,
		Details: map[string]any{"map": r.MapID, "player": r.PlayerID, "finishTime": r.FinishTime},
	})
	if err != nil {
		return err
	}
	mapRemoved, err := isMapRemoved(ctx, tx, r.MapID)
	if err != nil || mapRemoved {
		return err // a removed map has neither a leaderboard nor totals
	}
	return countRecord(ctx, tx, r, -1)
}

// countRecord refreshes what depends on a record that was removed (change -1) or restored (change 1): the player's
// personal best and both totals. Triggers have refreshed the map's world records.
func countRecord(ctx context.Context, tx pgx.Tx, r record.Record, change int) error {
	if err := refreshPersonalBest(ctx, tx, r.MapID, r.PlayerID); err != nil {
		return err
	}
	ofMap, err := addMapRecords(ctx, tx, r.MapID, change)
	if err != nil {
		return err
	}
	ofPlayer, err := addPlayerRecords(ctx, tx, r.PlayerID, change)
	if err != nil {
		return err
	}
	return outbox.Append(ctx, tx, ofMap, ofPlayer)
}

// purgeSQL passes over rows that another transaction has locked, and no statement after it
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
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, purgeSQL, pgx.NamedArgs{"before": removedBefore, "limit": limit})
		if err != nil {
			return err
		}
		hashes, err := pgx.CollectRows(rows, pgx.RowTo[string])
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
