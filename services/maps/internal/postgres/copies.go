package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// Player implements lookup.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (parkourmap.Player, error) {
	return copies.Player(ctx, s.db, id)
}

const playerNamedSQL = `
	select ` + copies.PlayerColumns + ` from players
	where name_key = @key and not removed
	order by version desc limit 1`

// PlayerNamed implements parkourmap.PlayerCopies.
func (s *Store) PlayerNamed(ctx context.Context, key string) (parkourmap.Player, error) {
	p, err := postgres.CollectOne(ctx, s.db, copies.ScanPlayer, playerNamedSQL, pgx.NamedArgs{"key": key})
	return p, postgres.ReadError(err, parkourmap.ErrPlayerUnknown, "copy of a player")
}

// ApplyPlayer implements lookup.PlayerCopies. The maps of a player who was merged become those of
// the player whom they were merged into. Those of a player whose account was deleted lose their descriptions.
func (s *Store) ApplyPlayer(ctx context.Context, p parkourmap.Player) error {
	if p.Deleted {
		return s.applyDeleted(ctx, p)
	}
	if err := s.applyCopy(ctx, p, playername.Key(p.Name)); err != nil || p.MergedInto == "" {
		return err
	}
	// Also where the copy was up to date: an earlier attempt may have been interrupted.
	return s.transferMaps(ctx, p.ID)
}

const (
	lockNameSQL    = `select name from players where id = @id for update`
	setNameKeysSQL = `update players set name_key = @name_key, search_key = @search_key where id = @id`
)

// applyCopy stores the copy of a player, who is found by the nameKey, where it is newer. A tombstone keeps the name,
// which the player's maps still show.
func (s *Store) applyCopy(ctx context.Context, p parkourmap.Player, nameKey string) error {
	return s.db.InTx(ctx, func(tx pgx.Tx) error {
		if p.Removed {
			err := tx.QueryRow(ctx, lockNameSQL, pgx.NamedArgs{"id": p.ID}).Scan(&p.Name)
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return fmt.Errorf("name of player %s: %w", p.ID, err)
			}
			return copies.ApplyPlayer(ctx, s.db.In(tx), p, nil)
		}
		return copies.ApplyPlayer(ctx, s.db.In(tx), p, func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, setNameKeysSQL,
				pgx.NamedArgs{"id": p.ID, "name_key": nameKey, "search_key": search.Key(p.Name)})
			return postgres.Wrap(err, "keys of the name of player %s", p.ID)
		})
	})
}
