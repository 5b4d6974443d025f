package postgres

import (
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/services/maps/internal/parkourmap"
)

// mapColumns are read into a mapRow.
const mapColumns = `
	m.id, m.version, m.bonk_db_id, m.name, m.game_mode, m.author_id, m.submitted_by_id, m.description, m.tags,
	m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, m.contributors,
	m.remix_bonk_db_id, m.remix_name, m.remix_author, m.fingerprint,
	coalesce(m.image_key, '') as image_key, coalesce(m.thumbnail_key, '') as thumbnail_key, m.replay_key,
	m.created_at, m.updated_at, m.removed_at is not null as removed`

type mapRow struct {
	ID            string
	Version       int64
	BonkDBID      int64 `db:"bonk_db_id"`
	Name          string
	GameMode      string
	AuthorID      string
	SubmittedByID string
	Description   string
	Tags          []string
	MedalAuthor   *int
	MedalGold     *int
	MedalSilver   *int
	MedalBronze   *int
	Contributors  []string
	RemixBonkDBID *int64 `db:"remix_bonk_db_id"`
	RemixName     *string
	RemixAuthor   *string
	Fingerprint   string
	ImageKey      string
	ThumbnailKey  string
	ReplayKey     string
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Removed       bool
}

func (r mapRow) toMap() parkourmap.Map {
	mode, _ := bonkmap.ModeNamed(r.GameMode)
	m := parkourmap.Map{
		ID: r.ID, Version: r.Version, BonkDBID: r.BonkDBID, Name: r.Name, Mode: mode,
		AuthorID: r.AuthorID, SubmittedByID: r.SubmittedByID,
		Description: r.Description, Tags: r.Tags, Contributors: r.Contributors, Fingerprint: r.Fingerprint,
		Files:     parkourmap.FileKeys{Image: r.ImageKey, Thumbnail: r.ThumbnailKey, Replay: r.ReplayKey},
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), Removed: r.Removed,
	}
	// The table's constraints keep each of these groups whole.
	if r.MedalAuthor != nil {
		m.Medals = &racetime.Medals{Author: *r.MedalAuthor, Gold: *r.MedalGold, Silver: *r.MedalSilver, Bronze: *r.MedalBronze}
	}
	if r.RemixBonkDBID != nil {
		m.RemixOf = &parkourmap.Remix{BonkDBID: *r.RemixBonkDBID, Name: *r.RemixName, Author: *r.RemixAuthor}
	}
	return m
}

// mapArgs are the columns of a new map under their own names.
func mapArgs(m parkourmap.Map) pgx.NamedArgs {
	args := pgx.NamedArgs{
		"id": m.ID, "version": m.Version, "bonk_db_id": m.BonkDBID, "name": m.Name, "game_mode": m.Mode.String(),
		"author_id": m.AuthorID, "submitted_by_id": m.SubmittedByID, "description": m.Description,
		"tags": m.Tags, "contributors": m.Contributors, "fingerprint": m.Fingerprint,
		"medal_author": nil, "medal_gold": nil, "medal_silver": nil, "medal_bronze": nil,
		"remix_bonk_db_id": nil, "remix_name": nil, "remix_author": nil,
		"image_key": m.Files.Image, "thumbnail_key": m.Files.Thumbnail, "replay_key": m.Files.Replay,
		"created_at": m.CreatedAt, "updated_at": m.UpdatedAt,
	}
	if m.Medals != nil {
		args["medal_author"], args["medal_gold"] = m.Medals.Author, m.Medals.Gold
		args["medal_silver"], args["medal_bronze"] = m.Medals.Silver, m.Medals.Bronze
	}
	if m.RemixOf != nil {
		args["remix_bonk_db_id"], args["remix_name"], args["remix_author"] = m.RemixOf.BonkDBID, m.RemixOf.Name, m.RemixOf.Author
	}
	return args
}

// entryColumns are read into an entryRow from entryTables.
const (
	entryColumns = mapColumns + `, coalesce(s.records, 0) as records,
	coalesce(a.name, '') as author_name, coalesce(a.skin_image_url, '') as author_skin_image_url, coalesce(a.skin_color, '') as author_skin_color,
	coalesce(b.name, '') as submitter_name, coalesce(b.skin_image_url, '') as submitter_skin_image_url, coalesce(b.skin_color, '') as submitter_skin_color`
	entryTables = `
	left join map_stats s on s.map_id = m.id
	left join players a on a.id = m.author_id
	left join players b on b.id = m.submitted_by_id`
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
}

func (r entryRow) toEntry() parkourmap.Entry {
	return parkourmap.Entry{
		Map: r.toMap(),
		Author: parkourmap.Player{
			ID: r.AuthorID, Name: r.AuthorName, SkinImageURL: r.AuthorSkinImageURL, SkinColor: r.AuthorSkinColor,
		},
		SubmittedBy: parkourmap.Player{
			ID: r.SubmittedByID, Name: r.SubmitterName, SkinImageURL: r.SubmitterSkinImageURL, SkinColor: r.SubmitterSkinColor,
		},
		Records: r.Records,
	}
}
