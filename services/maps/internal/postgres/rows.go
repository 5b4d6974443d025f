package postgres

import (
	"time"

	"github.com/jackc/pgx/v5"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/services/maps/internal/parkourmap"
)

// mapColumns are those of mapRow.targets.
const mapColumns = `
	m.id, m.version, m.bonk_db_id, m.name, m.game_mode, m.author_id, m.submitted_by_id, m.description, m.tags,
	m.medal_author, m.medal_gold, m.medal_silver, m.medal_bronze, m.contributors,
	m.remix_bonk_db_id, m.remix_name, m.remix_author, m.fingerprint,
	coalesce(m.image_key, ''), coalesce(m.thumbnail_key, ''), m.replay_key,
	m.created_at, m.updated_at, m.removed_at is not null`

type mapRow struct {
	ID            string
	Version       int64
	BonkDBID      int64
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
	RemixBonkDBID *int64
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

// targets are what a row is scanned into. They are written down, and not found by
// their names: pages of maps are read far more often than anything else.
func (r *mapRow) targets() []any {
	return []any{
		&r.ID, &r.Version, &r.BonkDBID, &r.Name, &r.GameMode, &r.AuthorID, &r.SubmittedByID, &r.Description, &r.Tags,
		&r.MedalAuthor, &r.MedalGold, &r.MedalSilver, &r.MedalBronze, &r.Contributors,
		&r.RemixBonkDBID, &r.RemixName, &r.RemixAuthor, &r.Fingerprint,
		&r.ImageKey, &r.ThumbnailKey, &r.ReplayKey, &r.CreatedAt, &r.UpdatedAt, &r.Removed,
	}
}

func (r *mapRow) toMap() parkourmap.Map {
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

// entryColumns are those of entryRow.targets, from entryTables.
const (
	entryColumns = mapColumns + `, coalesce(s.records, 0),
	coalesce(a.name, ''), coalesce(a.skin_image_url, ''), coalesce(a.skin_color, ''),
	coalesce(b.name, ''), coalesce(b.skin_image_url, ''), coalesce(b.skin_color, '')`
	entryTables = `
	left join map_stats s on s.map_id = m.id
	left join players a on a.id = m.author_id
	left join players b on b.id = m.submitted_by_id`
)

type entryRow struct {
	mapRow

	records             int64
	author, submittedBy parkourmap.Player
}

func (r *entryRow) targets() []any {
	return append(r.mapRow.targets(), &r.records,
		&r.author.Name, &r.author.SkinImageURL, &r.author.SkinColor,
		&r.submittedBy.Name, &r.submittedBy.SkinImageURL, &r.submittedBy.SkinColor)
}

func (r *entryRow) toEntry() parkourmap.Entry {
	r.author.ID, r.submittedBy.ID = r.AuthorID, r.SubmittedByID
	return parkourmap.Entry{Map: r.toMap(), Author: r.author, SubmittedBy: r.submittedBy, Records: r.records}
}

// collectEntries reads rows of entryColumns, of which there are about so many.
func collectEntries(rows pgx.Rows, about int) ([]parkourmap.Entry, error) {
	var row entryRow
	entries := make([]parkourmap.Entry, 0, about)
	_, err := pgx.ForEachRow(rows, row.targets(), func() error {
		entries = append(entries, row.toEntry())
		return nil
	})
	return entries, err
}
