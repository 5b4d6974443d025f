package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const existingSQL = `select id, removed_at is not null from maps where game_map_id = @game_map_id`

// CheckNew implements parkourmap.Creator.
func (s *Store) CheckNew(ctx context.Context, gameMapID int64) error {
	var id string
	var removed bool
	err := s.pool.QueryRow(ctx, existingSQL, pgx.NamedArgs{"game_map_id": gameMapID}).Scan(&id, &removed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("map of game map id %d: %w", gameMapID, err)
	case removed:
		return parkourmap.ErrMapRemoved.WithData("_id", id)
	}
	return parkourmap.ErrMapExists.WithData("_id", id)
}

const (
	insertMapSQL = `
		insert into maps (id, version, game_map_id, name, game_mode, author_id, submitted_by_id, description, tags,
			medal_author, medal_gold, medal_silver, medal_bronze, contributors,
			remix_game_map_id, remix_name, remix_author,
			fingerprint, image_key, thumbnail_key, replay_key,
			drawing_key, picture_key, picture_thumbnail_key, picture_bucket, drawing_due,
			created_at, updated_at, search_key, map_version)
		values (@id, @version, @game_map_id, @name, @game_mode, @author_id, @submitted_by_id, @description, @tags,
			@medal_author, @medal_gold, @medal_silver, @medal_bronze, @contributors,
			@remix_game_map_id, @remix_name, @remix_author,
			@fingerprint, nullif(@image_key, ''), nullif(@thumbnail_key, ''), @replay_key,
			nullif(@drawing_key, ''), nullif(@picture_key, ''), nullif(@picture_thumbnail_key, ''),
			nullif(@picture_bucket, ''), @drawing_key = '',
			@created_at, @updated_at, @search_key, @map_version)`
	insertMapDataSQL = `insert into map_data (map_id, encoded) values (@id, @encoded)`
	// A record count that arrived before the map is in the table already.
	listMapSQL = `
		insert into map_stats (map_id, listed) values (@id, true)
		on conflict (map_id) do update set listed = true`
)

// Create implements parkourmap.Creator.
func (s *Store) Create(ctx context.Context, c parkourmap.Creation) (parkourmap.Entry, error) {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockPlayers(ctx, tx, c.Map.AuthorID, c.Map.SubmittedByID); err != nil {
			return err
		}
		args := mapArgs(c.Map)
		args["search_key"], args["encoded"] = search.Key(c.Map.Name), c.EncodedMap
		for _, sql := range []string{insertMapSQL, insertMapDataSQL, listMapSQL} {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return err
			}
		}
		for _, upload := range c.Uploads {
			if err := upload.Claim(ctx, tx); err != nil {
				return err
			}
		}
		return outbox.Append(ctx, tx, c.Map.State(), c.Record)
	})
	if postgres.Violates(err, "maps_game_map_id") {
		if existing := s.CheckNew(ctx, c.Map.GameMapID); existing != nil {
			return parkourmap.Entry{}, existing
		}
	}
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("create map %d: %w", c.Map.GameMapID, err)
	}
	return s.Entry(ctx, c.Map.ID)
}
