package postgres

import (
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/services/maps/internal/parkourmap"
)

// mapColumns are the columns of mapRow, from maps as m.
const mapColumns = `
	m.id, m.version, m.game_map_id, m.name, m.game_mode, m.author_id, m.submitted_by_id, m.description, m.tags,
	m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, m.contributors,
	m.remix_game_map_id, m.remix_name, m.remix_author, m.fingerprint,
	coalesce(m.image_key, '') as image_key, coalesce(m.thumbnail_key, '') as thumbnail_key, m.replay_key,
	coalesce(m.drawing_key, '') as drawing_key, coalesce(m.picture_key, '') as picture_key,
	coalesce(m.picture_thumbnail_key, '') as picture_thumbnail_key, coalesce(m.picture_bucket, '') as picture_bucket,
	m.map_version, m.superseded,
	m.created_at, m.updated_at, m.removed_at is not null as removed`

type mapRow struct {
	ID                  string
	Version             int64
	GameMapID           int64
	Name                string
	GameMode            string
	AuthorID            string
	SubmittedByID       string
	Description         string
	Tags                []string
	MedalAuthor         *int
	MedalGold           *int
	MedalSilver         *int
	MedalBronze         *int
	Contributors        []string
	RemixGameMapID      *int64
	RemixName           *string
	RemixAuthor         *string
	Fingerprint         string
	ImageKey            string
	ThumbnailKey        string
	ReplayKey           string
	DrawingKey          string
	PictureKey          string
	PictureThumbnailKey string
	PictureBucket       string
	MapVersion          int
	Superseded          bool
	CreatedAt           time.Time
	UpdatedAt           time.Time
	Removed             bool
}

func (r mapRow) toMap() parkourmap.Map {
	mode, _ := bonkmap.ModeNamed(r.GameMode)
	m := parkourmap.Map{
		ID: r.ID, Version: r.Version, GameMapID: r.GameMapID, Name: r.Name, Mode: mode,
		AuthorID: r.AuthorID, SubmittedByID: r.SubmittedByID,
		Description: r.Description, Tags: r.Tags, Contributors: r.Contributors, Fingerprint: r.Fingerprint,
		MapVersion: r.MapVersion, Superseded: r.Superseded,
		Files: parkourmap.FileKeys{
			Image: r.ImageKey, Thumbnail: r.ThumbnailKey, Replay: r.ReplayKey,
			Drawing: r.DrawingKey, Picture: r.PictureKey, PictureThumbnail: r.PictureThumbnailKey,
			PictureBucket: r.PictureBucket,
		},
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), Removed: r.Removed,
	}
	// Constraints of the table ensure that either all or none of these columns are null.
	if r.MedalAuthor != nil {
		m.Medals = &racetime.Medals{
			Author: *r.MedalAuthor, Gold: *r.MedalGold, Silver: *r.MedalSilver, Bronze: *r.MedalBronze,
		}
	}
	if r.RemixGameMapID != nil {
		m.RemixOf = &parkourmap.Remix{GameMapID: *r.RemixGameMapID, Name: *r.RemixName, Author: *r.RemixAuthor}
	}
	return m
}

// mapArgs are the columns of a map as named arguments.
func mapArgs(m parkourmap.Map) pgx.NamedArgs {
	args := pgx.NamedArgs{
		"id": m.ID, "version": m.Version, "game_map_id": m.GameMapID, "name": m.Name, "game_mode": m.Mode.String(),
		"author_id": m.AuthorID, "submitted_by_id": m.SubmittedByID, "description": m.Description,
		"tags": m.Tags, "contributors": m.Contributors, "fingerprint": m.Fingerprint,
		"medal_author": nil, "medal_gold": nil, "medal_silver": nil, "medal_bronze": nil,
		"remix_game_map_id": nil, "remix_name": nil, "remix_author": nil,
		"image_key": m.Files.Image, "thumbnail_key": m.Files.Thumbnail, "replay_key": m.Files.Replay,
		"drawing_key": m.Files.Drawing, "picture_key": m.Files.Picture,
		"picture_thumbnail_key": m.Files.PictureThumbnail, "picture_bucket": m.Files.PictureBucket,
		"map_version": m.MapVersion,
		"created_at":  m.CreatedAt, "updated_at": m.UpdatedAt,
	}
	if medals := m.Medals; medals != nil {
		args["medal_author"], args["medal_gold"] = medals.Author, medals.Gold
		args["medal_silver"], args["medal_bronze"] = medals.Silver, medals.Bronze
	}
	if remix := m.RemixOf; remix != nil {
		args["remix_game_map_id"], args["remix_name"], args["remix_author"] = remix.GameMapID, remix.Name, remix.Author
	}
	return args
}

// The columns of entryRow, and the tables that they are read from beside maps as m.
const (
	entryColumns = mapColumns + `, coalesce(s.records, 0) as records,
	coalesce(a.name, '') as author_name, coalesce(a.skin_image_url, '') as author_skin_image_url,
	coalesce(a.skin_color, '') as author_skin_color,
	coalesce(b.name, '') as submitter_name, coalesce(b.skin_image_url, '') as submitter_skin_image_url,
	coalesce(b.skin_color, '') as submitter_skin_color,
	s.world_record_id, s.world_record_player_id, s.world_record_time,
	coalesce(w.name, '') as holder_name, coalesce(w.skin_image_url, '') as holder_skin_image_url,
	coalesce(w.skin_color, '') as holder_skin_color`
	entryJoins = `
	left join map_stats s on s.map_id = m.id
	left join players a on a.id = m.author_id
	left join players b on b.id = m.submitted_by_id
	left join players w on w.id = s.world_record_player_id and not w.removed`
)

type entryRow struct {
	mapRow
	Records               int64
	AuthorName            string
	AuthorSkinImageURL    string `db:"author_skin_image_url"`
	AuthorSkinColor       string
	SubmitterName         string
	SubmitterSkinImageURL string `db:"submitter_skin_image_url"`
	SubmitterSkinColor    string
	WorldRecordID         *string
	WorldRecordPlayerID   *string
	WorldRecordTime       *int64
	HolderName            string
	HolderSkinImageURL    string `db:"holder_skin_image_url"`
	HolderSkinColor       string
}

// scanEntry is a pgx.RowToFunc of entryColumns.
func scanEntry(row pgx.CollectableRow) (parkourmap.Entry, error) {
	r, err := pgx.RowToStructByName[entryRow](row)
	var worldRecord *parkourmap.WorldRecord
	if r.WorldRecordID != nil { // a constraint ensures that the other columns are there
		worldRecord = &parkourmap.WorldRecord{
			ID: *r.WorldRecordID, FinishTime: *r.WorldRecordTime, Player: parkourmap.Player{
				ID: *r.WorldRecordPlayerID, Name: r.HolderName,
				SkinImageURL: r.HolderSkinImageURL, SkinColor: r.HolderSkinColor,
			},
		}
	}
	return parkourmap.Entry{
		Map: r.toMap(),
		Author: parkourmap.Player{
			ID: r.AuthorID, Name: r.AuthorName, SkinImageURL: r.AuthorSkinImageURL, SkinColor: r.AuthorSkinColor,
		},
		SubmittedBy: parkourmap.Player{
			ID: r.SubmittedByID, Name: r.SubmitterName,
			SkinImageURL: r.SubmitterSkinImageURL, SkinColor: r.SubmitterSkinColor,
		},
		Records: r.Records, WorldRecord: worldRecord,
	}, err
}
