package parkourmap

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	encoding "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	maxImportFile = 16 << 20 // bytes
	maxImportRow  = 16 << 10 // bytes, with all of its cells
	maxImportRows = 50_000   // also those of blank cells
)

// importFile is a parsed CSV file of maps.
type importFile struct {
	rows           []importFileRow
	ignoredColumns []string
}

// importFileRow is a row of a file. The map of a refused row has what was read before the refusal.
type importFileRow struct {
	ImportedMap
	line int
	// refusal is the broken rule, a sentence, empty for a row that can be imported.
	refusal string
}

// parseImport parses a CSV file. It reads at most maxImportFile bytes. It returns ErrImportFileInvalid for a file that
// is no CSV with the columns of importColumns, that has no rows, or that is too large.
func parseImport(file io.Reader) (importFile, error) {
	data, err := io.ReadAll(io.LimitReader(file, maxImportFile+1))
	if err != nil {
		return importFile{}, fmt.Errorf("read the file: %w", err)
	}
	if len(data) > maxImportFile {
		return importFile{}, invalidFile("It has more than %d MiB.", maxImportFile>>20)
	}
	text, separator, firstLine := normalImport(data)
	if len(bytes.TrimSpace(text)) == 0 {
		return importFile{}, invalidFile("It is empty.")
	}
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comma, reader.FieldsPerRecord = rune(separator), -1
	header, err := nextRow(reader, firstLine)
	switch {
	case err != nil:
		return importFile{}, err
	case header.isLong():
		return importFile{}, invalidFile("Its first row has more than %d KiB.", maxImportRow>>10)
	}
	columns, ignored, err := importColumns(header.cells)
	if err != nil {
		return importFile{}, err
	}
	parsed := importFile{ignoredColumns: ignored}
	lines := map[int64]int{} // by game map id
	for count := 1; ; count++ {
		row, err := nextRow(reader, firstLine)
		switch {
		case errors.Is(err, io.EOF) && len(parsed.rows) == 0:
			return importFile{}, invalidFile("It has no rows behind the first one.")
		case errors.Is(err, io.EOF):
			return parsed, nil
		case err != nil:
			return importFile{}, err
		case count > maxImportRows:
			return importFile{}, invalidFile("It has more than %d rows.", maxImportRows)
		case width(row.cells) == 0:
			continue
		}
		m, refusal := parseRow(columns, width(header.cells), row)
		if first, isTaken := lines[m.GameMapID]; isTaken && refusal == "" {
			refusal = fmt.Sprintf("The map is on line %d already.", first)
		}
		if refusal == "" {
			lines[m.GameMapID] = row.line
		}
		parsed.rows = append(parsed.rows, importFileRow{ImportedMap: m, line: row.line, refusal: refusal})
	}
}

// invalidFile returns ErrImportFileInvalid with what is wrong, a sentence.
func invalidFile(format string, args ...any) error {
	return ErrImportFileInvalid.WithMessage("", ErrImportFileInvalid.Message+" "+fmt.Sprintf(format, args...))
}

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

// importColumn is a column that an import reads.
type importColumn int

const (
	gameMapIDColumn importColumn = iota
	nameColumn
	authorsColumn
	pageColumn
)

// columnHeaders are the headers of columns, without blanks and signs and in lower case.
var columnHeaders = map[string]importColumn{
	"mapid": gameMapIDColumn, "bonkdbid": gameMapIDColumn, "name": nameColumn,
	"authors": authorsColumn, "author": authorsColumn, "page": pageColumn,
}

// importColumns returns which cell of a row has which column, and the headers of other columns. The column page may be
// missing.
func importColumns(header []string) (columns map[importColumn]int, ignored []string, err error) {
	columns, ignored = map[importColumn]int{}, []string{}
	for i, cell := range header {
		if !utf8.ValidString(cell) || strings.ContainsRune(cell, 0) {
			return nil, nil, invalidFile("It is not text in UTF-8.")
		}
		column, isKnown := columnHeaders[strings.Map(plainLetter, cell)]
		if !isKnown && strings.TrimSpace(cell) == "" {
			continue
		}
		if !isKnown {
			ignored = append(ignored, printable(cell, maxNameLength))
			continue
		}
		if _, isTaken := columns[column]; isTaken {
			return nil, nil, invalidFile("The column %q is there twice.", printable(cell, maxNameLength))
		}
		columns[column] = i
	}
	for column, name := range []string{"map id", "name", "authors"} {
		if _, ok := columns[importColumn(column)]; !ok {
			return nil, nil, invalidFile(
				`The first row has no column %q. It names the columns: "map id", "name", "authors" and "page", separated by commas, semicolons or tabs.`,
				name)
		}
	}
	return columns, ignored, nil
}

// plainLetter returns a letter or digit in lower case, and drops other characters.
func plainLetter(r rune) rune {
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return -1
	}
	return unicode.ToLower(r)
}
