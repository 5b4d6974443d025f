// Package search runs searches for rows by parts of names and by other filters. A search has
// any number of filters, an order, one page and the exact number of rows on all pages.
//
// A table stores Key of its names and has a trigram index (pg_trgm) on each, and one of the letters that trigrams lack:
//
//	create index on players using gin ((' ' || search_key) gin_trgm_ops)
//	create index on players using gin (search_letters(search_key))
//
// The blank before the key lets one index find parts of names as well as beginnings of words.
package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"capzone.dev/platform/readable"
)

// Query is a search. Its texts are SQL, never input. The conditions of Where belong to it.
type Query struct {
	// Table is the searched table with its alias, for example "maps m", or a join.
	Table string
	// Join is added to Table where the order needs another table, or is empty. It must neither add nor remove rows.
	Join string
	// ID is the column that orders rows which are equal in OrderBy. It is unique.
	ID string
	// OrderBy is a column that has an index together with ID.
	OrderBy    string
	Descending bool
	// Limit is the size of the page, Offset the number of rows before it.
	Limit, Offset int
	// After is the row after which the page begins, or nil. The rows after it are the same wherever others are added.
	After *Row
	// Select reads the rows whose ids the common table expression page (id) holds. It is a "select … from page join …".
	Select string

	conditions []string
	args       pgx.NamedArgs
}

// Row is the position of a row: its values of OrderBy and ID.
type Row struct {
	Value any
	ID    string
}

// Where adds a condition with its named arguments. An argument that PostgreSQL cannot store
// (text with a NUL or invalid UTF-8) is in no row, so that nothing matches.
func (q *Query) Where(condition string, args pgx.NamedArgs) {
	for _, value := range args {
		if !isStorable(value) {
			q.conditions = append(q.conditions, "false")
			return
		}
	}
	if q.args == nil {
		q.args = pgx.NamedArgs{}
	}
	q.conditions = append(q.conditions, condition)
	maps.Copy(q.args, args)
}

// WhereName adds a condition that compares (' ' || key) like @arg for a term that a visitor typed, and where the term
// has letters outside of ASCII, the condition letters, that search_letters(key) @> @arg_letters. An empty term adds
// nothing. A term without any character that is searched for, such as a lone accent, matches nothing.
func (q *Query) WhereName(condition, letters, arg, term string) {
	if strings.TrimSpace(term) == "" {
		return
	}
	key := Key(term)
	if key == "" {
		q.Where("false", nil)
		return
	}
	q.Where(condition, pgx.NamedArgs{arg: pattern(key)})
	var outside []string
	for _, r := range key {
		if r > unicode.MaxASCII {
			outside = append(outside, string(r))
		}
	}
	if len(outside) > 0 {
		q.Where(letters, pgx.NamedArgs{arg + "_letters": outside})
	}
}

// shortTerm is the length in characters up to which a term matches at beginnings of words
// only. Shorter than a trigram, it would find nearly every name anywhere else. In scripts
// without blanks each character is a word.
const shortTerm = 2

// pattern returns the pattern of like that finds the term's key in a key with a blank before it.
func pattern(key string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(key)
	first, _ := utf8.DecodeRuneInString(key)
	if utf8.RuneCountInString(key) <= shortTerm || isWord(first) {
		return "% " + escaped + "%"
	}
	return "%" + escaped + "%"
}

// Queryer is a pool or a transaction.
type Queryer interface {
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// Fetch returns the rows of the query's page in order, read by scan, and the number of rows on
// all pages. Both are read in one round trip.
func Fetch[T any](ctx context.Context, db Queryer, q Query, scan pgx.RowToFunc[T]) (page []T, total int64, err error) {
	batch := &pgx.Batch{}
	batch.Queue(q.CountSQL(), q.Args()).QueryRow(func(row pgx.Row) error { return row.Scan(&total) })
	batch.Queue(q.PageSQL(), q.Args()).Query(func(rows pgx.Rows) (err error) {
		page, err = pgx.CollectRows(rows, scan)
		return err
	})
	if err := db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, 0, fmt.Errorf("search %s: %w", q.Table, err)
	}
	return page, total, nil
}

// CountSQL returns the statement that counts the rows on all pages.
func (q *Query) CountSQL() string {
	return "select count(*) from " + q.Table + where(q.conditions)
}

// PageSQL returns the statement that reads the page.
func (q *Query) PageSQL() string {
	direction, comparison := "asc", ">"
	if q.Descending {
		direction, comparison = "desc", "<"
	}
	conditions := q.conditions
	if q.After != nil {
		after := fmt.Sprintf("(%s, %s) %s (@after_value, @after_id)", q.OrderBy, q.ID, comparison)
		conditions = append(slices.Clone(conditions), after)
	}
	page := fmt.Sprintf("select %s as id, %s as sort_value from %s %s", q.ID, q.OrderBy, q.Table, q.Join) +
		where(conditions) +
		fmt.Sprintf("\norder by %s %s, %s %s\nlimit @limit offset @offset", q.OrderBy, direction, q.ID, direction)
	return fmt.Sprintf("with page as (%s)\n%s\norder by page.sort_value %s, page.id %s", page, q.Select, direction, direction)
}

// Args returns the arguments of both statements.
func (q *Query) Args() pgx.NamedArgs {
	args := pgx.NamedArgs{"limit": q.Limit, "offset": q.Offset}
	maps.Copy(args, q.args)
	if q.After != nil {
		args["after_value"], args["after_id"] = q.After.Value, q.After.ID
	}
	return args
}

func where(conditions []string) string {
	if len(conditions) == 0 {
		return ""
	}
	return "\nwhere " + strings.Join(conditions, "\n\tand ")
}

func isStorable(value any) bool {
	switch value := value.(type) {
	case string:
		return readable.IsStorable(value)
	case []string:
		return !slices.ContainsFunc(value, func(text string) bool { return !readable.IsStorable(text) })
	}
	return true
}

// Key returns the form of a name in which it is stored for searching and sorting: compatible characters made
// equal (NFKC), case folded, accents and invisible characters removed, quotation marks of one kind, blanks in place of
// underscores and dashes and around each character of scripts without blanks, white space trimmed and collapsed. Names
// that are equal by playername.Key have the same Key. The result is valid UTF-8 without control characters, so
// that PostgreSQL can store it.
func Key(text string) string {
	folded := cases.Fold().String(norm.NFKC.String(strings.ToValidUTF8(text, "")))
	var key strings.Builder
	afterWord := false // a character that is a word by itself
	for _, r := range norm.NFKD.String(norm.NFKC.String(folded)) {
		if !unicode.Is(unicode.M, r) && (isWord(r) || afterWord) {
			key.WriteByte(' ')
			afterWord = isWord(r)
		}
		switch {
		case isAccent(r), unicode.Is(unicode.Cf, r):
		case unicode.IsControl(r), strings.ContainsRune(dashes, r):
			key.WriteByte(' ')
		case unicode.Is(unicode.Cherokee, r):
			// cases.Fold swaps the two cases of Cherokee instead of folding them.
			key.WriteRune(unicode.ToUpper(r))
		default:
			if plain, ok := plainLetters[r]; ok {
				key.WriteString(plain)
			} else {
				key.WriteRune(r)
			}
		}
	}
	return strings.Join(strings.Fields(key.String()), " ")
}

// dashes separate words, as blanks do.
const dashes = "_-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

// isWord reports whether r is a character of a script that is written without blanks between words.
func isWord(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar, unicode.Tibetan) && !unicode.Is(unicode.M, r)
}

// isAccent reports whether r is a mark that modifies letters of any script (acute, umlaut,
// cedilla). The vowel signs of a script, such as Devanagari, are letters and are kept.
func isAccent(r rune) bool {
	return unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r)
}

// plainLetters maps the lower-case letters that Unicode does not decompose to their base letters, and quotation marks
// to those of keyboards.
var plainLetters = map[rune]string{
	'æ': "ae", 'œ': "oe", 'ø': "o", 'ð': "d", 'đ': "d", 'þ': "th",
	'‘': "'", '’': "'", '‚': "'", '‛': "'", '′': "'", '`': "'", '“': `"`, '”': `"`,
	'„': `"`, '‟': `"`, '«': `"`, '»': `"`,
	'ħ': "h", 'ı': "i", 'ł': "l", 'ŧ': "t", 'ƀ': "b", 'ɨ': "i", 'ʉ': "u",
}
