package parkourmap

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
)

// ImportedMap is a map of the game that an operator has imported. It is on the list of maps without a replay until a
// version of it is on the site.
type ImportedMap struct {
	// ID is a UUIDv7.
	ID        string
	GameMapID int64
	Name      string
	// Authors are names of accounts of the game, who need not be players.
	Authors []string
	// Page is an https address about the map, or empty.
	Page       string
	ImportedAt time.Time
	// UpdatedAt is when an import changed the map the last time.
	UpdatedAt time.Time
	// MapID is the newest version of the map on the site, empty while there is none.
	MapID string
}

// importBatch is the number of rows of one transaction. Submissions of maps wait for it, some tenths of a second.
const importBatch = 250

// ImportOutcome is what an import does with a row.
type ImportOutcome string

// The outcomes.
const (
	ImportAdded     ImportOutcome = "added"
	ImportChanged   ImportOutcome = "changed"
	ImportUnchanged ImportOutcome = "unchanged"
	// ImportOnSite is the outcome for a map of which a version is on the site. Nothing is stored.
	ImportOnSite ImportOutcome = "onSite"
	// ImportRefused is the outcome for a row that breaks a rule. Nothing is stored.
	ImportRefused ImportOutcome = "refused"
)

// ImportReport says what an import has done, or of a dry run, what it would do.
type ImportReport struct {
	DryRun bool `json:"dryRun"`
	// Counts has the number of rows by outcome, with all outcomes.
	Counts map[ImportOutcome]int `json:"counts"`
	// IgnoredColumns are headers that the import does not know.
	IgnoredColumns []string `json:"ignoredColumns"`
	// Rows are all rows but empty ones, in the order of the file.
	Rows []ImportedRow `json:"rows"`
}

// ImportedRow is a row of a file with its outcome.
type ImportedRow struct {
	// Line is the line of the file on which the row begins, counted from 1. The headers are on the first one.
	Line int `json:"line"`
	// GameMapID and Name are empty where the row was refused before they were read.
	GameMapID int64         `json:"bonkDbId,omitempty"`
	Name      string        `json:"name,omitempty"`
	Outcome   ImportOutcome `json:"outcome"`
	// Reason is the broken rule of a refused row, a sentence.
	Reason string `json:"reason,omitempty"`
}

// KnownMaps are what the site knows of the maps of some rows, by their game map ids.
type KnownMaps struct {
	Imported map[int64]ImportedMap
	// OnSite is true for a map with a version on the site, false for one whose versions are all removed. A map without
	// versions has no entry.
	OnSite map[int64]bool
}

// ImportResult is what an import does with a row.
type ImportResult struct {
	Outcome ImportOutcome
	// Map is what is stored, and Entry its row of the audit log. They are zero where nothing is.
	Map   ImportedMap
	Entry access.Entry
	// Reason is set for a refused row.
	Reason string
}

// Import returns what the import of a map does.
func (k KnownMaps) Import(by access.Attribution, m ImportedMap) ImportResult {
	before, isImported := k.Imported[m.GameMapID]
	onSite, hasVersions := k.OnSite[m.GameMapID]
	switch {
	case onSite:
		return ImportResult{Outcome: ImportOnSite}
	case hasVersions:
		return ImportResult{Outcome: ImportRefused, Reason: "The map was removed from the site and cannot be submitted again."}
	case !isImported:
		entry := access.Entry{By: by, Action: access.ImportMaps, Target: m.ID, After: m.auditValues()}
		return ImportResult{Outcome: ImportAdded, Map: m, Entry: entry}
	case before.Name == m.Name && before.Page == m.Page && slices.Equal(before.Authors, m.Authors):
		return ImportResult{Outcome: ImportUnchanged}
	}
	m.ID, m.ImportedAt = before.ID, before.ImportedAt
	return ImportResult{Outcome: ImportChanged, Map: m, Entry: access.Entry{
		By: by, Action: access.ImportMaps, Target: m.ID, Before: before.auditValues(), After: m.auditValues(),
	}}
}

// Unlist returns the row of the audit log of an imported map that is deleted.
func (m ImportedMap) Unlist(by access.Attribution) access.Entry {
	return access.Entry{By: by, Action: access.UnlistMap, Target: m.ID, Before: m.auditValues()}
}

// auditValues returns what the audit log says of an imported map.
func (m ImportedMap) auditValues() map[string]any {
	return map[string]any{"gameMapId": m.GameMapID, "name": m.Name, "authors": m.Authors, "page": m.Page}
}

// ImportStore stores imported maps.
type ImportStore interface {
	// Import locks the imported maps, and stores what KnownMaps.Import returns for each map, in one transaction. It
	// returns the results in the order of the maps, which have different game map ids. A dry run stores nothing.
	Import(ctx context.Context, by access.Attribution, maps []ImportedMap, dryRun bool) ([]ImportResult, error)
	// Unlist deletes an imported map, with what ImportedMap.Unlist returns, in one transaction. It returns
	// ErrImportedMapUnknown.
	Unlist(ctx context.Context, by access.Attribution, gameMapID int64) error
}

// Importer imports maps that have no replay yet.
type Importer struct {
	Maps    ImportStore
	Players *Players
	Now     func() time.Time
	NewID   func() string
}

// Import imports the maps of a CSV file (docs/formats.md). A row that breaks a rule is refused, and the others are
// imported; a dry run stores nothing. It returns access.ErrForbidden, or ErrImportFileInvalid for a file that cannot be
// read as a whole, of which nothing is imported. After another error some batches may be stored, with which the next
// import of the file does nothing.
func (i *Importer) Import(
	ctx context.Context, by access.Attribution, file io.Reader, dryRun bool,
) (ImportReport, error) {
	_, by, err := access.Authorize(ctx, by, access.ImportMaps, i.Players.Get)
	if err != nil {
		return ImportReport{}, err
	}
	parsed, err := parseImport(file)
	if err != nil {
		return ImportReport{}, err
	}
	report := ImportReport{
		DryRun: dryRun, IgnoredColumns: parsed.ignoredColumns, Rows: make([]ImportedRow, len(parsed.rows)),
		Counts: map[ImportOutcome]int{
			ImportAdded: 0, ImportChanged: 0, ImportUnchanged: 0, ImportOnSite: 0, ImportRefused: 0,
		},
	}
	now := event.InMillis(i.Now())
	var maps []ImportedMap
	var rows []*ImportedRow // of maps
	for j, row := range parsed.rows {
		report.Rows[j] = ImportedRow{Line: row.line, GameMapID: row.GameMapID, Name: row.Name}
		if row.refusal != "" {
			report.Rows[j].Outcome, report.Rows[j].Reason = ImportRefused, row.refusal
			continue
		}
		m := row.ImportedMap
		m.ID, m.ImportedAt, m.UpdatedAt = i.NewID(), now, now
		maps, rows = append(maps, m), append(rows, &report.Rows[j])
	}
	for batch := range slices.Chunk(maps, importBatch) {
		results, err := i.Maps.Import(ctx, by, batch, dryRun)
		if err != nil {
			return ImportReport{}, fmt.Errorf("import the maps from line %d on: %w", rows[0].Line, err)
		}
		for j, d := range results {
			rows[j].Outcome, rows[j].Reason = d.Outcome, d.Reason
		}
		rows = rows[len(results):]
	}
	for _, row := range report.Rows {
		report.Counts[row.Outcome]++
	}
	return report, nil
}

// Unlist undoes the import of the map with the game's id. A version of the map on the site stays. It returns
// access.ErrForbidden, access.ErrReasonMissing, access.ErrReasonInvalid or ErrImportedMapUnknown.
func (i *Importer) Unlist(ctx context.Context, by access.Attribution, gameMapID string) error {
	_, by, err := access.Authorize(ctx, by, access.UnlistMap, i.Players.Get)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(gameMapID, 10, 64)
	if err != nil {
		return ErrImportedMapUnknown
	}
	return i.Maps.Unlist(ctx, by, id)
}

// GetImported returns an imported map, also one that is on the site, or ErrImportedMapUnknown.
func (r *Reader) GetImported(ctx context.Context, id string) (ImportedMap, error) {
	if !event.IsID(id) {
		return ImportedMap{}, ErrImportedMapUnknown
	}
	return r.Maps.ImportedMap(ctx, id)
}

// SearchWithoutReplay returns the wanted page of the maps without a replay, and the number of all. A page past the end
// is empty. It returns ErrTermTooLong.
func (r *Reader) SearchWithoutReplay(ctx context.Context, name string, page Page) ([]ImportedMap, int64, error) {
	if utf8.RuneCountInString(name) > maxTermLength {
		return nil, 0, ErrTermTooLong.About("name")
	}
	return r.Maps.SearchWithoutReplay(ctx, name, page)
}
