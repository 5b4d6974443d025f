package postgres

import (
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/search"
	"capzone.dev/services/maps/internal/parkourmap"
)

// mapRow is a map with the values of those columns that are no field of it.
type mapRow struct {
	parkourmap.Map
	searchKey, mode string
	// Constraints of the table ensure that either all medals are null or none, and so with the remix.
	medalAuthor, medalGold, medalSilver, medalBronze *int
	remixGameMapID                                   *int64
	remixName, remixAuthor                           *string
}

// column is a column of maps and a pointer to its value in a mapRow, from which it is written and to which it is read.
type column struct {
	name  string
	value any
}

// columns returns the columns of maps that are read and written. It is the only list of them.
func (r *mapRow) columns() []column {
	f := &r.Files
	return []column{
		{"id", &r.ID},
		{"version", &r.Version},
		{"game_map_id", &r.GameMapID},
		{"map_version", &r.MapVersion},
		{"superseded", &r.Superseded},
		{"unranked", &r.Unranked},
		{"unranked_reason", &r.UnrankedReason},
		{"name", &r.Name},
		{"search_key", &r.searchKey},
		{"game_mode", &r.mode},
		{"author_id", &r.AuthorID},
		{"submitted_by_id", &r.SubmittedByID},
		{"description", &r.Description},
		{"tags", &r.Tags},
		{"medal_author", &r.medalAuthor},
		{"medal_gold", &r.medalGold},
		{"medal_silver", &r.medalSilver},
		{"medal_bronze", &r.medalBronze},
		{"contributors", &r.Contributors},
		{"remix_game_map_id", &r.remixGameMapID},
		{"remix_name", &r.remixName},
		{"remix_author", &r.remixAuthor},
		{"fingerprint", &r.Fingerprint},
		{"image_key", (*zeronull.Text)(&f.Image)},
		{"thumbnail_key", (*zeronull.Text)(&f.Thumbnail)},
		{"replay_key", &f.Replay},
		{"drawing_key", (*zeronull.Text)(&f.Drawing)},
		{"picture_key", (*zeronull.Text)(&f.Picture)},
		{"picture_thumbnail_key", (*zeronull.Text)(&f.PictureThumbnail)},
		{"picture_bucket", (*zeronull.Text)(&f.PictureBucket)},
		{"drawing_due", &r.DrawingDue},
		{"created_at", &r.CreatedAt},
		{"updated_at", &r.UpdatedAt},
		{"removed_at", (*zeronull.Timestamptz)(&r.RemovedAt)},
	}
}

// columnNames returns the names of mapRow.columns, with a prefix each.
func columnNames(prefix string) string {
	var names []string
	for _, c := range new(mapRow).columns() {
		names = append(names, prefix+c.name)
	}
	return strings.Join(names, ", ")
}

var (
	// mapColumns are the columns of scanMap, from maps as m.
	mapColumns = columnNames("m.")
	// The arguments of these are mapArgs.
	insertMapSQL = "insert into maps (" + columnNames("") + ") values (" + columnNames("@") + ")"
	updateMapSQL = "update maps set (" + columnNames("") + ") = (" + columnNames("@") + ") where id = @id"
)

// mapArgs returns the values of a map's columns.
func mapArgs(m parkourmap.Map) pgx.StrictNamedArgs {
	r := mapRow{Map: m, searchKey: search.Key(m.Name), mode: m.Mode.String()}
	if m.Medals != nil {
		r.medalAuthor, r.medalGold = &m.Medals.Author, &m.Medals.Gold
		r.medalSilver, r.medalBronze = &m.Medals.Silver, &m.Medals.Bronze
	}
	if m.RemixOf != nil {
		r.remixGameMapID, r.remixName, r.remixAuthor = &m.RemixOf.GameMapID, &m.RemixOf.Name, &m.RemixOf.Author
	}
	args := pgx.StrictNamedArgs{}
	for _, c := range r.columns() {
		args[c.name] = c.value
	}
	return args
}

// scanMap is a pgx.RowToFunc of mapColumns.
func scanMap(row pgx.CollectableRow) (parkourmap.Map, error) { return scanMapWith(row) }

// scanMapWith scans mapColumns, and the columns after them to more.
func scanMapWith(row pgx.CollectableRow, more ...any) (parkourmap.Map, error) {
	var r mapRow
	var targets []any
	for _, c := range r.columns() {
		targets = append(targets, c.value)
	}
	if err := row.Scan(append(targets, more...)...); err != nil {
		return parkourmap.Map{}, err
	}
	m := r.Map
	m.Mode, _ = bonkmap.ModeNamed(r.mode)
	if r.medalAuthor != nil {
		m.Medals = &racetime.Medals{
			Author: *r.medalAuthor, Gold: *r.medalGold, Silver: *r.medalSilver, Bronze: *r.medalBronze,
		}
	}
	if r.remixGameMapID != nil {
		m.RemixOf = &parkourmap.Remix{GameMapID: *r.remixGameMapID, Name: *r.remixName, Author: *r.remixAuthor}
	}
	return m, nil
}

// The columns of scanEntry, and the tables that they are read from beside maps as m.
var (
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
