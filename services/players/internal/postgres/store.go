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
	// tx is the transaction in which changes are made, and nil if each has its own.
	tx pgx.Tx
}

// NewStore returns the store in the database of pool.
func NewStore(pool *postgres.Pool) *Store { return &Store{pool: pool} }

// In returns the store whose changes are part of tx.
func (s *Store) In(tx pgx.Tx) *Store { return &Store{pool: s.pool, tx: tx} }

// inTx runs fn in a transaction, or in a savepoint of the store's transaction.
func (s *Store) inTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	if s.tx != nil {
		return pgx.BeginFunc(ctx, s.tx, fn)
	}
	return postgres.InTx(ctx, s.pool, fn)
}

// query runs a query, in the store's transaction if it has one.
func (s *Store) query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if s.tx != nil {
		return s.tx.Query(ctx, sql, args...)
	}
	return s.pool.Query(ctx, sql, args...)
}

// playerColumns are the columns of playerRow.
const playerColumns = `id, version, name, former_names, merged_into, level, skin, skin_color, avatar_key, roles,
	registered, banned, ban_reason, created_at, updated_at`

// playerRow is a row of the table players.
type playerRow struct {
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

func (r playerRow) toPlayer() player.Player {
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

const getPlayerSQL = `select ` + playerColumns + ` from players where id = @id`

// Get implements player.ModerationStore.
func (s *Store) Get(ctx context.Context, id string) (player.Player, error) {
	if !event.IsID(id) {
		return player.Player{}, player.ErrUnknown
	}
	rows, err := s.query(ctx, getPlayerSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return player.Player{}, fmt.Errorf("read player %s: %w", id, err)
	}
	return collectPlayer(rows)
}

const getByNameSQL = `
	select ` + playerColumns + ` from players where id = coalesce(
		(select id from players where name_key = @name_key),
		(select player_id from former_names where name_key = @name_key))`

// GetByName implements player.PlayersByName.
func (s *Store) GetByName(ctx context.Context, name string) (player.Player, error) {
	rows, err := s.query(ctx, getByNameSQL, pgx.NamedArgs{"name_key": playername.Key(name)})
	if err != nil {
		return player.Player{}, fmt.Errorf("read the player of a name: %w", err)
	}
	return collectPlayer(rows)
}

// collectPlayer returns the only player of rows, or player.ErrUnknown.
func collectPlayer(rows pgx.Rows) (player.Player, error) {
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[playerRow])
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return player.Player{}, player.ErrUnknown
	case err != nil:
		return player.Player{}, fmt.Errorf("read a player: %w", err)
	}
	return row.toPlayer(), nil
}

const isReferencedSQL = `select exists (select from players where avatar_key = @key)`

// IsReferenced reports whether a player has the avatar with the key.
func (s *Store) IsReferenced(ctx context.Context, tx pgx.Tx, key string) (referenced bool, err error) {
	err = tx.QueryRow(ctx, isReferencedSQL, pgx.NamedArgs{"key": key}).Scan(&referenced)
	return referenced, err
}

const hasAdminSQL = `select exists (select from players where 'admin' = any (roles))`

// HasAdmin reports whether there is an admin.
func (s *Store) HasAdmin(ctx context.Context) (has bool, err error) {
	err = s.pool.QueryRow(ctx, hasAdminSQL).Scan(&has)
	return has, err
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

const republishSQL = `select ` + playerColumns + ` from players where id > @after order by id limit @limit for share`

// Republish appends the state of every player to the outbox and returns how many there are.
func (s *Store) Republish(ctx context.Context) (int, error) {
	return outbox.Republish(ctx, s.pool, republishSQL, func(rows pgx.CollectableRow) (event.PlayerState, error) {
		row, err := pgx.RowToStructByName[playerRow](rows)
		if err != nil {
			return event.PlayerState{}, err
		}
		return row.toPlayer().State(), nil
	})
}
