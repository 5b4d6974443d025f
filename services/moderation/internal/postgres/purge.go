package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	purgeCasesSQL = `
		delete from cases where ctid = any (array(
			select ctid from cases where not open and closed_at < @cases order by closed_at limit 100))`
	purgeFlagsSQL = `
		delete from flags where ctid = any (array(
			select ctid from flags where case_id is null and created_at < @flags order by created_at limit 1000))`
	purgeAppealsSQL = `
		delete from appeals where ctid = any (array(
			select ctid from appeals where state <> 'open' and answered_at < @cases order by answered_at limit 100))`
	purgeDismissalsSQL = `
		delete from decisions where ctid = any (array(
			select ctid from decisions where created_at < @cases and kind in ('dismiss', 'reopen') order by created_at
			limit 100))`
)

// Purge deletes what is kept for a time only, and returns how many rows of the largest kinds.
func (s *Store) Purge(ctx context.Context, now time.Time) (purged int, err error) {
	args := pgx.NamedArgs{"cases": now.Add(-moderation.CaseKeptFor), "flags": now.Add(-moderation.SilentFlagKeptFor)}
	for _, sql := range []string{purgeCasesSQL, purgeFlagsSQL, purgeAppealsSQL, purgeDismissalsSQL} {
		deleted, err := postgres.ExecAll(ctx, s.db, sql, args)
		purged += deleted
		if err != nil {
			return purged, fmt.Errorf("purge: %w", err)
		}
	}
	return purged, nil
}
