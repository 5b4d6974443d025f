package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/searchkey"
	"capzone.dev/services/maps/internal/parkourmap"
)

const existingSQL = "select id, removed_at is not null from maps where bonk_db_id = $1"

// Existing implements parkourmap.Creations.
func (s *Store) Existing(ctx context.Context, bonkDBID int64) error {
	var id string
	var removed bool
	err := s.pool.QueryRow(ctx, existingSQL, bonkDBID).Scan(&id, &removed)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("map of the game's id %d: %w", bonkDBID, err)
	case removed:
		return parkourmap.ErrMapRemoved.WithData("_id", id)
	}
	return parkourmap.ErrMapExists.WithData("_id", id)
}

// Create implements parkourmap.Creations.
func (s *Store) Create(ctx context.Context, c parkourmap.Creation) (parkourmap.Entry, error) {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		return create(ctx, tx, c)
	})
	if postgres.Violates(err, "maps_bonk_db_id") {
		if existing := s.Existing(ctx, c.Map.BonkDBID); existing != nil {
			return parkourmap.Entry{}, existing
		}
	}
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("create map %d: %w", c.Map.BonkDBID, err)
	}
	return s.Entry(ctx, c.Map.ID)
}

func create(ctx context.Context, tx pgx.Tx, c parkourmap.Creation) error {
	author, err := authorKey(ctx, tx, c.Map.AuthorID)
	if err != nil {
		return err
	}
	submitter, err := owner(ctx, tx, c.Map.SubmittedByID)
	if err != nil {
		return err
	}
	if submitter != c.Map.SubmittedByID {
		return parkourmap.ErrPlayerMerged
	}
	const insertSQL = `
		insert into maps (id, version, bonk_db_id, name, game_mode, author_id, submitted_by_id, description, tags,
			medal_author, medal_gold, medal_silver, medal_bronze, contributors, remix_bonk_db_id, remix_name, remix_author,
			fingerprint, image_key, thumbnail_key, replay_key, created_at, updated_at, search_key, author_key, facets)
		values (@id, @version, @bonk_db_id, @name, @game_mode, @author_id, @submitted_by_id, @description, @tags,
			@medal_author, @medal_gold, @medal_silver, @medal_bronze, @contributors, @remix_bonk_db_id, @remix_name, @remix_author,
			@fingerprint, @image_key, @thumbnail_key, @replay_key, @created_at, @updated_at, @search_key, @author_key, @facets)`
	key := searchkey.Key(c.Map.Name)
	facets := facetsOf(c.Map, key, author)
	args := mapArgs(c.Map)
	args["search_key"], args["author_key"], args["facets"] = key, author, facets
	if _, err := tx.Exec(ctx, insertSQL, args); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "insert into map_data (map_id, encoded) values ($1, $2)", c.Map.ID, c.EncodedMap); err != nil {
		return err
	}
	// A count that arrived before the map waits here, or is being written: the row makes it wait for us, or us for it.
	const listSQL = "insert into map_stats (map_id, listed) values ($1, true) on conflict (map_id) do update set listed = true"
	if _, err := tx.Exec(ctx, listSQL, c.Map.ID); err != nil {
		return err
	}
	if err := recount(ctx, tx, nil, facets); err != nil {
		return err
	}
	for _, upload := range c.Uploads {
		if err := upload.Claim(ctx, tx); err != nil {
			return err
		}
	}
	return outbox.Append(ctx, tx, c.Map.State(), c.Run)
}

// authorKey returns the search key of an author's name, and keeps the name from
// changing, and the author from being merged, until the end of tx. Without a copy
// the key is empty, and is set when the copy arrives. Returns ErrPlayerMerged.
func authorKey(ctx context.Context, tx pgx.Tx, id string) (string, error) {
	var name string
	var merged bool
	err := tx.QueryRow(ctx, "select name, merged_into is not null from players where id = $1 for share", id).Scan(&name, &merged)
	switch {
	case err != nil && !errors.Is(err, pgx.ErrNoRows):
		return "", fmt.Errorf("name of author %s: %w", id, err)
	case merged:
		return "", parkourmap.ErrPlayerMerged
	}
	return searchkey.Key(name), nil
}
