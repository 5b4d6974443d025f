package parkourmap

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	encoding "golang.org/x/text/encoding/unicode"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/playername"
	"capzone.dev/platform/readable"
)

const csvHeader = "map id,name,authors,page\n"

func TestParseImport_rows(t *testing.T) {
	t.Parallel()
	sky := ImportedMap{GameMapID: 7, Name: "Sky", Authors: []string{"cloudstep"}}
	for _, tt := range []struct {
		name, row string
		want      ImportedMap
		refusal   string // a part of it
	}{
		{"without a page", "7,Sky,cloudstep,", sky, ""},
		{"blanks around cells", " 7 , Sky ,\tcloudstep ,  ", sky, ""},
		{"the largest id", "2147483647,Sky,cloudstep,",
			ImportedMap{GameMapID: 1<<31 - 1, Name: "Sky", Authors: sky.Authors}, ""},
		{"authors", `7,Sky,"cloudstep, Rain;CLOUDSTEP; ,a b",`,
			ImportedMap{GameMapID: 7, Name: "Sky", Authors: []string{"cloudstep", "Rain", "a b"}}, ""},
		{"a page", "7,Sky,cloudstep,https://bonk.io/maps?id=7#top",
			ImportedMap{GameMapID: 7, Name: "Sky", Authors: sky.Authors, Page: "https://bonk.io/maps?id=7#top"}, ""},
		{"characters of Unicode 17", "7,\U0001FAC8,cloudstep,https://bonk.io/\U0001FAC8",
			ImportedMap{GameMapID: 7, Name: "\U0001FAC8", Authors: sky.Authors, Page: "https://bonk.io/%F0%9F%AB%88"}, ""},
		{"signs in a name", `7,"<3 ""Sky"", ~★ & co",cloudstep,`,
			ImportedMap{GameMapID: 7, Name: `<3 "Sky", ~★ & co`, Authors: sky.Authors}, ""},

		{"a name that begins with signs", "7,-=Sky=-,cloudstep,",
			ImportedMap{GameMapID: 7, Name: "-=Sky=-", Authors: sky.Authors}, ""},
		{"empty cells too many", "7,Sky,cloudstep,, ,", sky, ""},

		{"no id", ",Sky,cloudstep,", ImportedMap{}, "map id"},
		{"id 0", "0,Sky,cloudstep,", ImportedMap{}, "map id"},
		{"a negative id", "-7,Sky,cloudstep,", ImportedMap{}, "map id"},
		{"an id with a sign", "+7,Sky,cloudstep,", ImportedMap{}, "map id"},
		{"an id beyond the game's", "2147483648,Sky,cloudstep,", ImportedMap{}, "map id"},
		{"an id beyond 64 bits", strings.Repeat("9", 40) + ",Sky,cloudstep,", ImportedMap{}, "map id"},
		{"an id as a fraction", "7.0,Sky,cloudstep,", ImportedMap{}, "map id"},
		{"an id with groups", `"1,234",Sky,cloudstep,`, ImportedMap{}, "map id"},
		{"an id as a formula", "=7,Sky,cloudstep,", ImportedMap{}, "map id"},
		{"Arabic digits", "٧,Sky,cloudstep,", ImportedMap{}, "map id"},

		{"no name", "7, ,cloudstep,", ImportedMap{GameMapID: 7}, "name is empty"},
		{"markup", "7,<script>alert(1)</script>,cloudstep,", ImportedMap{GameMapID: 7}, "markup"},
		{"the end of an element", "7,Sky</title>,cloudstep,", ImportedMap{GameMapID: 7}, "markup"},
		{"a control character", "7,S\x1b[31mky,cloudstep,", ImportedMap{GameMapID: 7}, "cannot be read"},
		{"NUL", "7,S\x00ky,cloudstep,", ImportedMap{GameMapID: 7}, "cannot be read"},
		{"a line break", "7,\"S\nky\",cloudstep,", ImportedMap{GameMapID: 7}, "cannot be read"},
		{"a change of direction", "7,S\u202eky,cloudstep,", ImportedMap{GameMapID: 7}, "cannot be read"},
		{"blanks of other scripts", "7,\u3164\u2800,cloudstep,", ImportedMap{GameMapID: 7}, "cannot be read"},
		{"Latin-1", "7,Caf\xe9,cloudstep,", ImportedMap{GameMapID: 7}, "UTF-8"},
		{"a long name", "7," + strings.Repeat("é", 101) + ",cloudstep,", ImportedMap{GameMapID: 7}, "100 characters"},

		{"no authors", "7,Sky,,", ImportedMap{GameMapID: 7, Name: "Sky"}, "missing"},
		{"separators alone", `7,Sky,", ;",`, ImportedMap{GameMapID: 7, Name: "Sky"}, "missing"},
		{"an author with accents", "7,Sky,zéro,", ImportedMap{GameMapID: 7, Name: "Sky"}, "accounts"},
		{"an author like a deleted player", "7,Sky,deleted player 1,", ImportedMap{GameMapID: 7, Name: "Sky"}, "accounts"},
		{"11 authors", `7,Sky,"a,b,c,d,e,f,g,h,i,j,k",`, ImportedMap{GameMapID: 7, Name: "Sky"}, "10 authors"},

		{"a page over http", "7,Sky,cloudstep,http://bonk.io/7", sky, "https"},
		{"a page as a script", "7,Sky,cloudstep,javascript:alert(1)", sky, "https"},
		{"a page without a scheme", "7,Sky,cloudstep,bonk.io/7", sky, "https"},
		{"a page with a password", "7,Sky,cloudstep,https://bonk.io:x@evil.example/", sky, "https"},
		{"a page at a port", "7,Sky,cloudstep,https://bonk.io:8443/", sky, "https"},
		{"a page at an address", "7,Sky,cloudstep,https://127.0.0.1/", sky, "https"},
		{"a page at an address of version 6", "7,Sky,cloudstep,https://[::1]/", sky, "https"},
		{"a page at a local name", "7,Sky,cloudstep,https://localhost/", sky, "https"},
		{"a page of another script", "7,Sky,cloudstep,https://bоnk.io/", sky, "https"},
		{"a page with blanks", "7,Sky,cloudstep,https://bonk.io/a b", sky, "https"},
		{"a page with a control character", "7,Sky,cloudstep,https://bonk.io/\x1b", sky, "https"},
		{"a page with markup", `7,Sky,cloudstep,https://bonk.io/<script>`, sky, "https"},
		{"a long page", "7,Sky,cloudstep,https://bonk.io/" + strings.Repeat("a", 300), sky, "300 characters"},

		{"too few cells", "7,Sky,cloudstep", ImportedMap{}, "3 cells"},
		{"too many cells", "7,Sky,cloudstep,,x", ImportedMap{}, "5 cells"},
		{"10 MB", "7,Sky,cloudstep," + strings.Repeat("a", 10<<20), ImportedMap{}, "16 KiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file, err := parseImport(strings.NewReader(csvHeader + tt.row + "\n8,Last,Rain,\n"))
			if err != nil || len(file.rows) != 2 {
				t.Fatalf("%d rows, %v", len(file.rows), err)
			}
			row := file.rows[0]
			assert.Equal(t, "map", tt.want, row.ImportedMap, cmpopts.EquateEmpty())
			if tt.refusal == "" && row.refusal != "" || !strings.Contains(row.refusal, tt.refusal) {
				t.Errorf("refused with %q, want %q", row.refusal, tt.refusal)
			}
			if last := file.rows[1]; last.refusal != "" || last.Name != "Last" {
				t.Errorf("the next row: %+v", last)
			}
		})
	}
}

func TestParseImport_files(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, file string
		rows       int
		ignored    []string
		problem    string // a part of it
	}{
		{"a byte order mark, other names and another order", "\ufeffAuthor,Name,bonkDbId\r\ncloudstep,Sky,7\r\n", 1, nil, ""},
		{"other columns, with line breaks", "map_id,Notes,NAME,authors,\x1b[31m\n7,\"hard\n\nand =long\",Sky,cloudstep,x\n", 1,
			[]string{"Notes", "[31m"}, ""},
		{"empty rows", csvHeader + "\n,,,\n7,Sky,cloudstep,\n\n", 1, nil, ""},
		{"semicolons", "map id;name;authors;page\n7;Sky;\"cloudstep;Rain\";\n", 1, nil, ""},
		{"a named separator", "sep=;\r\nmap id;name,;authors\r\n7;Sky;cloudstep\r\n", 1, nil, ""},
		{"a named separator, and its rows", "SEP=|\nmap id|name|authors\n7|S,k;y|cloudstep\n", 1, nil, ""},
		{"tabs", "map id\tname\tauthors\n7\tSky\tcloudstep, Rain\n", 1, nil, ""},
		{"UTF-16 as Excel writes it", utf16File("map id\tname\tauthors\r\n7\tSk\u00fd\tcloudstep\r\n"), 1, nil, ""},
		{"line ends of an old Mac", "map id,name,authors\r7,Sky,cloudstep\r8,Cloud,cloudstep\r", 2, nil, ""},
		{"an empty header too many", "map id,name,authors,,\n7,Sky,cloudstep\n8,Cloud,cloudstep,,\n", 2, nil, ""},
		{"no line break at the end", csvHeader + "7,Sky,cloudstep,", 1, nil, ""},

		{"only headers", csvHeader, 0, nil, "no rows"},
		{"headers and empty rows", csvHeader + "\n,,,\n", 0, nil, "no rows"},
		{"nothing", "", 0, nil, "empty"},
		{"a byte order mark alone", "\ufeff", 0, nil, "empty"},
		{"UTF-16 without its mark", "m\x00a\x00p\x00", 0, nil, "UTF-8"},
		{"NUL", "\x00\x00", 0, nil, "UTF-8"},
		{"no headers", "7,Sky,cloudstep,\n", 0, nil, `"map id"`},
		{"no authors", "map id,name\n7,Sky\n", 0, nil, `"authors"`},
		{"a column twice", "map id,name,authors,author\n", 0, nil, "twice"},
		{"an open quotation mark", csvHeader + "7,Sky,cloudstep,\n8,\"Sky,cloudstep,\n", 0, nil, "line 3"},
		{"a quotation mark in a cell", csvHeader + "7,S\"ky,cloudstep,\n", 0, nil, "line 2"},
		{"too many rows", csvHeader + strings.Repeat("7,Sky,cloudstep,\n", maxImportRows+1), 0, nil, "50000 rows"},
		{"too many rows of blank cells", csvHeader + strings.Repeat(",,,\n", maxImportRows+1), 0, nil, "50000 rows"},
		{"a large header", "map id,name,authors" + strings.Repeat(",a", 10<<10) + "\n", 0, nil, "16 KiB"},
		{"an open quotation mark in a large row", csvHeader + "7,\"" + strings.Repeat("a", 20<<10) + "\n", 0, nil, "line 2"},
		{"text behind a quotation mark", csvHeader + "7,\"Sky\"!,cloudstep,\n", 0, nil, "line 2"},
		{"too many bytes", csvHeader + strings.Repeat("\n", maxImportFile), 0, nil, "16 MiB"},
		{"a page of HTML", "<!doctype html>\n<title>Sign in</title>\n", 0, nil, `"map id"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file, err := parseImport(strings.NewReader(tt.file))
			if tt.problem != "" {
				if !errors.Is(err, ErrImportFileInvalid) || !strings.Contains(err.Error(), tt.problem) {
					t.Errorf("returned %v, want %q", err, tt.problem)
				}
				return
			}
			if err != nil || len(file.rows) != tt.rows {
				t.Fatalf("%d rows, %v", len(file.rows), err)
			}
			assert.Equal(t, "ignored columns", tt.ignored, file.ignoredColumns, cmpopts.EquateEmpty())
			for _, row := range file.rows {
				if row.refusal != "" {
					t.Errorf("refused: %+v", row)
				}
			}
		})
	}
}

// utf16File returns a text in little-endian UTF-16 with its byte-order mark.
func utf16File(text string) string {
	file, err := encoding.UTF16(encoding.LittleEndian, encoding.UseBOM).NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return file
}

func TestParseImport_duplicates(t *testing.T) {
	t.Parallel()
	file, err := parseImport(strings.NewReader(csvHeader +
		"7,,cloudstep,\n7,Sky,cloudstep,\n8,Cloud,Rain,\n7,Sky,cloudstep,\n"))
	require.NoError(t, err)
	type row struct {
		Line    int
		Refusal string
	}
	var rows []row
	for _, r := range file.rows {
		rows = append(rows, row{r.line, r.refusal})
	}
	if diff := cmp.Diff([]row{
		{2, "The name is empty."}, {3, ""}, {4, ""}, {5, "The map is on line 3 already."},
	}, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// A row that is not refused can be stored and shown.
func FuzzParseImport(f *testing.F) {
	for _, seed := range []string{
		csvHeader + "7,Sky,cloudstep,https://bonk.io/7\n", csvHeader + "7,\"S\nky\",\"a,b\",\n", "\ufeffname,map id,authors\n",
		csvHeader + "7,=cmd,<b>,javascript:x\n", "\xff\xfem", csvHeader + "7,Caf\xe9,a,https://a.b/%zz\n", "\"", "\r\n\r",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parseImport(strings.NewReader(text))
		if err != nil {
			if !errors.Is(err, ErrImportFileInvalid) {
				t.Errorf("returned %v", err)
			}
			return
		}
		ids := map[int64]bool{}
		for _, r := range file.rows {
			if r.refusal != "" {
				continue
			}
			if r.GameMapID <= 0 || r.GameMapID >= 1<<31 || ids[r.GameMapID] {
				t.Errorf("map id %d", r.GameMapID)
			}
			ids[r.GameMapID] = true
			if !readable.Is(r.Name) || utf8.RuneCountInString(r.Name) > maxNameLength {
				t.Errorf("name %q", r.Name)
			}
			if len(r.Authors) == 0 || len(r.Authors) > maxImportedAuthors {
				t.Errorf("authors %q", r.Authors)
			}
			for _, name := range r.Authors {
				if playername.Check(name) != nil {
					t.Errorf("author %q", name)
				}
			}
			if again, refusal := parsePage(r.Page); again != r.Page || refusal != "" ||
				r.Page != "" && !strings.HasPrefix(r.Page, "https://") {
				t.Errorf("page %q becomes %q, %q", r.Page, again, refusal)
			}
		}
		for _, name := range file.ignoredColumns {
			if name != "" && !utf8.ValidString(name) {
				t.Errorf("column %q", name)
			}
		}
	})
}
