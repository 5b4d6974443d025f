package record

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/problem"
)

// DumpSchema is the version of the columns of dumps. A column that changes its meaning gets a new one.
const DumpSchema = 1

// DumpLicense is the SPDX identifier of the licence of dumps.
const DumpLicense = "CC0-1.0"

// ManifestName is the name of the file that describes a dump.
const ManifestName = "manifest.json"

// The errors of dumps.
var (
	ErrDumpUnknown = problem.NotFound("dump_unknown", "There is no such dump.")
	// ErrDumpExists is returned where the day has a dump.
	ErrDumpExists = problem.Conflict("dump_exists", "There is a dump of this day. The next one can be written tomorrow.")
	// ErrDumpBusy is returned where another process writes a dump.
	ErrDumpBusy = problem.Conflict("dump_busy", "Another process is writing a dump.")
)

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
	Files  []DumpFile       `json:"files"`
}

// DumpFile describes a file of a dump.
type DumpFile struct {
	Name string `json:"name"`
	// Size is in bytes, and SHA256 hexadecimal.
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Dump is a dump that is complete.
type Dump struct {
	Manifest

	// Folder is what the keys of its files begin with.
	Folder     string
	FinishedAt time.Time
}

// DumpStore knows the dumps.
type DumpStore interface {
	// Dumps returns the newest complete dumps, newest first.
	Dumps(ctx context.Context, limit int) ([]Dump, error)
	// Dump returns the complete dump of a day (time.DateOnly), or ErrDumpUnknown.
	Dump(ctx context.Context, day string) (Dump, error)
	// LockDumps returns the right to change the dumps, which one process has at a time, or ErrDumpBusy.
	LockDumps(ctx context.Context) (DumpLock, error)
}

// DumpLock is the right to change the dumps. It is lost with the connection to the database, and then all methods fail.
type DumpLock interface {
	// Expire makes the complete dumps incomplete that are not kept any more: those from before a day that are not the
	// first one of their month.
	Expire(ctx context.Context, before time.Time) error
	// Incomplete returns the folders of incomplete dumps.
	Incomplete(ctx context.Context) ([]string, error)
	// Forget deletes the row of the incomplete dump in a folder.
	Forget(ctx context.Context, folder string) error
	// Begin stores a new incomplete dump and returns its folder, or ErrDumpExists.
	Begin(ctx context.Context, at time.Time) (folder string, err error)
	// Snapshot calls fn with what reads tables as they are at one moment.
	Snapshot(ctx context.Context, fn func(read ReadTable) error) error
	// Finish makes the dump in a folder complete.
	Finish(ctx context.Context, folder string, m Manifest, at time.Time) error
	// Close gives the right back.
	Close()
}

// ReadTable passes each row of a table to write. A value that is absent is nil.
type ReadTable func(ctx context.Context, table DumpTable, write func(row []*string) error) error

// DumpFiles stores the files of dumps, each under a folder and its name.
type DumpFiles interface {
	// CreateTable begins the files of a table, which exist once they are closed.
	CreateTable(ctx context.Context, folder string, table DumpTable) (TableWriter, error)
	// PutManifest stores the manifest.
	PutManifest(ctx context.Context, folder string, manifest []byte) error
	// DeleteDump deletes all files of a folder, also those whose uploads have not been completed.
	DeleteDump(ctx context.Context, folder string) error
	// OpenDumpFile opens a file. It returns ErrDumpUnknown.
	OpenDumpFile(ctx context.Context, folder, name string) (io.ReadSeekCloser, error)
}

// TableWriter writes the files of a table.
type TableWriter interface {
	Write(row []*string) error
	// Close completes the files and returns what they are.
	Close() ([]DumpFile, error)
	// Abort gives the files up. It does nothing after Close.
	Abort()
}

// DumpFacts is the stream of facts.
type DumpFacts interface {
	// Sequence returns the number of a fact. When it returns, the database has the effects of all facts up to it, also of
	// those of other services.
	Sequence(ctx context.Context) (uint64, error)
}

// Dumper writes dumps and finds them.
type Dumper struct {
	Store DumpStore
	Files DumpFiles
	Facts DumpFacts
	Now   func() time.Time
}

// keepDumps is for how many days each dump is kept. The first one of each month is kept permanently.
const keepDumps = 14

// Write writes the dump of the day and removes the dumps that are not kept any more, and what is left of incomplete
// ones. It returns ErrDumpBusy, ErrDumpExists, or why the dump could not be written, which is not shown then.
func (d *Dumper) Write(ctx context.Context) (Manifest, error) {
	lock, err := d.Store.LockDumps(ctx)
	if err != nil {
		return Manifest{}, err
	}
	defer lock.Close()
	began := d.Now().UTC().Truncate(time.Millisecond)
	if err := lock.Expire(ctx, began.AddDate(0, 0, -keepDumps)); err != nil {
		return Manifest{}, err
	}
	if err := d.removeIncomplete(ctx, lock); err != nil {
		return Manifest{}, err
	}
	folder, err := lock.Begin(ctx, began)
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{
		Schema: DumpSchema, Date: began.Format(time.DateOnly), CreatedAt: began, License: DumpLicense,
		Counts: map[string]int64{},
	}
	if m.Sequence, err = d.Facts.Sequence(ctx); err != nil {
		return Manifest{}, fmt.Errorf("dump: sequence of facts: %w", err)
	}
	err = lock.Snapshot(ctx, func(read ReadTable) error {
		for _, table := range DumpTables {
			m.Counts[table.Name] = 0
			if err := d.writeTable(ctx, read, folder, table, &m); err != nil {
				return fmt.Errorf("table %s: %w", table.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return Manifest{}, fmt.Errorf("dump: %w", err)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return Manifest{}, fmt.Errorf("dump: %w", err)
	}
	if err := d.Files.PutManifest(ctx, folder, append(text, '\n')); err != nil {
		return Manifest{}, fmt.Errorf("dump: manifest: %w", err)
	}
	return m, lock.Finish(ctx, folder, m, d.Now().UTC())
}

// removeIncomplete removes what is stored of incomplete dumps, and then their rows.
func (d *Dumper) removeIncomplete(ctx context.Context, lock DumpLock) error {
	folders, err := lock.Incomplete(ctx)
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if err := d.Files.DeleteDump(ctx, folder); err != nil {
			return fmt.Errorf("remove an incomplete dump: %w", err)
		}
		if err := lock.Forget(ctx, folder); err != nil {
			return err
		}
	}
	return nil
}

// writeTable writes the files of a table, and says in the manifest what is in them.
func (d *Dumper) writeTable(ctx context.Context, read ReadTable, folder string, table DumpTable, m *Manifest) error {
	writer, err := d.Files.CreateTable(ctx, folder, table)
	if err != nil {
		return err
	}
	defer writer.Abort()
	err = read(ctx, table, func(row []*string) error {
		m.Counts[table.Name]++
		return writer.Write(row)
	})
	if err != nil {
		return err
	}
	files, err := writer.Close()
	m.Files = append(m.Files, files...)
	return err
}

// IsDue reports whether the dump of the day has to be written: it is past the time of the day (in UTC), and there is
// none.
func (d *Dumper) IsDue(ctx context.Context, timeOfDay time.Duration) (bool, error) {
	now := d.Now().UTC()
	if now.Sub(now.Truncate(24*time.Hour)) < timeOfDay {
		return false, nil
	}
	_, err := d.Store.Dump(ctx, now.Format(time.DateOnly))
	if errors.Is(err, ErrDumpUnknown) {
		return true, nil
	}
	return false, err
}

// maxDumps bounds the list of dumps: those of a fortnight, and of more than 80 years of months.
const maxDumps = 1000

// List returns the dumps, newest first.
func (d *Dumper) List(ctx context.Context) ([]Dump, error) { return d.Store.Dumps(ctx, maxDumps) }

// Latest returns the newest dump, or ErrDumpUnknown.
func (d *Dumper) Latest(ctx context.Context) (Dump, error) {
	dumps, err := d.Store.Dumps(ctx, 1)
	if err != nil {
		return Dump{}, err
	}
	if len(dumps) == 0 {
		return Dump{}, ErrDumpUnknown
	}
	return dumps[0], nil
}

// OpenedDumpFile is a file of a dump.
type OpenedDumpFile struct {
	io.ReadSeekCloser

	// Tag is different for different bytes.
	Tag string
}

// Open opens a file of the dump of a day (time.DateOnly). It returns ErrDumpUnknown for a day without a dump, and for a
// name that is none of its files.
func (d *Dumper) Open(ctx context.Context, day, name string) (OpenedDumpFile, error) {
	if parsed, err := time.Parse(time.DateOnly, day); err != nil || parsed.Format(time.DateOnly) != day {
		return OpenedDumpFile{}, ErrDumpUnknown
	}
	dump, err := d.Store.Dump(ctx, day)
	if err != nil {
		return OpenedDumpFile{}, err
	}
	opened := OpenedDumpFile{Tag: strings.ReplaceAll(dump.Folder, "/", "-")}
	if name != ManifestName {
		i := slices.IndexFunc(dump.Files, func(f DumpFile) bool { return f.Name == name })
		if i < 0 {
			return OpenedDumpFile{}, ErrDumpUnknown
		}
		opened.Tag = dump.Files[i].SHA256
	}
	opened.ReadSeekCloser, err = d.Files.OpenDumpFile(ctx, dump.Folder, name)
	return opened, err
}
