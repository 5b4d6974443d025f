// Package postgres stores players, deletions of accounts, what players are searched by, and how many maps and records
// they have.
//
// Lock order. A transaction that changes players locks their rows in the order of their ids. One that takes an admin
// away then takes the advisory lock of admins. One that applies a map's state locks the map's row in map_authors, then
// the totals of its authors.
package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// Store implements the interfaces of package player.
type Store struct{ db postgres.DB }

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{postgres.NewDB(pool)} }

// In returns the store whose changes are part of tx.
func (s *Store) In(tx pgx.Tx) *Store { return &Store{s.db.In(tx)} }

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

const isReferencedSQL = `select exists (select from players where avatar_key = @key)`

// IsReferenced is IsAvatar in a transaction.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (bool, error) {
	return s.In(tx).IsAvatar(ctx, key)
}

// IsAvatar reports whether a player has the avatar with the key.
func (s *Store) IsAvatar(ctx context.Context, key string) (is bool, err error) {
	err = s.db.QueryRow(ctx, isReferencedSQL, pgx.NamedArgs{"key": key}).Scan(&is)
	return is, postgres.Wrap(err, "avatar %s", key)
}

const republishSQL = `select ` + playerColumns + ` from players where id > @after order by id limit @limit for share`

// Republish appends the state of every player to the outbox and returns how many there are.
func (s *Store) Republish(ctx context.Context) (int, error) {
	return outbox.Republish(ctx, s.db, republishSQL, func(row pgx.CollectableRow) (event.PlayerState, error) {
		p, err := scanPlayer(row)
		if err != nil {
			return event.PlayerState{}, err
		}
		return p.State(), nil
	})
}
