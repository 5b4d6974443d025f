package postgres

import (
	"context"
	"time"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	purgeCasesSQL = `
		delete from cases where ctid = any (array(
			select ctid from cases where not open and closed_at < @before
			order by closed_at limit 1000 for update skip locked))`
	purgeAppealsSQL = `
		delete from appeals where ctid = any (array(
			select ctid from appeals where state <> 'open' and answered_at < @before
			order by answered_at limit 1000 for update skip locked))`
	purgeDismissalsSQL = `
		delete from decisions where ctid = any (array(
			select ctid from decisions where created_at < @before and kind in ('dismiss', 'reopen')
			order by created_at limit 1000 for update skip locked))`
	purgeFlagsSQL = `
		delete from flags where ctid = any (array(
			select ctid from flags where case_id is null and created_at < @before
			order by created_at limit 1000 for update skip locked))`
)

// PurgeCases deletes the cases that were closed, the appeals that were answered, and the decisions about reports alone
// that were made, before moderation.CaseKeptFor. It returns how many.
func (s *Store) PurgeCases(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now.Add(-moderation.CaseKeptFor), purgeCasesSQL, purgeAppealsSQL,
		purgeDismissalsSQL)
}

// PurgeFlags deletes the flags without a case of before moderation.SilentFlagKeptFor, and returns how many.
func (s *Store) PurgeFlags(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now.Add(-moderation.SilentFlagKeptFor), purgeFlagsSQL)
}
