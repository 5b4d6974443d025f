package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/copies"
	"capzone.dev/platform/postgres"
	"capzone.dev/services/moderation/internal/moderation"
)

const (
	playersSQL = `select ` + copies.PlayerColumns + ` from players where id = any (@ids)`
	mapsSQL    = `select ` + copies.MapColumns + ` from maps where id = any (@ids)`
)

// Players implements moderation.CopyStore.
func (s *Store) Players(ctx context.Context, ids []string) (map[string]moderation.Player, error) {
	players, err := postgres.CollectBy(ctx, s.db, func(p moderation.Player) string { return p.ID },
		copies.ScanPlayer, playersSQL, pgx.NamedArgs{"ids": ids})
	return players, postgres.Wrap(err, "copies of players")
}

// Maps implements moderation.CopyStore.
func (s *Store) Maps(ctx context.Context, ids []string) (map[string]moderation.Map, error) {
	maps, err := postgres.CollectBy(ctx, s.db, func(m moderation.Map) string { return m.ID },
		copies.ScanMap, mapsSQL, pgx.NamedArgs{"ids": ids})
	return maps, postgres.Wrap(err, "copies of maps")
}
