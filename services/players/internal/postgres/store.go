// Package postgres stores players, their search index, and the copies of their maps and records.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// Store implements the interfaces of package player.
type Store struct {
	pool *postgres.Pool
}

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{pool: pool} }

// columns are the columns of row.
const columns = `id, version, name, former_names, merged_into, level, skin, skin_color, avatar_key, roles, registered,
	banned, ban_reason, created_at, updated_at`

// row is a row of the table players.
type row struct {
	ID          string
	Version     int64
	Name        string
	FormerNames []string
	MergedInto  *string
	Level       int
	Skin        *string
	SkinColor   *string
	AvatarKey   *string
	Roles       []string
	Registered  bool
	Banned      bool
	BanReason   string
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

func (r row) player() player.Player {
	p := player.Player{
		ID: r.ID, Version: r.Version, Name: r.Name, Level: r.Level,
		FormerNames: r.FormerNames, MergedInto: orEmpty(r.MergedInto),
		SkinColor: orEmpty(r.SkinColor), Avatar: orEmpty(r.AvatarKey),
		Roles: r.Roles, Registered: r.Registered, Banned: r.Banned, BanReason: r.BanReason,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if r.Skin != nil {
		p.Skin = []byte(*r.Skin)
	}
	return p
}

const getSQL = `select ` + columns + ` from players where id = $1`

// Get implements player.ProfileStore.
func (s *Store) Get(ctx context.Context, id string) (player.Player, error) {
	if !event.IsID(id) {
		return player.Player{}, player.ErrUnknown
	}
	return collectOne(s.pool.Query(ctx, getSQL, id))
}

const lockSQL = `select ` + columns + ` from players where id = $1 for update`

// lock returns a player and locks the row. It returns player.ErrUnknown.
func lock(ctx context.Context, tx pgx.Tx, id string) (player.Player, error) {
	if !event.IsID(id) {
		return player.Player{}, player.ErrUnknown
	}
	return collectOne(tx.Query(ctx, lockSQL, id))
}

const getByNameSQL = `
	select ` + columns + ` from players where id = coalesce(
		(select id from players where name_key = $1),
		(select player_id from former_names where name_key = $1))`

// GetByName implements player.PlayersByName.
func (s *Store) GetByName(ctx context.Context, name string) (player.Player, error) {
	return collectOne(s.pool.Query(ctx, getByNameSQL, playername.Key(name)))
}

const isReferencedSQL = `select exists (select from players where avatar_key = $1)`

// IsReferenced reports whether a player has the avatar with the key.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (referenced bool, err error) {
	err = tx.QueryRow(ctx, isReferencedSQL, key).Scan(&referenced)
	return referenced, err
}

const hasAdminSQL = `select exists (select from players where 'admin' = any (roles))`

// HasAdmin reports whether there is an admin.
func (s *Store) HasAdmin(ctx context.Context) (has bool, err error) {
	err = s.pool.QueryRow(ctx, hasAdminSQL).Scan(&has)
	return has, err
}

// collectOne returns the only player of rows, or player.ErrUnknown.
func collectOne(rows pgx.Rows, err error) (player.Player, error) {
	if err != nil {
		return player.Player{}, fmt.Errorf("read a player: %w", err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return player.Player{}, player.ErrUnknown
	case err != nil:
		return player.Player{}, fmt.Errorf("read a player: %w", err)
	}
	return r.player(), nil
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

const republishSQL = `select ` + columns + ` from players where id > @after order by id limit @limit for share`

// Republish appends the state of every player to the outbox and returns how many there are.
func (s *Store) Republish(ctx context.Context) (int, error) {
	return outbox.Republish(ctx, s.pool, republishSQL, func(rows pgx.CollectableRow) (event.PlayerState, error) {
		r, err := pgx.RowToStructByName[row](rows)
		return r.player().State(), err
	})
}
