package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/migrations"
)

// With 10,000 tokens every statement finds its rows by an index.
func TestStore_statements_use_indexes(t *testing.T) {
	t.Parallel()
	pool := manyFamilies(t)
	for _, s := range []struct {
		name, sql, index string
	}{
		{"family of a token", familySQL, "refresh_tokens_pkey"},
		{"look a family up", isLiveSQL, "families_pkey"},
		{"lock a family", lockFamilySQL, "refresh_tokens_pkey"},
		{"read a token", tokenSQL, "refresh_tokens_pkey"},
		{"use tokens up", useTokensSQL, "refresh_tokens_by_family"},
		{"extend a family", extendSQL, "families_pkey"},
		{"revoke", revokeSQL, "families_pkey"},
		{"revoke by token", revokeByTokenSQL, "refresh_tokens_pkey"},
		{"revoke all of a player", revokeAllSQL, "families_by_player"},
		{"read a copy", copies.PlayerSQL, "players_pkey"},
		{"lock a copy", lockPlayerSQL, "players_pkey"},
		{"purge tokens", purgeTokensSQL, "refresh_tokens_by_expiry"},
		{"purge families", purgeFamiliesSQL, "families_by_expiry"},
		{"count personal tokens", countTokensSQL, "personal_tokens_by_player"},
		{"list personal tokens", tokensSQL, "personal_tokens_by_player"},
		{"look a personal token up", tokenByHashSQL, "personal_tokens_hash_key"},
		{"mark a personal token as used", markUsedSQL, "personal_tokens_pkey"},
		{"revoke a personal token", revokeTokenSQL, "personal_tokens_"},
		{"revoke the personal tokens of a player", revokeTokensOfSQL, "personal_tokens_by_player"},
		{"purge personal tokens", purgePersonalTokensSQL, "personal_tokens_by_end"},
	} {
		plan := pgtest.GenericPlan(t, pool, s.sql)
		if strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s reads a whole table:\n%s", s.name, plan)
		}
		if !strings.Contains(plan, s.index) {
			t.Errorf("%s does not use %s:\n%s", s.name, s.index, plan)
		}
	}
	exporttest.WantPlans(t, pool, Exports)
}

// manyFamilies returns a database with 10,000 tokens of 1,000 players.
func manyFamilies(t *testing.T) *postgres.Pool {
	t.Helper()
	return pgtest.Open(t, "many families", migrations.FS, insertFamilies)
}

func insertFamilies(ctx context.Context, pool *postgres.Pool) error {
	for _, sql := range []string{
		`insert into families (id, player_id, created_at, expires_at)
			select gen_random_uuid(), gen_random_uuid(), now(), now() + n * interval '1 minute'
		from generate_series(1, 1000) n`,
		`insert into refresh_tokens (hash, family_id, expires_at)
			select sha256((f.id::text || g)::bytea), f.id, f.expires_at from families f, generate_series(0, 9) g`,
		`insert into players (id, version, name) select gen_random_uuid(), 1, 'p' from generate_series(1, 1000)`,
		`insert into personal_tokens (id, hash, player_id, name, scopes, created_at, expires_at)
			select gen_random_uuid(), sha256((p.id::text || n)::bytea), p.id, 'bot', '{follows}', now(),
				now() + n * interval '1 day'
			from players p, generate_series(1, 5) n`,
	} {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return pgtest.Vacuum(ctx, pool, "families", "refresh_tokens", "players", "personal_tokens")
}
