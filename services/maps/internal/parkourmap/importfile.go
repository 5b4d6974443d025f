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

	"capzone.dev/platform/playername"
)

const (
	maxImportFile    = 16 << 20 // bytes
	maxImportRow     = 16 << 10 // bytes, with all of its cells
	maxImportRows    = 50_000
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
// is no CSV in UTF-8 with the columns of importColumns, or that is too large.
func parseImport(file io.Reader) (importFile, error) {
	data, err := io.ReadAll(io.LimitReader(file, maxImportFile+1))
	if err != nil {
		return importFile{}, fmt.Errorf("read the file: %w", err)
	}
	if len(data) > maxImportFile {
		return importFile{}, invalidFile("It has more than %d MiB.", maxImportFile>>20)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	reader := csv.NewReader(bytes.NewReader(data))
	reader.FieldsPerRecord = -1
	header, err := reader.Read()
	if err != nil {
		return importFile{}, csvProblem(err)
	}
	columns, ignored, err := importColumns(header)
	if err != nil {
		return importFile{}, err
	}
	parsed := importFile{ignoredColumns: ignored}
	lines := map[int64]int{}
	for {
		start := reader.InputOffset()
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return parsed, nil
		}
		if err != nil {
			return importFile{}, csvProblem(err)
		}
		if isEmptyRow(cells) {
			continue
		}
		if len(parsed.rows) == maxImportRows {
			return importFile{}, invalidFile("It has more than %d rows.", maxImportRows)
		}
		row := importFileRow{}
		row.line, _ = reader.FieldPos(0)
		switch {
		case reader.InputOffset()-start > maxImportRow:
			row.refusal = fmt.Sprintf("The row has more than %d KiB.", maxImportRow>>10)
		case len(cells) != len(header):
			row.refusal = fmt.Sprintf("The row has %d cells, and the first one %d.", len(cells), len(header))
		default:
			row.ListedMap, row.refusal = parseListed(columns, cells)
		}
		if first, isTaken := lines[row.GameMapID]; isTaken && row.refusal == "" {
			row.refusal = fmt.Sprintf("The map is on line %d already.", first)
		}
		if row.refusal == "" {
			lines[row.GameMapID] = row.line
		}
		parsed.rows = append(parsed.rows, row)
	}
}

// invalidFile returns ErrImportFileInvalid with what is wrong, a sentence.
func invalidFile(format string, args ...any) error {
	return ErrImportFileInvalid.WithMessage("%s %s", ErrImportFileInvalid.Message, fmt.Sprintf(format, args...))
}

// csvProblem translates an error of the CSV reader.
func csvProblem(err error) error {
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return invalidFile("It is empty.")
	case errors.As(err, &wrong):
		return invalidFile("A quotation mark stands inside a cell, or is not closed, in the row that begins on line %d.",
			wrong.StartLine)
	}
	return err
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
				`The first row has no column %q. It names the columns: "map id", "name", "authors" and "page", separated by commas.`,
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

func isEmptyRow(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" })
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
	case !isReadable(name):
		return "The name has characters that cannot be read."
	case utf8.RuneCountInString(name) > maxNameLength:
		return fmt.Sprintf("The name has more than %d characters.", maxNameLength)
	case strings.ContainsRune("=+-@", rune(name[0])):
		return fmt.Sprintf("The name begins with %q, like a formula of a spreadsheet.", name[0])
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
				"and underscores, separated by commas."
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
	if utf8.RuneCountInString(cell) > maxPageLength {
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
