package files

import (
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
	"capzone.dev/services/records/internal/dump"
)

// dumpTypes are the content types of the formats.
var dumpTypes = map[dump.Format]string{
	dump.NDJSON: "application/zstd",
	dump.CSV:    "text/csv; charset=utf-8; header=present",
}

// errNotStored ends the reading of a table whose file cannot be stored.
var errNotStored = errors.New("the file was not stored")

// PutDumpTable implements dump.Files. The file is stored while it is written.
func (f *Files) PutDumpTable(
	ctx context.Context, folder string, table dump.Table, format dump.Format,
	read func(write func(row []*string) error) error,
) (dump.File, storedfile.Upload, error) {
	reader, writer := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		if format == dump.CSV {
			_ = writer.CloseWithError(writeCSV(writer, table, read))
		} else {
			_ = writer.CloseWithError(writeNDJSON(writer, table, read))
		}
	}()
	name := table.Name + "." + string(format)
	sum := digest{hash: sha256.New()}
	upload, err := f.uploads.PutStream(ctx, folder+name, dumpTypes[format], io.TeeReader(reader, &sum))
	_ = reader.CloseWithError(errNotStored) // no effect where all was read
	<-written
	return dump.File{Name: name, Size: sum.size, SHA256: hex.EncodeToString(sum.hash.Sum(nil))}, upload, err
}

// digest counts and hashes what is written to it.
type digest struct {
	size int64
	hash hash.Hash
}

// Write implements io.Writer.
func (d *digest) Write(p []byte) (int, error) {
	d.size += int64(len(p))
	return d.hash.Write(p)
}

// zstdWindow bounds the memory of the compression.
const zstdWindow = 1 << 20

// writeNDJSON writes a line of JSON for each row. A value that is absent is null.
func writeNDJSON(w io.Writer, table dump.Table, read func(write func(row []*string) error) error) error {
	compressed, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstdWindow),
		zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	if err != nil {
		return err
	}
	var line []byte
	err = read(func(row []*string) error {
		if line, err = appendJSON(line[:0], table, row); err != nil {
			return err
		}
		_, err := compressed.Write(line)
		return err
	})
	return errors.Join(err, compressed.Close())
}

// appendJSON appends a row with its end of line.
func appendJSON(line []byte, table dump.Table, row []*string) ([]byte, error) {
	for i, column := range table.Columns {
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		line = append(line, separator, '"')
		line = append(line, column.Name...)
		line = append(line, '"', ':')
		switch value := row[i]; {
		case value == nil:
			line = append(line, "null"...)
		case column.Kind == dump.Text:
			quoted, err := json.Marshal(*value)
			if err != nil {
				return nil, err
			}
			line = append(line, quoted...)
		default:
			line = append(line, *value...)
		}
	}
	return append(line, "}\n"...), nil
}

// writeCSV writes the names of the columns and then the rows. A value that is absent is empty.
func writeCSV(w io.Writer, table dump.Table, read func(write func(row []*string) error) error) error {
	cells := csv.NewWriter(w)
	line := make([]string, len(table.Columns))
	for i, column := range table.Columns {
		line[i] = column.Name
	}
	if err := cells.Write(line); err != nil {
		return err
	}
	err := read(func(row []*string) error {
		for i, value := range row {
			line[i] = ""
			if value != nil {
				line[i] = *value
			}
		}
		return cells.Write(line)
	})
	cells.Flush()
	return errors.Join(err, cells.Error())
}

// PutDumpManifest implements dump.Files.
func (f *Files) PutDumpManifest(ctx context.Context, folder string, manifest []byte) (storedfile.Upload, error) {
	return f.uploads.PutStream(ctx, folder+dump.ManifestName, "application/json", bytes.NewReader(manifest))
}

// OpenDumpFile implements dump.Files. It also returns objectstore.ErrStorageUnavailable.
func (f *Files) OpenDumpFile(ctx context.Context, folder, name string) (io.ReadSeekCloser, error) {
	file, err := f.store.Open(ctx, folder+name)
	if errors.Is(err, storedfile.ErrUnknown) {
		return nil, dump.ErrUnknown.Wrap(err)
	}
	return file, err
}
