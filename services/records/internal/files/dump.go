package files

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"

	"github.com/klauspost/compress/zstd"

	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/record"
)

const (
	ndjsonSuffix = ".ndjson.zst"
	csvSuffix    = ".csv"

	ndjsonType   = "application/zstd"
	csvType      = "text/csv; charset=utf-8; header=present"
	manifestType = "application/json"
)

// zstdWindow bounds the memory of the compression.
const zstdWindow = 1 << 20

// errAborted ends uploads that are given up.
var errAborted = errors.New("the file was given up")

// PutManifest implements record.DumpFiles.
func (f *Files) PutManifest(ctx context.Context, folder string, manifest []byte) error {
	return f.store.PutStream(ctx, folder+record.ManifestName, manifestType, bytes.NewReader(manifest))
}

// DeleteDump implements record.DumpFiles. The manifest is deleted first.
func (f *Files) DeleteDump(ctx context.Context, folder string) error {
	names := []string{record.ManifestName}
	for _, table := range record.DumpTables {
		names = append(names, table.Name+ndjsonSuffix, table.Name+csvSuffix)
	}
	for _, name := range names {
		if err := f.store.Delete(ctx, folder+name); err != nil {
			return err
		}
	}
	return nil
}

// OpenDumpFile implements record.DumpFiles. It also returns objectstore.ErrStorageUnavailable.
func (f *Files) OpenDumpFile(ctx context.Context, folder, name string) (io.ReadSeekCloser, error) {
	file, err := f.store.Open(ctx, folder+name)
	if errors.Is(err, storedfile.ErrUnknown) {
		return nil, record.ErrDumpUnknown.Wrap(err)
	}
	return file, err
}

// tableWriter implements record.TableWriter.
type tableWriter struct {
	table  record.DumpTable
	ndjson *upload
	zstd   *zstd.Encoder
	line   []byte
	csv    *upload
	buffer *bufio.Writer
	cells  *csv.Writer
	row    []string
}

// CreateTable implements record.DumpFiles. The CSV begins with the names of the columns.
func (f *Files) CreateTable(ctx context.Context, folder string, table record.DumpTable) (record.TableWriter, error) {
	t := &tableWriter{table: table, row: make([]string, len(table.Columns))}
	t.ndjson = f.beginUpload(ctx, folder, table.Name+ndjsonSuffix, ndjsonType)
	t.csv = f.beginUpload(ctx, folder, table.Name+csvSuffix, csvType)
	t.buffer = bufio.NewWriterSize(t.csv, 1<<16)
	t.cells = csv.NewWriter(t.buffer)
	var err error
	t.zstd, err = zstd.NewWriter(t.ndjson, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstdWindow),
		zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	if err != nil {
		t.Abort()
		return nil, err
	}
	for i, column := range table.Columns {
		t.row[i] = column.Name
	}
	if err := t.cells.Write(t.row); err != nil {
		t.Abort()
		return nil, err
	}
	return t, nil
}

// Write writes a row. A value that is absent is null in JSON and empty in CSV.
func (t *tableWriter) Write(row []*string) error {
	line := t.line[:0]
	line = append(line, '{')
	for i, column := range t.table.Columns {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, '"')
		line = append(line, column.Name...)
		line = append(line, '"', ':')
		switch value := row[i]; {
		case value == nil:
			line, t.row[i] = append(line, "null"...), ""
		case column.Kind == record.DumpText:
			quoted, err := json.Marshal(*value)
			if err != nil {
				return err
			}
			line, t.row[i] = append(line, quoted...), *value
		default:
			line, t.row[i] = append(line, *value...), *value
		}
	}
	line = append(line, "}\n"...)
	t.line = line
	if _, err := t.zstd.Write(t.line); err != nil {
		return err
	}
	return t.cells.Write(t.row)
}

// Close implements record.TableWriter.
func (t *tableWriter) Close() ([]record.DumpFile, error) {
	if err := t.zstd.Close(); err != nil {
		return nil, err
	}
	t.cells.Flush()
	if err := t.cells.Error(); err != nil {
		return nil, err
	}
	if err := t.buffer.Flush(); err != nil {
		return nil, err
	}
	var files []record.DumpFile
	for _, upload := range []*upload{t.ndjson, t.csv} {
		file, err := upload.close()
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// Abort implements record.TableWriter.
func (t *tableWriter) Abort() {
	t.ndjson.abort()
	t.csv.abort()
}

// upload is a file that is stored while it is written.
type upload struct {
	name   string
	pipe   *io.PipeWriter
	hash   hash.Hash
	size   int64
	stored chan error
}

func (f *Files) beginUpload(ctx context.Context, folder, name, contentType string) *upload {
	reader, writer := io.Pipe()
	u := &upload{name: name, pipe: writer, hash: sha256.New(), stored: make(chan error, 1)}
	go func() {
		err := f.store.PutStream(ctx, folder+name, contentType, reader)
		_ = reader.CloseWithError(err) // what is written after an error gets it
		u.stored <- err
		close(u.stored)
	}()
	return u
}

// Write implements io.Writer.
func (u *upload) Write(p []byte) (int, error) {
	n, err := u.pipe.Write(p)
	_, _ = u.hash.Write(p[:n])
	u.size += int64(n)
	return n, err
}

// close waits until the file is stored.
func (u *upload) close() (record.DumpFile, error) {
	_ = u.pipe.Close()
	if err := <-u.stored; err != nil {
		return record.DumpFile{}, err
	}
	return record.DumpFile{Name: u.name, Size: u.size, SHA256: hex.EncodeToString(u.hash.Sum(nil))}, nil
}

// abort ends the upload, unless it was closed, and waits for its end.
func (u *upload) abort() {
	_ = u.pipe.CloseWithError(errAborted)
	<-u.stored //nolint:errcheck // the caller knows why it gives up
}
