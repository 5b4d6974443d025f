package postgres

import (
	"context"
	"errors"

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

// ApplyPlayer implements lookup.PlayerCopies. The maps of a player who was merged become those of the player whom they
// were merged into. Those of a player whose account was deleted lose their descriptions and the player's names.
func (s *Store) ApplyPlayer(ctx context.Context, p parkourmap.Player) error {
	// The copy has the names until it is replaced.
	names, err := s.namesOf(ctx, p.ID)
	if err != nil {
		return err
	}
	return copies.ApplyPlayer(ctx, s.db, p, func(ctx context.Context, tx pgx.Tx) error {
		if err := setNameKeys(ctx, tx, p); err != nil {
			return err
		}
		return copies.Transfer(ctx, tx, p, merge, func(ctx context.Context, tx pgx.Tx, playerID string) error {
			return forget(ctx, tx, playerID, names)
		})
	})
}

// namesOf returns the names that a player has, or had, by the copy. A player without a copy has none.
func (s *Store) namesOf(ctx context.Context, playerID string) ([]string, error) {
	p, err := s.Player(ctx, playerID)
	if errors.Is(err, parkourmap.ErrPlayerUnknown) {
		return nil, nil
	}
	return append([]string{p.Name}, p.FormerNames...), err
}

const setNameKeysSQL = `update players set name_key = @name_key, search_key = @search_key where id = @id`

// setNameKeys stores by what the name of a player is found.
func setNameKeys(ctx context.Context, tx pgx.Tx, p parkourmap.Player) error {
	nameKey := playername.Key(p.Name)
	if p.Deleted {
		nameKey = playername.KeyOfDeleted + p.ID // an account of the game may have the name
	}
	_, err := tx.Exec(ctx, setNameKeysSQL,
		pgx.NamedArgs{"id": p.ID, "name_key": nameKey, "search_key": search.Key(p.Name)})
	return postgres.Wrap(err, "keys of the name of player %s", p.ID)
}
