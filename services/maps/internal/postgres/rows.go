package postgres

import (
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// mapRow has the columns of maps that are read and written. It is the only list of them: the
// statements are made of its tags.
type mapRow struct {
	ID                  string               `db:"id"`
	Version             int64                `db:"version"`
	GameMapID           int64                `db:"game_map_id"`
	MapVersion          int                  `db:"map_version"`
	Superseded          bool                 `db:"superseded"`
	Name                string               `db:"name"`
	SearchKey           string               `db:"search_key"`
	GameMode            string               `db:"game_mode"`
	AuthorID            string               `db:"author_id"`
	SubmittedByID       string               `db:"submitted_by_id"`
	Description         string               `db:"description"`
	Tags                []string             `db:"tags"`
	MedalAuthor         *int                 `db:"medal_author"`
	MedalGold           *int                 `db:"medal_gold"`
	MedalSilver         *int                 `db:"medal_silver"`
	MedalBronze         *int                 `db:"medal_bronze"`
	Contributors        []string             `db:"contributors"`
	RemixGameMapID      *int64               `db:"remix_game_map_id"`
	RemixName           *string              `db:"remix_name"`
	RemixAuthor         *string              `db:"remix_author"`
	Fingerprint         string               `db:"fingerprint"`
	ImageKey            zeronull.Text        `db:"image_key"`
	ThumbnailKey        zeronull.Text        `db:"thumbnail_key"`
	ReplayKey           string               `db:"replay_key"`
	DrawingKey          zeronull.Text        `db:"drawing_key"`
	PictureKey          zeronull.Text        `db:"picture_key"`
	PictureThumbnailKey zeronull.Text        `db:"picture_thumbnail_key"`
	PictureBucket       zeronull.Text        `db:"picture_bucket"`
	DrawingDue          bool                 `db:"drawing_due"`
	CreatedAt           time.Time            `db:"created_at"`
	UpdatedAt           time.Time            `db:"updated_at"`
	RemovedAt           zeronull.Timestamptz `db:"removed_at"`
}

var (
	columnNames = namesOf(reflect.TypeFor[mapRow]())
	// mapColumns are the columns of mapRow, from maps as m.
	mapColumns = "m." + strings.Join(columnNames, ", m.")
	// The arguments of these are a mapRow.
	insertMapSQL = "insert into maps (" + strings.Join(columnNames, ", ") + ", fingerprint_due) " +
		"values (@" + strings.Join(columnNames, ", @") + ", false)"
	updateMapSQL = "update maps set (" + strings.Join(columnNames, ", ") + ") = (@" +
		strings.Join(columnNames, ", @") + ") where id = @id"
)

// namesOf returns the names of the columns of a row.
func namesOf(row reflect.Type) (names []string) {
	for field := range row.Fields() {
		names = append(names, field.Tag.Get("db"))
	}
	return names
}

func newRow(m parkourmap.Map) mapRow {
	r := mapRow{
		ID: m.ID, Version: m.Version, GameMapID: m.GameMapID, MapVersion: m.MapVersion, Superseded: m.Superseded,
		Name: m.Name, SearchKey: search.Key(m.Name), GameMode: m.Mode.String(),
		AuthorID: m.AuthorID, SubmittedByID: m.SubmittedByID,
		Description: m.Description, Tags: m.Tags, Contributors: m.Contributors, Fingerprint: m.Fingerprint,
		ImageKey: zeronull.Text(m.Files.Image), ThumbnailKey: zeronull.Text(m.Files.Thumbnail),
		ReplayKey: m.Files.Replay, DrawingKey: zeronull.Text(m.Files.Drawing),
		PictureKey: zeronull.Text(m.Files.Picture), PictureThumbnailKey: zeronull.Text(m.Files.PictureThumbnail),
		PictureBucket: zeronull.Text(m.Files.PictureBucket), DrawingDue: m.DrawingDue,
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, RemovedAt: zeronull.Timestamptz(m.RemovedAt),
	}
	if m.Medals != nil {
		r.MedalAuthor, r.MedalGold, r.MedalSilver, r.MedalBronze = &m.Medals.Author, &m.Medals.Gold, &m.Medals.Silver,
			&m.Medals.Bronze
	}
	if m.RemixOf != nil {
		r.RemixGameMapID, r.RemixName, r.RemixAuthor = &m.RemixOf.GameMapID, &m.RemixOf.Name, &m.RemixOf.Author
	}
	return r
}

func (r mapRow) toMap() parkourmap.Map {
	mode, _ := bonkmap.ModeNamed(r.GameMode)
	m := parkourmap.Map{
		ID: r.ID, Version: r.Version, GameMapID: r.GameMapID, Name: r.Name, Mode: mode,
		AuthorID: r.AuthorID, SubmittedByID: r.SubmittedByID,
		Description: r.Description, Tags: r.Tags, Contributors: r.Contributors, Fingerprint: r.Fingerprint,
		MapVersion: r.MapVersion, Superseded: r.Superseded,
		Files: parkourmap.FileKeys{
			Image: string(r.ImageKey), Thumbnail: string(r.ThumbnailKey), Replay: r.ReplayKey,
			Drawing: string(r.DrawingKey), Picture: string(r.PictureKey),
			PictureThumbnail: string(r.PictureThumbnailKey), PictureBucket: string(r.PictureBucket),
		},
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(), RemovedAt: time.Time(r.RemovedAt).UTC(),
		DrawingDue: r.DrawingDue,
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

// scanMap is a pgx.RowToFunc of mapColumns.
func scanMap(row pgx.CollectableRow) (parkourmap.Map, error) {
	r, err := pgx.RowToStructByName[mapRow](row)
	if err != nil {
		return parkourmap.Map{}, err
	}
	return r.toMap(), nil
}

// The columns of entryRow, and the tables that they are read from beside maps as m.
var (
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
	if err != nil {
		return parkourmap.Entry{}, err
	}
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
	}, nil
}
