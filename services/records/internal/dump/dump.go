// Package dump is the domain of dumps: files with all public data of the site, written once a day.
package dump

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/storedfile"
)

// Schema is the version of the columns of dumps. A column that changes its meaning gets a new one.
const Schema = 1

// License is the SPDX identifier of the licence of dumps.
const License = "CC0-1.0"

// ManifestName is the name of the file that describes a dump.
const ManifestName = "manifest.json"

// Manifest describes a dump.
type Manifest struct {
	Schema int `json:"schema"`
	// Date is the day in UTC (time.DateOnly), and CreatedAt when the dump was begun.
	Date      string    `json:"date"`
	CreatedAt time.Time `json:"createdAt"`
	License   string    `json:"license"`
	// Sequence is the number of a live event. All that happened up to it is in the dump; what came after may be.
	Sequence uint64 `json:"sequence"`
	// Counts are the rows of each table, by its name.
	Counts map[string]int64 `json:"counts"`
	Files  []File           `json:"files"`
}

// File describes a file of a dump.
type File struct {
	Name string `json:"name"`
	// Size is in bytes, and SHA256 hexadecimal.
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Dump is a dump, all of whose files are stored.
type Dump struct {
	Manifest

	// Folder is what the keys of its files begin with.
	Folder     string
	FinishedAt time.Time
}

// Store knows the dumps.
type Store interface {
	// Dumps returns the newest dumps, newest first.
	Dumps(ctx context.Context, limit int) ([]Dump, error)
	// Dump returns the dump of a day (time.DateOnly), or ErrUnknown.
	Dump(ctx context.Context, day string) (Dump, error)
	// HasRecords reports whether the site has a record, also one that was removed.
	HasRecords(ctx context.Context) (bool, error)
	// LockDumps takes the lock that one process has at a time while it writes a dump, or returns ErrBusy.
	LockDumps(ctx context.Context) (unlock func(), err error)
	// Snapshot calls fn with all tables, which are read as they are at one moment, in the order in which they are written.
	Snapshot(ctx context.Context, fn func(tables []Table) error) error
	// SaveDump stores a dump, attaches its files, and deletes the dumps that are not kept any more: those from before a
	// day that are not the first one of their month. It returns ErrExists where the day has a dump.
	SaveDump(ctx context.Context, d Dump, files []storedfile.Upload, keptSince time.Time) error
}

// Table is a table of a dump.
type Table struct {
	Name string
	// Write writes the rows, uncompressed, and returns how many there are.
	Write func(ctx context.Context, w io.Writer, format Format) (rows int64, err error)
}

// Format is a format of the files of tables.
type Format string

// Each table is a file of JSON lines, compressed by zstd, and a file of CSV that begins with the names of the columns.
const (
	NDJSON Format = "ndjson.zst"
	CSV    Format = "csv"
)

// contentTypes are the types of the files by their suffix.
var contentTypes = map[string]string{
	".json": "application/json", ".zst": "application/zstd", ".csv": "text/csv; charset=utf-8; header=present",
}

// ContentType returns the type of a file of a dump.
func ContentType(name string) string { return contentTypes[path.Ext(name)] }

// Files stores the files of dumps, each under a folder and its name. A file that no dump attaches is removed later.
type Files interface {
	// PutDumpFile stores what write writes, compressed where the name ends with .zst.
	PutDumpFile(ctx context.Context, folder, name string, write func(w io.Writer) error) (File, storedfile.Upload, error)
	// OpenDumpFile opens a file. It returns ErrUnknown.
	OpenDumpFile(ctx context.Context, folder, name string) (io.ReadSeekCloser, error)
}

// Facts is the stream of facts.
type Facts interface {
	// Sequence returns the number of a fact. When it returns, the database has the effects of all facts up to it, also of
	// those of other services.
	Sequence(ctx context.Context) (uint64, error)
}

// Dumper writes dumps and finds them.
type Dumper struct {
	Store Store
	Files Files
	Facts Facts
	Now   func() time.Time
}

// keepDumps is for how many days each dump is kept. The first one of each month is kept permanently.
const keepDumps = 14

// Write writes the dump of the day: one file after the other, the manifest last, and then the row that makes it
// visible. It returns ErrBusy, ErrExists, or why the dump could not be written, which is not shown then.
func (d *Dumper) Write(ctx context.Context) (Manifest, error) {
	unlock, err := d.Store.LockDumps(ctx)
	if err != nil {
		return Manifest{}, err
	}
	defer unlock()
	began := event.InMillis(d.Now())
	m := Manifest{
		Schema: Schema, Date: began.Format(time.DateOnly), CreatedAt: began, License: License,
		Counts: map[string]int64{},
	}
	if _, err := d.Store.Dump(ctx, m.Date); !errors.Is(err, ErrUnknown) {
		return Manifest{}, cmp.Or(err, error(ErrExists))
	}
	if m.Sequence, err = d.Facts.Sequence(ctx); err != nil {
		return Manifest{}, fmt.Errorf("dump: sequence of facts: %w", err)
	}
	// No two attempts have the same folder.
	folder := "dumps/" + m.Date + "/" + strings.ToLower(rand.Text()[:8]) + "/"
	uploads, err := d.writeTables(ctx, folder, &m)
	if err != nil {
		return Manifest{}, fmt.Errorf("dump: %w", err)
	}
	_, manifest, err := d.Files.PutDumpFile(ctx, folder, ManifestName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(m)
	})
	if err != nil {
		return Manifest{}, fmt.Errorf("dump: manifest: %w", err)
	}
	dump := Dump{Manifest: m, Folder: folder, FinishedAt: event.InMillis(d.Now())}
	return m, d.Store.SaveDump(ctx, dump, append(uploads, manifest), began.AddDate(0, 0, -keepDumps))
}

// writeTables writes the files of all tables, and says in the manifest what is in them.
func (d *Dumper) writeTables(ctx context.Context, folder string, m *Manifest) (uploads []storedfile.Upload, err error) {
	err = d.Store.Snapshot(ctx, func(tables []Table) error {
		for _, table := range tables {
			for _, format := range []Format{NDJSON, CSV} {
				var rows int64
				write := func(w io.Writer) (err error) {
					rows, err = table.Write(ctx, w, format)
					return err
				}
				file, upload, err := d.Files.PutDumpFile(ctx, folder, table.Name+"."+string(format), write)
				if err != nil {
					return fmt.Errorf("table %s: %w", table.Name, err)
				}
				m.Counts[table.Name], m.Files, uploads = rows, append(m.Files, file), append(uploads, upload)
			}
		}
		return nil
	})
	return uploads, err
}

// IsDue reports whether the dump of the day has to be written: it is past the time of the day (in UTC), there is none,
// and the site has records.
func (d *Dumper) IsDue(ctx context.Context, timeOfDay time.Duration) (bool, error) {
	now := d.Now().UTC()
	if now.Sub(now.Truncate(24*time.Hour)) < timeOfDay {
		return false, nil
	}
	_, err := d.Store.Dump(ctx, now.Format(time.DateOnly))
	if errors.Is(err, ErrUnknown) {
		return d.Store.HasRecords(ctx)
	}
	return false, err
}

// maxDumps bounds the list of dumps: those of a fortnight, and of more than 80 years of months.
const maxDumps = 1000

// List returns the dumps, newest first.
func (d *Dumper) List(ctx context.Context) ([]Dump, error) { return d.Store.Dumps(ctx, maxDumps) }

// Latest returns the newest dump, or ErrUnknown.
func (d *Dumper) Latest(ctx context.Context) (Dump, error) {
	dumps, err := d.Store.Dumps(ctx, 1)
	if err != nil {
		return Dump{}, err
	}
	if len(dumps) == 0 {
		return Dump{}, ErrUnknown
	}
	return dumps[0], nil
}

// OpenedDumpFile is a file of a dump.
type OpenedDumpFile struct {
	io.ReadSeekCloser

	// Tag is different for different bytes.
	Tag string
}

// Open opens a file of the dump of a day (time.DateOnly). It returns ErrUnknown for a day without a dump, and for a
// name that is none of its files.
func (d *Dumper) Open(ctx context.Context, day, name string) (OpenedDumpFile, error) {
	if parsed, err := time.Parse(time.DateOnly, day); err != nil || parsed.Format(time.DateOnly) != day {
		return OpenedDumpFile{}, ErrUnknown
	}
	dump, err := d.Store.Dump(ctx, day)
	if err != nil {
		return OpenedDumpFile{}, err
	}
	opened := OpenedDumpFile{Tag: strings.ReplaceAll(dump.Folder, "/", "-")}
	if name != ManifestName {
		i := slices.IndexFunc(dump.Files, func(f File) bool { return f.Name == name })
		if i < 0 {
			return OpenedDumpFile{}, ErrUnknown
		}
		opened.Tag = dump.Files[i].SHA256
	}
	opened.ReadSeekCloser, err = d.Files.OpenDumpFile(ctx, dump.Folder, name)
	return opened, err
}
