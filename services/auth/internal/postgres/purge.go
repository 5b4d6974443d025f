package postgres

import (
	"context"
	"time"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
)

const (
	purgeTokensSQL = `
		delete from refresh_tokens where ctid = any (array(
			select ctid from refresh_tokens where expires_at < @before
			order by expires_at limit 1000 for update skip locked))`
	purgeFamiliesSQL = `
		delete from families where ctid = any (array(
			select ctid from families f where expires_at < @before
				and not exists (select from refresh_tokens where family_id = f.id)
			order by expires_at limit 1000 for update skip locked))`
	purgePersonalTokensSQL = `
		delete from personal_tokens where ctid = any (array(
			select ctid from personal_tokens where least(revoked_at, expires_at) < @before
			order by least(revoked_at, expires_at) limit 1000 for update skip locked))`
)

// PurgeSessions deletes the tokens and families that have expired, and returns how many. Tokens go before their
// families, so that no cascade deletes more rows than a batch.
func (s *Store) PurgeSessions(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now, purgeTokensSQL, purgeFamiliesSQL)
}

// PurgePersonalTokens deletes the personal tokens that ended before personaltoken.KeptFor, and returns how many.
func (s *Store) PurgePersonalTokens(ctx context.Context, now time.Time) (int, error) {
	return postgres.PurgeBefore(ctx, s.db, now.Add(-personaltoken.KeptFor), purgePersonalTokensSQL)
}
