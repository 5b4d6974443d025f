package parkourmap

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	encoding "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// normalImport returns a file in UTF-8 with line feeds, the separator of its cells, and the line on which its first row
// begins. The separator is that of a line "sep=;" before the first row, as spreadsheets write it, else the most
// frequent one in the first row.
func normalImport(data []byte) (text []byte, separator byte, line int) {
	if decoded, _, err := transform.Bytes(encoding.BOMOverride(transform.Nop), data); err == nil {
		data = decoded
	}
	if !bytes.ContainsRune(data, '\n') {
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	first = bytes.TrimSuffix(first, []byte("\r"))
	if given, ok := bytes.CutPrefix(bytes.ToLower(first), []byte("sep=")); ok && len(given) == 1 {
		return rest, given[0], 2
	}
	separator = ','
	for _, other := range []byte(";\t") {
		if bytes.Count(first, []byte{other}) > bytes.Count(first, []byte{separator}) {
			separator = other
		}
	}
	return data, separator, 1
}

// width returns the number of cells without the blank ones at the end.
func width(cells []string) int {
	for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	return len(cells)
}

// csvRow is a row of a CSV file with the line on which it begins.
type csvRow struct {
	cells []string
	line  int
}

// isLong reports whether a row has more than maxImportRow bytes.
func (r csvRow) isLong() bool {
	size := len(r.cells)
	for _, cell := range r.cells {
		size += len(cell)
	}
	return size > maxImportRow
}

// nextRow returns the next row that is no empty line. firstLine is the line on which the reader began. It returns
// ErrImportFileInvalid, or io.EOF behind the last row.
func nextRow(reader *csv.Reader, firstLine int) (csvRow, error) {
	cells, err := reader.Read()
	switch broken, isBroken := errors.AsType[*csv.ParseError](err); {
	case isBroken:
		return csvRow{}, invalidFile(
			"A quotation mark stands inside a cell, or is not closed, in the row that begins on line %d.",
			firstLine-1+broken.StartLine)
	case err != nil && !errors.Is(err, io.EOF):
		return csvRow{}, invalidFile("It has no separator of cells.")
	case err != nil:
		return csvRow{}, err
	}
	line, _ := reader.FieldPos(0)
	return csvRow{cells, firstLine - 1 + line}, nil
}
