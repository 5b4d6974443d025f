package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/outbox"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const knownVersionsSQL = `
	select ` + mapColumns + `, d.encoded = @encoded as same_data
	from maps m join map_data d on d.map_id = m.id
	where m.game_map_id = @game_map_id
	order by m.map_version`

// KnownVersions implements parkourmap.Creator.
func (s *Store) KnownVersions(
	ctx context.Context, gameMapID int64, encoded string,
) ([]parkourmap.KnownVersion, error) {
	rows, err := s.pool.Query(ctx, knownVersionsSQL, pgx.NamedArgs{"game_map_id": gameMapID, "encoded": encoded})
	if err != nil {
		return nil, fmt.Errorf("versions of game map %d: %w", gameMapID, err)
	}
	known, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (parkourmap.KnownVersion, error) {
		type knownRow struct {
			mapRow
			SameData bool
		}
		r, err := pgx.RowToStructByName[knownRow](row)
		return parkourmap.KnownVersion{Map: r.toMap(), SameData: r.SameData}, err
	})
	if err != nil {
		return nil, fmt.Errorf("versions of game map %d: %w", gameMapID, err)
	}
	return known, nil
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
		if err := lockRevision(ctx, tx, c.Map.GameMapID, c.Revision); err != nil {
			return err
		}
		args := mapArgs(c.Map)
		args["search_key"], args["encoded"] = search.Key(c.Map.Name), c.EncodedMap
		for _, sql := range []string{insertMapSQL, insertMapDataSQL, listMapSQL} {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return err
			}
		}
		if err := claim(ctx, tx, c.Uploads); err != nil {
			return err
		}
		if err := outbox.Append(ctx, tx, c.Map.State(), c.Record); err != nil {
			return err
		}
		return supersede(ctx, tx, c.Map.GameMapID, c.Map.CreatedAt)
	})
	if postgres.Violates(err, "maps_game_map_id") || postgres.Violates(err, "maps_fingerprint") {
		err = parkourmap.ErrVersionsChanged
	}
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("create map %d: %w", c.Map.GameMapID, err)
	}
	return s.Entry(ctx, c.Map.ID)
}

const (
	replaceMapSQL = `
		update maps set version = @version, updated_at = @updated_at, name = @name, search_key = @search_key,
			game_mode = @game_mode, description = @description, tags = @tags,
			medal_author = @medal_author, medal_gold = @medal_gold, medal_silver = @medal_silver,
			medal_bronze = @medal_bronze, contributors = @contributors, remix_game_map_id = @remix_game_map_id,
			remix_name = @remix_name, remix_author = @remix_author,
			image_key = nullif(@image_key, ''), thumbnail_key = nullif(@thumbnail_key, ''),
			drawing_key = @drawing_key, picture_key = @picture_key, picture_thumbnail_key = @picture_thumbnail_key,
			picture_bucket = @picture_bucket, drawing_due = false
		where id = @id`
	replaceMapDataSQL = `update map_data set encoded = @encoded where map_id = @id`
)

// Update implements parkourmap.Creator.
func (s *Store) Update(ctx context.Context, u parkourmap.Update) (parkourmap.Entry, error) {
	err := postgres.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockRevision(ctx, tx, u.Map.GameMapID, u.Revision); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, lockMapSQL, pgx.NamedArgs{"id": u.Map.ID})
		before, err := collectMap(rows, err)
		if err != nil {
			return err
		}
		if err := releasePictures(ctx, tx, before.Files); err != nil {
			return err
		}
		args := mapArgs(u.Map)
		args["search_key"], args["encoded"] = search.Key(u.Map.Name), u.EncodedMap
		for _, sql := range []string{replaceMapSQL, replaceMapDataSQL} {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return err
			}
		}
		if err := claim(ctx, tx, u.Uploads); err != nil {
			return err
		}
		return outbox.Append(ctx, tx, u.Map.State())
	})
	if err != nil {
		return parkourmap.Entry{}, fmt.Errorf("update map %s: %w", u.Map.ID, err)
	}
	return s.Entry(ctx, u.Map.ID)
}

func claim(ctx context.Context, tx pgx.Tx, uploads []objectstore.Upload) error {
	for _, upload := range uploads {
		if err := upload.Claim(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
