package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/services/maps/internal/parkourmap"
)

var versionsSQL = `
	select ` + entryColumns + ` from maps m ` + entryJoins + `
	where m.removed_at is null
		and m.game_map_id = (select game_map_id from maps where id = @id and removed_at is null)
	order by m.map_version desc`

// Versions implements parkourmap.Queries.
func (s *Store) Versions(ctx context.Context, id string) ([]parkourmap.Entry, error) {
	rows, err := s.pool.Query(ctx, versionsSQL, pgx.NamedArgs{"id": id})
	if err != nil {
		return nil, fmt.Errorf("versions of map %s: %w", id, err)
	}
	versions, err := pgx.CollectRows(rows, scanEntry)
	if err != nil {
		return nil, fmt.Errorf("versions of map %s: %w", id, err)
	}
	if len(versions) == 0 {
		return nil, parkourmap.ErrMapUnknown
	}
	return versions, nil
}

const encodedMapSQL = `
	select d.encoded from map_data d join maps m on m.id = d.map_id
	where m.id = @id and m.removed_at is null`

// EncodedMap implements parkourmap.Queries.
func (s *Store) EncodedMap(ctx context.Context, id string) (encoded string, err error) {
	err = s.pool.QueryRow(ctx, encodedMapSQL, pgx.NamedArgs{"id": id}).Scan(&encoded)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", parkourmap.ErrMapUnknown
	}
	if err != nil {
		return "", fmt.Errorf("data of map %s: %w", id, err)
	}
	return encoded, nil
}

const (
	idsSQL      = `select id, updated_at from maps where listed order by id limit @limit offset @offset`
	countIDsSQL = `select count(*) from maps where listed`
)

// IDs implements parkourmap.Queries.
func (s *Store) IDs(ctx context.Context, page parkourmap.Page) (list parkourmap.IDList, err error) {
	if err := s.pool.QueryRow(ctx, countIDsSQL).Scan(&list.Total); err != nil {
		return parkourmap.IDList{}, fmt.Errorf("count maps: %w", err)
	}
	rows, err := s.pool.Query(ctx, idsSQL, pgx.NamedArgs{"limit": page.Limit, "offset": page.Offset})
	if err != nil {
		return parkourmap.IDList{}, fmt.Errorf("ids of maps: %w", err)
	}
	list.IDs, err = pgx.CollectRows(rows, pgx.RowToStructByPos[parkourmap.ListedID])
	if err != nil {
		return parkourmap.IDList{}, fmt.Errorf("ids of maps: %w", err)
	}
	return list, nil
}
