package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/records/internal/dump"
	"capzone.dev/services/records/internal/record"
)

const (
	// purgeReplaysSQL skips rows that another transaction has locked, and no statement after it waits for a lock. A
	// submission of the same replay may wait for its row, never the other way round.
	purgeReplaysSQL = `
		update records set replay_purged_at = @now
		where id = any (array(
			select id from records
			where removed_at < @before and replay_purged_at is null
			order by removed_at limit @limit for update skip locked))
		returning replay_hash`
	purgePutAsideSQL = `
		delete from goals_put_aside where ctid = any (array(
			select ctid from goals_put_aside where until <= @before
			order by until limit 1000 for update skip locked))`
	// purgeDumpsSQL keeps the first dump of each month, also where it is not that of the first day.
	purgeDumpsSQL = `
		delete from dumps where day < @before::date and day > (
			select min(m.day) from dumps m where date_trunc('month', m.day) = date_trunc('month', dumps.day))
		returning folder, finished_at, manifest`
)

// PurgeReplays releases the replay files of the records that were removed before record.ReplayKeptFor, and returns how
// many. A transaction releases at most limit files. The records stay, and their replays stay duplicates.
func (s *Store) PurgeReplays(ctx context.Context, now time.Time, limit int) (purged int, err error) {
	args := pgx.NamedArgs{"now": now, "before": now.Add(-record.ReplayKeptFor), "limit": limit}
	for n := limit; n == limit; purged += n {
		err := s.db.InTx(ctx, func(tx pgx.Tx) error {
			hashes, err := postgres.Collect(ctx, tx, pgx.RowTo[string], purgeReplaysSQL, args)
			if err != nil {
				return err
			}
			n = len(hashes)
			return objectstore.Release(ctx, tx, postgres.Column(hashes, record.ReplayKey)...)
		})
		if err != nil {
			return purged, fmt.Errorf("purge the replays of removed records: %w", err)
		}
	}
	return purged, nil
}

// PurgePutAside deletes the goals that were put aside until a time, and returns how many.
func (s *Store) PurgePutAside(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now, purgePutAsideSQL)
}

// purgeDumps deletes the dumps that are not kept any more, and releases their files.
func purgeDumps(ctx context.Context, tx pgx.Tx, keptSince time.Time) error {
	args := pgx.NamedArgs{"before": keptSince.UTC().Format(time.DateOnly)}
	expired, err := postgres.Collect(ctx, tx, scanDump, purgeDumpsSQL, args)
	if err != nil {
		return err
	}
	var keys []string
	for _, d := range expired {
		keys = append(keys, d.Folder+dump.ManifestName)
		for _, file := range d.Files {
			keys = append(keys, d.Folder+file.Name)
		}
	}
	return objectstore.Release(ctx, tx, keys...)
}
