package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/personal"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
)

const (
	countTokensSQL = `
		select count(*) from personal_tokens
		where player_id = @player_id and revoked_at is null and expires_at > @now`

	createTokenSQL = `
		insert into personal_tokens (id, hash, player_id, name, scopes, created_at, expires_at)
		values (@id, @hash, @player_id, @name, @scopes, @created_at, @expires_at)`
)

// CreateToken implements personaltoken.Store. It locks the player's row first, as ApplyPlayer does, so that tokens are
// counted one after the other and no token is made while a ban is being applied.
func (s *Store) CreateToken(ctx context.Context, t personaltoken.Token) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		owner, err := lockOwner(ctx, tx, t.PlayerID, t.CreatedAt)
		if err != nil {
			return err
		}
		if err := owner.CheckCreate(); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, createTokenSQL, pgx.NamedArgs{
			"id": t.ID, "hash": t.Hash[:], "player_id": t.PlayerID, "name": t.Name, "scopes": t.Scopes,
			"created_at": t.CreatedAt, "expires_at": t.ExpiresAt,
		})
		return postgres.Wrap(err, "store a token of player %s", t.PlayerID)
	})
}

// lockOwner locks a player who makes a token at a time.
func lockOwner(ctx context.Context, tx pgx.Tx, id string, at time.Time) (o personaltoken.Owner, err error) {
	if o.Player, err = lockPlayer(ctx, tx, id); err != nil {
		return o, err
	}
	err = tx.QueryRow(ctx, countTokensSQL, pgx.NamedArgs{"player_id": id, "now": at}).Scan(&o.Tokens)
	return o, postgres.Wrap(err, "count the tokens of player %s", id)
}

const tokensSQL = `
	select id, hash, player_id, name, scopes, created_at, expires_at, last_used_on, revoked_at is not null
	from personal_tokens
	where player_id = @player_id and revoked_at is null and expires_at > @now
	order by created_at desc, id`

// Tokens implements personaltoken.Store.
func (s *Store) Tokens(ctx context.Context, playerID string, now time.Time) ([]personaltoken.Token, error) {
	tokens, err := postgres.Collect(ctx, s.db, scanToken, tokensSQL, pgx.NamedArgs{"player_id": playerID, "now": now})
	return tokens, postgres.Wrap(err, "tokens of player %s", playerID)
}

const tokenByHashSQL = `
	select id, hash, player_id, name, scopes, created_at, expires_at, last_used_on, revoked_at is not null
	from personal_tokens where hash = @hash`

// TokenByHash implements personaltoken.Store.
func (s *Store) TokenByHash(ctx context.Context, hash personal.Hash) (personaltoken.Token, error) {
	t, err := postgres.CollectOne(ctx, s.db, scanToken, tokenByHashSQL, pgx.NamedArgs{"hash": hash[:]})
	return t, postgres.ReadError(err, personaltoken.ErrUnknown, "look a token up")
}

func scanToken(row pgx.CollectableRow) (personaltoken.Token, error) {
	var t personaltoken.Token
	var hash []byte
	var lastUsedOn *time.Time
	err := row.Scan(&t.ID, &hash, &t.PlayerID, &t.Name, &t.Scopes, &t.CreatedAt, &t.ExpiresAt, &lastUsedOn, &t.Revoked)
	copy(t.Hash[:], hash)
	if lastUsedOn != nil {
		t.LastUsedOn = *lastUsedOn
	}
	return t, err
}

const markUsedSQL = `
	update personal_tokens set last_used_on = @day
	where id = @id and (last_used_on is null or last_used_on < @day)`

// MarkUsed implements personaltoken.Store.
func (s *Store) MarkUsed(ctx context.Context, id string, day time.Time) error {
	_, err := s.db.Exec(ctx, markUsedSQL, pgx.NamedArgs{"id": id, "day": day})
	return postgres.Wrap(err, "mark token %s as used", id)
}

const revokeTokenSQL = `
	update personal_tokens set revoked_at = @at, revoked_by = @cause
	where id = @id and player_id = @player_id and revoked_at is null and expires_at > @at
	returning id`

// RevokeToken implements personaltoken.Store.
func (s *Store) RevokeToken(ctx context.Context, r personaltoken.Revocation) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		revoked, err := revokeTokens(ctx, tx, revokeTokenSQL, r)
		if err == nil && revoked == 0 {
			return personaltoken.ErrUnknown
		}
		return err
	})
}

const revokeTokensOfSQL = `
	update personal_tokens set revoked_at = @at, revoked_by = @cause
	where player_id = @player_id and revoked_at is null
	returning id`

// revokeTokens runs a statement that revokes tokens, announces each, and returns how many.
func revokeTokens(ctx context.Context, tx pgx.Tx, sql string, r personaltoken.Revocation) (int, error) {
	ids, err := postgres.Collect(ctx, tx, pgx.RowTo[string], sql, pgx.NamedArgs{
		"id": zeronull.Text(r.TokenID), "player_id": r.PlayerID, "cause": string(r.Cause), "at": r.At,
	})
	if err != nil {
		return 0, fmt.Errorf("revoke tokens: %w", err)
	}
	facts := postgres.Column(ids, func(id string) outbox.Event { return r.Fact(id) })
	return len(ids), outbox.Append(ctx, tx, facts...)
}
