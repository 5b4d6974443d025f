package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/players/internal/player"
)

const listIDsSQL = `
	select id, updated_at from players where registered order by id limit @limit offset @offset`

const countRegisteredSQL = `select count(*) from players where registered`

// ListIDs implements player.ReadStore.
func (s *Store) ListIDs(ctx context.Context, limit, offset int) (player.IDPage, error) {
	rows, err := s.pool.Query(ctx, listIDsSQL, pgx.NamedArgs{"limit": limit, "offset": offset})
	if err != nil {
		return player.IDPage{}, fmt.Errorf("list ids of players: %w", err)
	}
	listed, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (listed player.ListedID, err error) {
		err = row.Scan(&listed.ID, &listed.UpdatedAt)
		listed.UpdatedAt = listed.UpdatedAt.UTC()
		return listed, err
	})
	if err != nil {
		return player.IDPage{}, fmt.Errorf("list ids of players: %w", err)
	}
	page := player.IDPage{Players: listed}
	if err := s.pool.QueryRow(ctx, countRegisteredSQL).Scan(&page.Total); err != nil {
		return player.IDPage{}, fmt.Errorf("count players: %w", err)
	}
	return page, nil
}
