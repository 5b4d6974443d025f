package parkourmap

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"capzone.dev/platform/playername"
	"capzone.dev/platform/readable"
)

const (
	maxImportedAuthors = 10
	maxPageLength      = 300 // characters
)

// parseRow returns the map of a row, and the first rule that it breaks.
func parseRow(columns map[importColumn]int, columnCount int, row csvRow) (m ImportedMap, refusal string) {
	switch {
	case row.isLong():
		return ImportedMap{}, fmt.Sprintf("The row has more than %d KiB.", maxImportRow>>10)
	case width(row.cells) > columnCount, len(row.cells) < columnCount:
		return ImportedMap{}, fmt.Sprintf("The row has %d cells, and the first one %d.", len(row.cells), columnCount)
	}
	cell := func(c importColumn) string {
		if i, ok := columns[c]; ok {
			return strings.TrimSpace(row.cells[i])
		}
		return ""
	}
	if m.GameMapID, refusal = parseGameMapID(cell(gameMapIDColumn)); refusal != "" {
		return m, refusal
	}
	name := cell(nameColumn)
	if refusal = checkImportedName(name); refusal != "" {
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

func checkImportedName(name string) (refusal string) {
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
		case len(authors) == maxImportedAuthors:
			return nil, fmt.Sprintf("There are more than %d authors.", maxImportedAuthors)
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
		readable.Printable(cell) != cell || strings.ContainsAny(cell, " \"'<>\\`{}|^") {
		return "", "The page has to be an address that begins with https:// and the name of a site."
	}
	return address.String(), ""
}
