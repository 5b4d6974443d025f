package parkourmap

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
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

// csvRow is a row of a CSV file.
type csvRow struct {
	text []byte
	// lines is the number of its line breaks.
	lines int
	// cells are none of a row with more than maxImportRow bytes, and of an empty line.
	cells []string
}

func (r csvRow) isEmpty() bool {
	return len(r.text) <= maxImportRow &&
		!slices.ContainsFunc(r.cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// errQuotes means that a quotation mark stands inside a cell, or is not closed.
var errQuotes = errors.New("a quotation mark is out of place")

// nextRow parses the first row of data, and returns it with the data behind it. It returns errQuotes.
func nextRow(data []byte, separator byte) (row csvRow, rest []byte, err error) {
	n, err := rowLength(data, separator)
	if err != nil {
		return csvRow{}, nil, err
	}
	row, rest = csvRow{text: data[:n], lines: bytes.Count(data[:n], []byte("\n"))}, data[n:]
	if n > maxImportRow {
		return row, rest, nil
	}
	reader := csv.NewReader(bytes.NewReader(row.text))
	reader.Comma = rune(separator)
	row.cells, err = reader.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return csvRow{}, nil, errQuotes
	}
	return row, rest, nil
}

// rowLength returns the number of bytes of the first row of data, with the line break at its end. It returns errQuotes.
// It needs no memory, however long the row is.
func rowLength(data []byte, separator byte) (int, error) {
	const (
		cellStart = iota
		inCell
		inQuotes
		afterQuotes
	)
	state := cellStart
	for i, c := range data {
		switch {
		case state == inQuotes:
			if c == '"' {
				state = afterQuotes
			}
		case c == '"' && state == inCell:
			return 0, errQuotes
		case c == '"': // two of them in quotes are one
			state = inQuotes
		case c == '\n':
			return i + 1, nil
		case c == separator:
			state = cellStart
		case state == afterQuotes && c != '\r':
			return 0, errQuotes
		case state == cellStart:
			state = inCell
		}
	}
	if state == inQuotes {
		return 0, errQuotes
	}
	return len(data), nil
}
