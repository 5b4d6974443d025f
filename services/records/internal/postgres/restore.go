package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Restore implements record.RemovalStore.
func (s *Store) Restore(ctx context.Context, id string, by record.Attribution) (restored record.Record, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if restored, err = lockRecord(ctx, tx, id); err != nil {
			return err
		}
		mapRemoved, err := isMapRemoved(ctx, tx, restored.MapID)
		switch {
		case err != nil:
			return err
		case mapRemoved:
			return record.ErrMapRemoved
		}
		if err := markRestored(ctx, tx, restored, by); err != nil {
			return err
		}
		if err := countRecord(ctx, tx, restored, 1); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, event.RecordRestored{
			RecordID: restored.ID, MapID: restored.MapID, PlayerID: restored.PlayerID, Reason: by.Reason,
		})
	})
	return restored, err
}

const (
	// lockRemovedSQL waits for a purge of the record's replay.
	lockRemovedSQL = `
		select removed_at is not null, replay_purged_at is not null from records where id = $1 for update`
	markRestoredSQL = `update records set removed_at = null, removed_reason = null where id = $1`
)

// markRestored restores a record whose map is locked. It returns record.ErrNotRemoved or record.ErrReplayPurged.
func markRestored(ctx context.Context, tx pgx.Tx, r record.Record, by record.Attribution) error {
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
	return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
		Actor: by.Operator, Action: "restore record", Subject: r.ID, Reason: by.Reason,
		Details: map[string]any{"map": r.MapID, "player": r.PlayerID, "finishTime": r.FinishTime},
	})
}
