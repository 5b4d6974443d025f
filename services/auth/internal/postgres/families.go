// Package postgres keeps families of refresh tokens and the copies of players in
// PostgreSQL.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/session"
)

// Store is a session.Families and a session.Copies.
type Store struct {
	pool *postgres.Pool
}

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{pool: pool} }

const startSQL = `
	with family as (
		insert into families (id, player_id, generation, created_at, expires_at)
		values (@id, @player, 0, @created, @expires)
	)
	insert into refresh_tokens (hash, family_id, generation, created_at, expires_at)
	values (@hash, @id, 0, @created, @expires)`

// Start implements session.Families. The player's row is locked before the
// family is made, and before it is revoked by TakePlayer, so that no login slips
// through while a ban arrives.
func (s *Store) Start(ctx context.Context, f session.Family, t session.Token, p event.PlayerState) error {
	return postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		barred, _, err := upsertPlayer(ctx, tx, p)
		if err != nil {
			return err
		}
		if barred {
			return session.ErrBanned
		}
		_, err = tx.Exec(ctx, startSQL, pgx.NamedArgs{
			"id": f.ID, "player": f.PlayerID, "hash": t.Hash[:], "created": t.CreatedAt, "expires": t.ExpiresAt,
		})
		if err != nil {
			return fmt.Errorf("start a family of player %s: %w", f.PlayerID, err)
		}
		return nil
	})
}

const findSQL = `
	select f.id, f.player_id, f.revoked_at is not null, t.expires_at, (
		select min(created_at) from refresh_tokens
		where family_id = t.family_id and generation = t.generation + 1
	)
	from refresh_tokens t
	join families f on f.id = t.family_id
	where t.hash = $1`

// Find implements session.Families. A token was used when the next generation began.
func (s *Store) Find(ctx context.Context, presented session.Hash) (session.TokenState, error) {
	var found session.TokenState
	var usedAt *time.Time
	err := s.pool.QueryRow(ctx, findSQL, presented[:]).
		Scan(&found.Family.ID, &found.Family.PlayerID, &found.Revoked, &found.ExpiresAt, &usedAt)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return session.TokenState{}, session.ErrInvalid
	case err != nil:
		return session.TokenState{}, fmt.Errorf("find a refresh token: %w", err)
	}
	found.ExpiresAt = found.ExpiresAt.UTC()
	if usedAt != nil {
		found.UsedAt = usedAt.UTC()
	}
	return found, nil
}

const rotateSQL = `
	with rotated as (
		update families f
		set generation = f.generation + 1, expires_at = greatest(f.expires_at, @expires)
		from refresh_tokens t
		where t.hash = @presented and f.id = t.family_id and f.generation = t.generation
			and t.expires_at > @created and f.revoked_at is null
		returning f.id, f.generation
	)
	insert into refresh_tokens (hash, family_id, generation, created_at, expires_at)
	select @hash, id, generation, @created, @expires from rotated`

// Rotate implements session.Families. The one UPDATE decides: whoever comes
// second waits for it and then finds the generation raised.
func (s *Store) Rotate(ctx context.Context, presented session.Hash, next session.Token) (bool, error) {
	tag, err := s.pool.Exec(ctx, rotateSQL, pgx.NamedArgs{
		"presented": presented[:], "hash": next.Hash[:], "created": next.CreatedAt, "expires": next.ExpiresAt,
	})
	if err != nil {
		return false, fmt.Errorf("rotate a refresh token: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

const siblingSQL = `
	with present as (
		select id, generation from families where id = @family and revoked_at is null for share
	)
	insert into refresh_tokens (hash, family_id, generation, created_at, expires_at)
	select @hash, id, generation, @created, @expires from present`

// AddSibling implements session.Families. The lock on the family has the sibling
// come before or after a rotation, never in between.
func (s *Store) AddSibling(ctx context.Context, family string, next session.Token) (bool, error) {
	tag, err := s.pool.Exec(ctx, siblingSQL, pgx.NamedArgs{
		"family": family, "hash": next.Hash[:], "created": next.CreatedAt, "expires": next.ExpiresAt,
	})
	if err != nil {
		return false, fmt.Errorf("add a sibling to family %s: %w", family, err)
	}
	return tag.RowsAffected() == 1, nil
}

const revokeSQL = `
	update families set revoked_at = @at, revoked_by = @because
	where id = @family and revoked_at is null`

// Revoke implements session.Families.
func (s *Store) Revoke(ctx context.Context, family string, because session.Cause, at time.Time) error {
	_, err := s.pool.Exec(ctx, revokeSQL, pgx.NamedArgs{"family": family, "because": string(because), "at": at})
	if err != nil {
		return fmt.Errorf("revoke family %s: %w", family, err)
	}
	return nil
}

const revokeTokenSQL = `
	update families set revoked_at = @at, revoked_by = @because
	where id = (select family_id from refresh_tokens where hash = @presented) and revoked_at is null`

// RevokeToken implements session.Families.
func (s *Store) RevokeToken(ctx context.Context, presented session.Hash, because session.Cause, at time.Time) error {
	_, err := s.pool.Exec(ctx, revokeTokenSQL, pgx.NamedArgs{"presented": presented[:], "because": string(because), "at": at})
	if err != nil {
		return fmt.Errorf("revoke the family of a token: %w", err)
	}
	return nil
}

const sweepTokensSQL = `
	delete from refresh_tokens where hash = any (array(
		select hash from refresh_tokens where expires_at < @before
		order by expires_at limit @most for update skip locked))`

const sweepFamiliesSQL = `
	delete from families where id = any (array(
		select id from families f where expires_at < @before
			and not exists (select from refresh_tokens where family_id = f.id)
		order by expires_at limit @most for update skip locked))`

// Sweep implements session.Families. Tokens go before their families, so that no
// batch takes more rows than it says. Sweepers at once share the work.
func (s *Store) Sweep(ctx context.Context, expiredBefore time.Time, most int) (int, error) {
	swept := 0
	for _, sql := range []string{sweepTokensSQL, sweepFamiliesSQL} {
		tag, err := s.pool.Exec(ctx, sql, pgx.NamedArgs{"before": expiredBefore, "most": most - swept})
		if err != nil {
			return swept, fmt.Errorf("sweep expired sessions: %w", err)
		}
		swept += int(tag.RowsAffected())
	}
	return swept, nil
}
