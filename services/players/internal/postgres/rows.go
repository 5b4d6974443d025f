package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// playerColumns are the columns of scanPlayer.
const playerColumns = `id, version, name, former_names, coalesce(merged_into::text, ''), level, skin,
	coalesce(skin_color, ''), coalesce(avatar_key, ''), roles, registered, banned, ban_reason,
	ban_public_reason, ban_until, ban_decision_id, deleted_at,
	created_at, updated_at`

// scanPlayer is a pgx.RowToFunc of playerColumns.
func scanPlayer(row pgx.CollectableRow) (p player.Player, err error) {
	err = row.Scan(&p.ID, &p.Version, &p.Name, &p.FormerNames, &p.MergedInto, &p.Level, &p.Skin, &p.SkinColor, &p.Avatar,
		&p.Roles, &p.Registered, &p.Banned, &p.Ban.Reason, &p.Ban.PublicReason, (*zeronull.Timestamptz)(&p.Ban.Until),
		&p.Ban.DecisionID, (*zeronull.Timestamptz)(&p.DeletedAt), &p.CreatedAt, &p.UpdatedAt)
	return p, err
}

// selectPlayer returns the player of a query for playerColumns, or player.ErrUnknown.
func selectPlayer(ctx context.Context, conn postgres.Conn, sql string, args pgx.NamedArgs) (player.Player, error) {
	p, err := postgres.CollectOne(ctx, conn, scanPlayer, sql, args)
	return p, postgres.ReadError(err, player.ErrUnknown, "read a player")
}
