// Package postgres keeps players, what they are searched by, and the copies of
// what they have, in PostgreSQL.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/event"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/players/internal/player"
)

// Players is the table of players.
type Players struct {
	pool *postgres.Pool
}

// NewPlayers returns the players in the database of pool.
func NewPlayers(pool *postgres.Pool) *Players { return &Players{pool: pool} }

// columns are those of row, in any order.
const columns = `id, version, name, former_names, merged_into, level, skin, skin_color, avatar_key, roles, registered,
	banned, ban_reason, created_at, updated_at`

// row is a player as the table has it.
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
		ID: r.ID, Version: r.Version, Name: r.Name, FormerNames: r.FormerNames, MergedInto: orEmpty(r.MergedInto), Level: r.Level,
		SkinColor: orEmpty(r.SkinColor), Avatar: orEmpty(r.AvatarKey),
		Roles: r.Roles, Registered: r.Registered, Banned: r.Banned, BanReason: r.BanReason,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
	if r.Skin != nil {
		p.Skin = []byte(*r.Skin)
	}
	return p
}

// ByID implements player.Finder.
func (s *Players) ByID(ctx context.Context, id string) (player.Player, error) {
	return findByID(ctx, s.pool, id, "")
}

const byNameSQL = `
	select ` + columns + ` from players where id = coalesce(
		(select id from players where name_key = $1),
		(select player_id from former_names where name_key = $1))`

// ByName implements player.Finder: the name's present player, else whose former
// name it is.
func (s *Players) ByName(ctx context.Context, name string) (player.Player, error) {
	return collectOne(s.pool.Query(ctx, byNameSQL, playername.Key(name)))
}

const namesAvatarSQL = `select exists (select from players where avatar_key = $1)`

// NamesAvatar tells whether any player's avatar lies under key.
func (s *Players) NamesAvatar(ctx context.Context, tx pgx.Tx, key string) (named bool, err error) {
	err = tx.QueryRow(ctx, namesAvatarSQL, key).Scan(&named)
	return named, err
}

const hasAdminSQL = `select exists (select from players where 'admin' = any (roles))`

// HasAdmin tells whether there is any admin.
func (s *Players) HasAdmin(ctx context.Context) (has bool, err error) {
	err = s.pool.QueryRow(ctx, hasAdminSQL).Scan(&has)
	return has, err
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

const findByIDSQL = `select ` + columns + ` from players where id = $1`

func findByID(ctx context.Context, q querier, id, lock string) (player.Player, error) {
	if !event.IsID(id) {
		return player.Player{}, player.ErrUnknown
	}
	return collectOne(q.Query(ctx, findByIDSQL+lock, id))
}

// collectOne reads one player. Returns player.ErrUnknown where there is none.
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
