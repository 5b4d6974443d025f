package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/session"
)

// Player returns the copy of a player, also a tombstone, or session.ErrPlayerUnknown.
func (s *Store) Player(ctx context.Context, id string) (event.PlayerState, error) {
	return copies.Player(ctx, s.db, id)
}

const revokeAllSQL = `
	update families set revoked_at = @now, revoked_by = @cause
	where player_id = @player_id and revoked_at is null`

// ApplyPlayer stores a state of a player that is newer than the copy. Names, roles and bans reach access
// tokens at the next refresh. All sessions of a player who is removed end in the same transaction. A player whose
// account was deleted is removed here: who proves the old name is another player.
func (s *Store) ApplyPlayer(ctx context.Context, p event.PlayerState) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		removed, newer, err := upsertPlayer(ctx, tx, p)
		if err != nil || !removed || !newer {
			return err
		}
		cause := session.ByMerge
		if p.Deleted {
			cause = session.ByDeletion
		}
		_, err = tx.Exec(ctx, revokeAllSQL, pgx.NamedArgs{"player_id": p.ID, "cause": string(cause), "now": postgres.Now()})
		return postgres.Wrap(err, "revoke the families of player %s", p.ID)
	})
}

const removedSQL = `select removed from players where id = @id for update`

// upsertPlayer stores a state that is newer than the copy and leaves the player's row locked. With a newer state that
// is banned, removed or deleted it revokes the player's personal tokens. It reports whether the player, by the newest
// state, is removed, and whether p was newer.
func upsertPlayer(ctx context.Context, tx pgx.Tx, p event.PlayerState) (removed, newer bool, err error) {
	stored := p
	stored.Removed, stored.MergedInto = p.Removed || p.Deleted, "" // whoever follows is another player here
	if newer, err = copies.UpsertPlayer(ctx, tx, stored); err != nil {
		return false, false, err
	}
	if err := tx.QueryRow(ctx, removedSQL, pgx.NamedArgs{"id": p.ID}).Scan(&removed); err != nil {
		return false, false, fmt.Errorf("copy of player %s: %w", p.ID, err)
	}
	if newer && (p.Banned || p.Removed || p.Deleted) {
		cause := personaltoken.ByBan
		switch {
		case p.Removed:
			cause = personaltoken.ByMerge
		case p.Deleted:
			cause = personaltoken.ByDeletion
		}
		_, err = revokeTokens(ctx, tx, revokeTokensOfSQL, cause, postgres.Now(), pgx.NamedArgs{"player_id": p.ID})
	}
	return removed, newer, err
}
