package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/session"
)

const startSQL = `
	with family as (
		insert into families (id, player_id, created_at, expires_at)
		values (@id, @player_id, @created_at, @expires_at)
	)
	insert into refresh_tokens (hash, family_id, expires_at) values (@hash, @id, @expires_at)`

// Start implements session.FamilyStore. Both this and ApplyPlayer lock the player's row before they
// write to families, so that no session begins while a merge is being applied.
func (s *Store) Start(ctx context.Context, f session.Family, first session.Token, p event.PlayerState) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := applyPlayer(ctx, tx, p); err != nil {
			return err
		}
		owner, err := lockPlayer(ctx, tx, p.ID)
		if err != nil {
			return err
		}
		if err := session.CheckStart(owner); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, startSQL, pgx.NamedArgs{
			"id": f.ID, "player_id": f.PlayerID, "hash": first.Hash[:],
			"created_at": first.CreatedAt, "expires_at": first.ExpiresAt,
		})
		return postgres.Wrap(err, "start a family of player %s", f.PlayerID)
	})
}

const familySQL = `
	select f.id, f.player_id from refresh_tokens t
	join families f on f.id = t.family_id
	where t.hash = @presented`

// Family implements session.FamilyStore.
func (s *Store) Family(ctx context.Context, presented session.Hash) (f session.Family, err error) {
	err = s.db.QueryRow(ctx, familySQL, pgx.NamedArgs{"presented": presented[:]}).Scan(&f.ID, &f.PlayerID)
	return f, postgres.ReadError(err, session.ErrInvalid, "family of a refresh token")
}

const isLiveSQL = `
	select exists (select from families where id = @id and revoked_at is null and expires_at > @now)`

// IsLive implements session.FamilyStore.
func (s *Store) IsLive(ctx context.Context, id string, now time.Time) (isLive bool, err error) {
	err = s.db.QueryRow(ctx, isLiveSQL, pgx.NamedArgs{"id": id, "now": now}).Scan(&isLive)
	return isLive, postgres.Wrap(err, "look up family %s", id)
}

// Exchange implements session.FamilyStore.
func (s *Store) Exchange(
	ctx context.Context, presented session.Hash, next session.Token, arrivedAt time.Time,
) (exchange session.Exchange, err error) {
	err = s.db.InTx(ctx, func(tx pgx.Tx) error {
		token, err := lockToken(ctx, tx, presented)
		if err != nil {
			return err
		}
		exchange = token.Exchange(arrivedAt)
		var statements []string
		if exchange.Revoke != "" {
			statements = append(statements, revokeSQL)
		}
		if exchange.UsesUp {
			statements = append(statements, useTokensSQL)
		}
		if exchange.Refusal == nil {
			statements = append(statements, insertTokenSQL, extendSQL)
		}
		err = postgres.ExecBatch(ctx, tx, pgx.NamedArgs{
			"family": token.Family.ID, "cause": string(exchange.Revoke), "at": next.CreatedAt,
			"hash": next.Hash[:], "expires_at": next.ExpiresAt,
		}, statements...)
		return postgres.Wrap(err, "exchange a token of family %s", token.Family.ID)
	})
	return exchange, err
}

const lockFamilySQL = `
	select f.id, f.player_id from refresh_tokens t
	join families f on f.id = t.family_id
	where t.hash = @presented
	for update of f`

// tokenSQL is a statement of its own: it must see what was committed while lockFamilySQL waited.
const tokenSQL = `
	select f.revoked_at is not null, t.expires_at, t.used_at
	from refresh_tokens t
	join families f on f.id = t.family_id
	where t.hash = @presented`

func lockToken(ctx context.Context, tx pgx.Tx, presented session.Hash) (session.TokenState, error) {
	var token session.TokenState
	args := pgx.NamedArgs{"presented": presented[:]}
	err := tx.QueryRow(ctx, lockFamilySQL, args).Scan(&token.Family.ID, &token.Family.PlayerID)
	if err == nil {
		err = tx.QueryRow(ctx, tokenSQL, args).
			Scan(&token.Revoked, &token.ExpiresAt, (*zeronull.Timestamptz)(&token.UsedAt))
	}
	return token, postgres.ReadError(err, session.ErrInvalid, "lock the family of a refresh token")
}

const (
	revokeSQL = `
		update families set revoked_at = @at, revoked_by = @cause
		where id = @family and revoked_at is null`

	useTokensSQL = `update refresh_tokens set used_at = @at where family_id = @family and used_at is null`

	insertTokenSQL = `
		insert into refresh_tokens (hash, family_id, expires_at) values (@hash, @family, @expires_at)`

	extendSQL = `update families set expires_at = greatest(expires_at, @expires_at) where id = @family`
)

const revokeByTokenSQL = `
	update families set revoked_at = @at, revoked_by = @cause
	where id = (select family_id from refresh_tokens where hash = @presented) and revoked_at is null`

// RevokeByToken implements session.FamilyStore.
func (s *Store) RevokeByToken(ctx context.Context, presented session.Hash, cause session.Cause, at time.Time) error {
	_, err := s.db.Exec(ctx, revokeByTokenSQL,
		pgx.NamedArgs{"presented": presented[:], "cause": string(cause), "at": at})
	return postgres.Wrap(err, "revoke the family of a token")
}
