package postgres

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

const (
	// mapColumns are the columns of scanMap, from maps as m.
	mapColumns = `m.id, m.version, m.game_map_id, m.map_version, m.superseded, m.unranked, m.unranked_reason, m.name,
	m.game_mode, m.author_id, m.submitted_by_id, m.description, m.tags, m.contributors,
	m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, m.remix_game_map_id, m.remix_name, m.remix_author,
	m.fingerprint, m.replay_key, m.image_key, m.thumbnail_key,
	m.drawing_key, m.picture_key, m.picture_thumbnail_key, m.picture_bucket, m.drawing_due,
	m.created_at, m.updated_at, m.removed_at`
	// The arguments of insertMapSQL and updateMapSQL are mapArgs.
	insertMapSQL = `
		insert into maps (id, version, game_map_id, map_version, superseded, unranked, unranked_reason, name, search_key,
			game_mode, author_id, submitted_by_id, description, tags, contributors,
			medal_author, medal_gold, medal_silver, medal_bronze, remix_game_map_id, remix_name, remix_author,
			fingerprint, replay_key, image_key, thumbnail_key,
			drawing_key, picture_key, picture_thumbnail_key, picture_bucket, drawing_due,
			created_at, updated_at, removed_at)
		values (@id, @version, @game_map_id, @map_version, @superseded, @unranked, @unranked_reason, @name, @search_key,
			@game_mode, @author_id, @submitted_by_id, @description, @tags, @contributors,
			@medal_author, @medal_gold, @medal_silver, @medal_bronze, @remix_game_map_id, @remix_name, @remix_author,
			@fingerprint, @replay_key, @image_key, @thumbnail_key,
			@drawing_key, @picture_key, @picture_thumbnail_key, @picture_bucket, @drawing_due,
			@created_at, @updated_at, @removed_at)`
	updateMapSQL = `
		update maps set
			version = @version, game_map_id = @game_map_id, map_version = @map_version, superseded = @superseded,
			unranked = @unranked, unranked_reason = @unranked_reason, name = @name, search_key = @search_key,
			game_mode = @game_mode, author_id = @author_id, submitted_by_id = @submitted_by_id,
			description = @description, tags = @tags, contributors = @contributors,
			medal_author = @medal_author, medal_gold = @medal_gold,
			medal_silver = @medal_silver, medal_bronze = @medal_bronze,
			remix_game_map_id = @remix_game_map_id, remix_name = @remix_name, remix_author = @remix_author,
			fingerprint = @fingerprint, replay_key = @replay_key, image_key = @image_key, thumbnail_key = @thumbnail_key,
			drawing_key = @drawing_key, picture_key = @picture_key, picture_thumbnail_key = @picture_thumbnail_key,
			picture_bucket = @picture_bucket, drawing_due = @drawing_due,
			created_at = @created_at, updated_at = @updated_at, removed_at = @removed_at
		where id = @id`
)

// mapArgs returns the values of a map's columns.
func mapArgs(m parkourmap.Map) pgx.StrictNamedArgs {
	f := m.Files
	args := pgx.StrictNamedArgs{
		"id": m.ID, "version": m.Version, "game_map_id": m.GameMapID, "map_version": m.MapVersion,
		"superseded": m.Superseded, "unranked": m.Unranked, "unranked_reason": m.UnrankedReason,
		"name": m.Name, "search_key": search.Key(m.Name), "game_mode": m.Mode.String(),
		"author_id": m.AuthorID, "submitted_by_id": m.SubmittedByID,
		"description": m.Description, "tags": m.Tags, "contributors": m.Contributors,
		"medal_author": nil, "medal_gold": nil, "medal_silver": nil, "medal_bronze": nil,
		"remix_game_map_id": nil, "remix_name": nil, "remix_author": nil,
		"fingerprint": m.Fingerprint, "replay_key": f.Replay,
		"image_key": zeronull.Text(f.Image), "thumbnail_key": zeronull.Text(f.Thumbnail),
		"drawing_key": zeronull.Text(f.Drawing), "picture_key": zeronull.Text(f.Picture),
		"picture_thumbnail_key": zeronull.Text(f.PictureThumbnail), "picture_bucket": zeronull.Text(f.PictureBucket),
		"drawing_due": m.DrawingDue,
		"created_at":  m.CreatedAt, "updated_at": m.UpdatedAt, "removed_at": zeronull.Timestamptz(m.RemovedAt),
	}
	if m.Medals != nil {
		args["medal_author"], args["medal_gold"] = m.Medals.Author, m.Medals.Gold
		args["medal_silver"], args["medal_bronze"] = m.Medals.Silver, m.Medals.Bronze
	}
	if m.RemixOf != nil {
		args["remix_game_map_id"] = m.RemixOf.GameMapID
		args["remix_name"], args["remix_author"] = m.RemixOf.Name, m.RemixOf.Author
	}
	return args
}

// scanMap is a pgx.RowToFunc of mapColumns.
func scanMap(row pgx.CollectableRow) (parkourmap.Map, error) { return scanMapWith(row) }

// scanMapWith scans mapColumns, and the columns after them to more.
func scanMapWith(row pgx.CollectableRow, more ...any) (m parkourmap.Map, err error) {
	var mode string
	// Constraints of the table ensure that either all medals are null or none, and so with the remix.
	var author, gold, silver, bronze *int
	var remixGameMapID *int64
	var remixName, remixAuthor *string
	f := &m.Files
	err = row.Scan(append([]any{
		&m.ID, &m.Version, &m.GameMapID, &m.MapVersion, &m.Superseded, &m.Unranked, &m.UnrankedReason, &m.Name,
		&mode, &m.AuthorID, &m.SubmittedByID, &m.Description, &m.Tags, &m.Contributors,
		&author, &gold, &silver, &bronze, &remixGameMapID, &remixName, &remixAuthor,
		&m.Fingerprint, &f.Replay, (*zeronull.Text)(&f.Image), (*zeronull.Text)(&f.Thumbnail),
		(*zeronull.Text)(&f.Drawing), (*zeronull.Text)(&f.Picture), (*zeronull.Text)(&f.PictureThumbnail),
		(*zeronull.Text)(&f.PictureBucket), &m.DrawingDue,
		&m.CreatedAt, &m.UpdatedAt, (*zeronull.Timestamptz)(&m.RemovedAt),
	}, more...)...)
	if err != nil {
		return parkourmap.Map{}, err
	}
	m.Mode, _ = bonkmap.ModeNamed(mode)
	if author != nil {
		m.Medals = &racetime.Medals{Author: *author, Gold: *gold, Silver: *silver, Bronze: *bronze}
	}
	if remixGameMapID != nil {
		m.RemixOf = &parkourmap.Remix{GameMapID: *remixGameMapID, Name: *remixName, Author: *remixAuthor}
	}
	return m, nil
}

// The columns of scanEntry, and the tables that they are read from beside maps as m.
const (
	entryColumns = mapColumns + `, coalesce(s.records, 0),
	coalesce(a.name, ''), coalesce(a.skin_image_url, ''), coalesce(a.skin_color, ''),
	coalesce(b.name, ''), coalesce(b.skin_image_url, ''), coalesce(b.skin_color, ''),
	coalesce(s.world_record_id::text, ''), coalesce(s.world_record_player_id::text, ''), coalesce(s.world_record_time, 0),
	coalesce(w.name, ''), coalesce(w.skin_image_url, ''), coalesce(w.skin_color, '')`
	entryJoins = `
	left join map_stats s on s.map_id = m.id
	left join players a on a.id = m.author_id
	left join players b on b.id = m.submitted_by_id
	left join players w on w.id = s.world_record_player_id and not w.removed`
)

// scanEntry is a pgx.RowToFunc of entryColumns.
func scanEntry(row pgx.CollectableRow) (e parkourmap.Entry, err error) {
	a, b, w := &e.Author, &e.SubmittedBy, parkourmap.WorldRecord{}
	e.Map, err = scanMapWith(row, &e.Records,
		&a.Name, &a.SkinImageURL, &a.SkinColor, &b.Name, &b.SkinImageURL, &b.SkinColor,
		&w.ID, &w.Player.ID, &w.FinishTime, &w.Player.Name, &w.Player.SkinImageURL, &w.Player.SkinColor)
	a.ID, b.ID = e.AuthorID, e.SubmittedByID
	if w.ID != "" {
		e.WorldRecord = &w
	}
	return e, err
}
