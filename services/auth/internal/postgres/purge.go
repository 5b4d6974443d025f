package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
)

const (
	purgeTokensSQL = `
		delete from refresh_tokens where hash = any (array(
			select hash from refresh_tokens where expires_at < @now
			order by expires_at limit 500 for update skip locked))`
	purgeFamiliesSQL = `
		delete from families where id = any (array(
			select id from families f where expires_at < @now
				and not exists (select from refresh_tokens where family_id = f.id)
			order by expires_at limit 500 for update skip locked))`
	purgePersonalTokensSQL = `
		delete from personal_tokens where id = any (array(
			select id from personal_tokens where least(revoked_at, expires_at) < @before
			order by least(revoked_at, expires_at) limit 500 for update skip locked))`
)

// PurgeSessions deletes the tokens and families that have expired, and returns how many. Tokens go before their
// families, so that no cascade deletes more rows than a batch. Concurrent calls skip each other's rows.
func (s *Store) PurgeSessions(ctx context.Context, now time.Time) (int, error) {
	args := pgx.NamedArgs{"now": now}
	tokens, err := postgres.ExecAll(ctx, s.db, purgeTokensSQL, args)
	if err != nil {
		return tokens, fmt.Errorf("purge expired sessions: %w", err)
	}
	families, err := postgres.ExecAll(ctx, s.db, purgeFamiliesSQL, args)
	return tokens + families, postgres.Wrap(err, "purge expired sessions")
}

// PurgePersonalTokens deletes the personal tokens that ended before personaltoken.KeptFor, and returns how many.
// Concurrent calls skip each other's rows.
func (s *Store) PurgePersonalTokens(ctx context.Context, now time.Time) (int, error) {
	args := pgx.NamedArgs{"before": now.Add(-personaltoken.KeptFor)}
	purged, err := postgres.ExecAll(ctx, s.db, purgePersonalTokensSQL, args)
	return purged, postgres.Wrap(err, "purge personal tokens")
}
