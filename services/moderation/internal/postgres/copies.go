package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

// Player implements lookup.PlayerCopies.
func (s *Store) Player(ctx context.Context, id string) (moderation.Player, error) {
	return copies.Player(ctx, s.db, id)
}

// ApplyPlayer implements lookup.PlayerCopies. What belongs to a player who was merged is transferred in the same
// transaction, and the texts of a player whose account was deleted are emptied.
func (s *Store) ApplyPlayer(ctx context.Context, p moderation.Player) error {
	return copies.ApplyPlayer(ctx, s.db, p, func(ctx context.Context, tx pgx.Tx) error {
		switch {
		case p.MergedInto != "":
			return merge(ctx, tx, p.ID)
		case p.Deleted:
			return forget(ctx, tx, p.ID)
		}
		return nil
	})
}

// Map implements lookup.MapCopies.
func (s *Store) Map(ctx context.Context, id string) (moderation.Map, error) {
	return copies.Map(ctx, s.db, id)
}

// ApplyMap implements lookup.MapCopies.
func (s *Store) ApplyMap(ctx context.Context, m moderation.Map) error {
	return copies.ApplyMap(ctx, s.db, m)
}

const (
	playersSQL = `select ` + copies.PlayerColumns + ` from players where id = any (@ids)`
	mapsSQL    = `select ` + copies.MapColumns + ` from maps where id = any (@ids)`
)

// Players returns the copies of players by their ids.
func (s *Store) Players(ctx context.Context, ids []string) (map[string]moderation.Player, error) {
	players, err := postgres.Collect(ctx, s.db, copies.ScanPlayer, playersSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("copies of players: %w", err)
	}
	byID := map[string]moderation.Player{}
	for _, p := range players {
		byID[p.ID] = p
	}
	return byID, nil
}

const moderatorsSQL = `
	select id from players
	where roles <> '{}' and roles && '{moderator, admin}' and not banned and not removed
	order by id
	limit @limit`

// Moderators implements moderation.AppealStore.
func (s *Store) Moderators(ctx context.Context, limit int) ([]string, error) {
	ids, err := postgres.Collect(ctx, s.db, pgx.RowTo[string], moderatorsSQL, pgx.NamedArgs{"limit": limit})
	return ids, postgres.Wrap(err, "moderators")
}

// Maps returns the copies of maps by their ids.
func (s *Store) Maps(ctx context.Context, ids []string) (map[string]moderation.Map, error) {
	maps, err := postgres.Collect(ctx, s.db, copies.ScanMap, mapsSQL, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, fmt.Errorf("copies of maps: %w", err)
	}
	byID := map[string]moderation.Map{}
	for _, m := range maps {
		byID[m.ID] = m
	}
	return byID, nil
}
