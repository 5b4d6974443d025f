package parkourmap

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	encoding "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/readable"
)

const (
	maxImportFile    = 16 << 20 // bytes
	maxImportRow     = 16 << 10 // bytes, with all of its cells
	maxImportRows    = 50_000   // also empty ones
	maxListedAuthors = 10
	maxPageLength    = 300 // characters
)

// importFile is a parsed CSV file of maps.
type importFile struct {
	rows           []importFileRow
	ignoredColumns []string
}

// importFileRow is a row of a file. Of a refused one, the map has what was read before.
type importFileRow struct {
	ListedMap
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
	data, separator, line := normalImport(data)
	if len(bytes.TrimSpace(data)) == 0 {
		return importFile{}, invalidFile("It is empty.")
	}
	header, data, err := nextRow(data, separator)
	switch {
	case err != nil:
		return importFile{}, brokenRow(line)
	case len(header.text) > maxImportRow:
		return importFile{}, invalidFile("Its first row has more than %d KiB.", maxImportRow>>10)
	}
	columns, ignored, err := importColumns(header.cells)
	if err != nil {
		return importFile{}, err
	}
	parsed := importFile{ignoredColumns: ignored}
	line += header.lines
	lines := map[int64]int{} // by game map id
	for count := 1; len(data) > 0; count++ {
		if count > maxImportRows {
			return importFile{}, invalidFile("It has more than %d rows.", maxImportRows)
		}
		var row csvRow
		if row, data, err = nextRow(data, separator); err != nil {
			return importFile{}, brokenRow(line)
		}
		if !row.isEmpty() {
			m, refusal := parseRow(columns, width(header.cells), row)
			if first, isTaken := lines[m.GameMapID]; isTaken && refusal == "" {
				refusal = fmt.Sprintf("The map is on line %d already.", first)
			}
			if refusal == "" {
				lines[m.GameMapID] = line
			}
			parsed.rows = append(parsed.rows, importFileRow{ListedMap: m, line: line, refusal: refusal})
		}
		line += row.lines
	}
	if len(parsed.rows) == 0 {
		return importFile{}, invalidFile("It has no rows behind the first one.")
	}
	return parsed, nil
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

// parseRow returns the map of a row, and the first rule that it breaks.
func parseRow(columns map[importColumn]int, columnCount int, row csvRow) (m ListedMap, refusal string) {
	switch {
	case len(row.text) > maxImportRow:
		return ListedMap{}, fmt.Sprintf("The row has more than %d KiB.", maxImportRow>>10)
	case width(row.cells) > columnCount, len(row.cells) < columnCount:
		return ListedMap{}, fmt.Sprintf("The row has %d cells, and the first one %d.", len(row.cells), columnCount)
	}
	return parseListed(columns, row.cells)
}

// invalidFile returns ErrImportFileInvalid with what is wrong, a sentence.
func invalidFile(format string, args ...any) error {
	return ErrImportFileInvalid.WithMessage("", ErrImportFileInvalid.Message+" "+fmt.Sprintf(format, args...))
}

func brokenRow(line int) error {
	return invalidFile("A quotation mark stands inside a cell, or is not closed, in the row that begins on line %d.", line)
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

// parseListed returns the map of a row, and the first rule that it breaks.
func parseListed(columns map[importColumn]int, cells []string) (m ListedMap, refusal string) {
	cell := func(c importColumn) string {
		if i, ok := columns[c]; ok {
			return strings.TrimSpace(cells[i])
		}
		return ""
	}
	if m.GameMapID, refusal = parseGameMapID(cell(gameMapIDColumn)); refusal != "" {
		return m, refusal
	}
	name := cell(nameColumn)
	if refusal = checkListedName(name); refusal != "" {
		return m, refusal
	}
	m.Name = name
	if m.Authors, refusal = parseAuthors(cell(authorsColumn)); refusal != "" {
		return m, refusal
	}
	m.Page, refusal = parsePage(cell(pageColumn))
	return m, refusal
}

// parseGameMapID parses the game's id of a map, which is a positive number of 32 bits in replays.
func parseGameMapID(cell string) (id int64, refusal string) {
	id, err := strconv.ParseInt(cell, 10, 64)
	if err != nil || id <= 0 || id > math.MaxInt32 || cell[0] == '+' {
		return 0, fmt.Sprintf("The map id has to be a whole number from 1 to %d.", math.MaxInt32)
	}
	return id, ""
}

// markup matches what begins an element, a comment or a declaration in HTML.
var markup = regexp.MustCompile(`<[A-Za-z/!?]`)

func checkListedName(name string) (refusal string) {
	switch {
	case !utf8.ValidString(name):
		return "The name is not text in UTF-8."
	case name == "":
		return "The name is empty."
	case !readable.Is(name):
		return "The name has characters that cannot be read."
	case readable.Length(name) > maxNameLength:
		return fmt.Sprintf("The name has more than %d characters.", maxNameLength)
	case markup.MatchString(name):
		return "The name has markup in it."
	}
	return ""
}

// parseAuthors parses names that are joined by commas or semicolons. A name that is there twice counts once.
func parseAuthors(cell string) (authors []string, refusal string) {
	for name := range strings.FieldsFuncSeq(cell, func(r rune) bool { return r == ',' || r == ';' }) {
		name = strings.TrimSpace(name)
		switch {
		case name == "" || playername.OneOf(name, authors...):
		case playername.Check(name) != nil:
			return nil, "The authors have to be names of accounts of the game, which have letters (A to Z), digits, spaces " +
				"and signs such as _ and -, separated by commas."
		case len(authors) == maxListedAuthors:
			return nil, fmt.Sprintf("There are more than %d authors.", maxListedAuthors)
		default:
			authors = append(authors, name)
		}
	}
	if len(authors) == 0 {
		return nil, "The authors are missing."
	}
	return authors, ""
}

// publicHost matches names of hosts in ASCII, without addresses of networks and names without a domain.
var publicHost = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$`)

// parsePage parses the address of a page, which may be empty.
func parsePage(cell string) (page, refusal string) {
	if cell == "" {
		return "", ""
	}
	if readable.Length(cell) > maxPageLength {
		return "", fmt.Sprintf("The page's address has more than %d characters.", maxPageLength)
	}
	address, err := url.Parse(cell)
	if err != nil || address.Scheme != "https" || address.User != nil || !publicHost.MatchString(address.Host) ||
		!utf8.ValidString(cell) || strings.ContainsFunc(cell, isUnsafeInAddress) {
		return "", "The page has to be an address that begins with https:// and the name of a site."
	}
	return address.String(), ""
}

// isUnsafeInAddress reports whether a character has no place in an address.
func isUnsafeInAddress(r rune) bool {
	return !unicode.IsPrint(r) || strings.ContainsRune(" \"'<>\\`{}|^", r)
}
