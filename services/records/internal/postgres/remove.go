package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/record"
)

// Remove implements record.Removals.
func (s *Records) Remove(ctx context.Context, id string, by record.Attribution) (run record.Run, err error) {
	err = postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if run, err = lockRun(ctx, tx, id); err != nil {
			return err
		}
		board, err := lockBoard(ctx, tx, run.MapID, run.PlayerID)
		if err != nil {
			return err
		}
		if err := markRemoved(ctx, tx, run, by); err != nil {
			return err
		}
		// Of a map that was taken down, nothing is ranked or counted.
		if !board.removed {
			if err := unrank(ctx, tx, board, run); err != nil {
				return err
			}
		}
		return outbox.Append(ctx, tx, event.RecordRemoved{
			RecordID: run.ID, MapID: run.MapID, PlayerID: run.PlayerID, Reason: by.Reason,
		})
	})
	return run, err
}

// lockRun locks the map of a run and returns the run. Its map never changes, its
// player only under the map's lock (see handover.go).
func lockRun(ctx context.Context, tx pgx.Tx, id string) (record.Run, error) {
	const runSQL = `select ` + runColumns + ` from runs where id = $1`
	run, err := oneRun(tx.Query(ctx, runSQL, id))
	if err != nil {
		return record.Run{}, err
	}
	batch := &pgx.Batch{}
	lockMap(batch, run.MapID)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return record.Run{}, fmt.Errorf("lock map %s: %w", run.MapID, err)
	}
	return oneRun(tx.Query(ctx, runSQL, id))
}

func markRemoved(ctx context.Context, tx pgx.Tx, run record.Run, by record.Attribution) error {
	tag, err := tx.Exec(ctx, `
		update runs set removed_at = @now, removed_reason = @reason
		where id = @id and removed_at is null`,
		pgx.NamedArgs{"id": run.ID, "now": now(), "reason": by.Reason})
	if err != nil {
		return fmt.Errorf("remove run %s: %w", run.ID, err)
	}
	if tag.RowsAffected() == 0 {
		return record.ErrAlreadyRemoved
	}
	return postgres.AppendAudit(ctx, tx, postgres.AuditEntry{
		Actor: by.Operator, Action: "remove record", Subject: run.ID, Reason: by.Reason,
		Details: map[string]any{"map": run.MapID, "player": run.PlayerID, "finishTime": run.FinishTime},
	})
}

// unrank takes the run off the leaderboard and the totals, under the map's lock.
func unrank(ctx context.Context, tx pgx.Tx, b board, run record.Run) error {
	if b.best == nil {
		return fmt.Errorf("map %s has no row of player %s", run.MapID, run.PlayerID)
	}
	batch := &pgx.Batch{}
	players := 0
	if b.best.ID == run.ID {
		next, err := nextBest(ctx, tx, run)
		if err != nil {
			return err
		}
		if next == nil {
			players = -1
		}
		b.setBest(batch, next, b.runs-1)
	} else {
		b.setRuns(batch, b.runs-1)
	}
	if err := b.countRun(ctx, batch, -1, players); err != nil {
		return err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("unrank run %s: %w", run.ID, err)
	}
	return nil
}

const nextBestSQL = `
	select ` + runColumns + ` from runs
	where map_id = $1 and player_id = $2 and removed_at is null
	order by finish_time, seq
	limit 1`

// nextBest returns the player's best run on the map, or nil when none stands:
// the fastest, and among the equally fast the one that was accepted first.
func nextBest(ctx context.Context, tx pgx.Tx, of record.Run) (*record.Run, error) {
	next, err := oneRun(tx.Query(ctx, nextBestSQL, of.MapID, of.PlayerID))
	if errors.Is(err, record.ErrRecordUnknown) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &next, nil
}
