package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/auth/internal/personaltoken"
	"capzone.dev/services/auth/internal/session"
)

// PlayerColumns says of each column that holds a player's id what a merge does with it. A test compares the columns
// with the database's.
var PlayerColumns = map[string]string{
	"players.id":          "the row stays as a tombstone",
	"players.merged_into": "stays null",
	"families.player_id":  "stays: all families of the player are revoked, and expire",

	"personal_tokens.player_id": "stays: all tokens of the player are revoked, and deleted after 30 days",
}

const revokeAllSQL = `
	update families set revoked_at = @at, revoked_by = @cause
	where player_id = @player and revoked_at is null`

// revokeAll ends the sessions and revokes the personal tokens of a player who is merged or deleted, and the tokens of
// one who is banned.
func revokeAll(ctx context.Context, tx pgx.Tx, p event.PlayerState, at time.Time) error {
	if cause := personaltoken.CauseOf(p); cause != "" {
		revocation := personaltoken.Revocation{PlayerID: p.ID, Cause: cause, At: at}
		if _, err := revokeTokens(ctx, tx, revokeTokensOfSQL, revocation); err != nil {
			return err
		}
	}
	cause := session.CauseOf(p)
	if cause == "" {
		return nil
	}
	_, err := tx.Exec(ctx, revokeAllSQL, pgx.NamedArgs{"player": p.ID, "cause": string(cause), "at": at})
	return postgres.Wrap(err, "revoke the families of player %s", p.ID)
}
