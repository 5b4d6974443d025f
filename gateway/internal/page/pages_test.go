package page

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/testdeps"
	"capzone.dev/gateway/internal/apitypes"
	"capzone.dev/gateway/internal/cache"
	"capzone.dev/gateway/internal/webapp"
)

// TestPages_are_those_of_the_application compares the paths with those in the application's sources.
func TestPages_are_those_of_the_application(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(testdeps.Root(t), "web/src/routes/paths.ts"))
	require.NoError(t, err)
	var want []string
	for _, match := range regexp.MustCompile("['`](/[^'`]*)['`]").FindAllStringSubmatch(string(source), -1) {
		path := strings.ReplaceAll(match[1], "${config.game.slug}", ":game")
		path, _, _ = strings.Cut(regexp.MustCompile(`\$\{segment\(\w+\)\}`).ReplaceAllString(path, ":id"), "?")
		path, _, _ = strings.Cut(path, "${query(")
		want = append(want, path)
	}
	var got []string
	for _, t := range pageTypes {
		got = append(got, strings.ReplaceAll(t.path, ":opponent", ":id"))
	}
	for _, path := range plainPages {
		got = append(got, strings.TrimSuffix(path, "/*rest"))
	}
	slices.Sort(want)
	slices.Sort(got)
	assert.Equal(t, "the paths in paths.ts and the gateway's differ", slices.Compact(want), slices.Compact(got))
}

// Without a built application, pages have heads and data as with one.
func TestDocument_placeholder(t *testing.T) {
	t.Parallel()
	index, err := webapp.New("").ReadIndex()
	require.NoError(t, err)
	_, err = parseDocument(index)
	require.NoError(t, err)
}

// The number of an event is written into every page, with and without responses.
func TestDocument_position(t *testing.T) {
	t.Parallel()
	const start = `<title>T</title><meta name="description" content="D"><body>`
	const text = `<p class="frame-title">T</p><p>D</p>`
	doc, err := parseDocument([]byte(start + text + "</body>"))
	require.NoError(t, err)
	position := uint64(7)
	page, err := doc.respond(http.StatusOK, head{}, pageData{
		Responses: map[string]json.RawMessage{"/stats": json.RawMessage(`{"a":1}`)}, Position: &position,
	}, apiResponses{})
	require.NoError(t, err)
	if want := `id="page-data" data-position="7">{"/stats":{"a":1}}</script>`; !strings.Contains(string(page.Body()), want) {
		t.Errorf("%s has no %s", page.Body(), want)
	}
	plain, err := doc.respondPlain(pageData{Position: &position})
	require.NoError(t, err)
	want := start + text +
		`<script type="application/json" id="page-data" data-position="7">{}</script>` + "\n  </body>"
	assert.Equal(t, "a plain page", want, string(plain.Body()))
}

// A name that is written from right to left does not turn what is beside it around.
func TestDescribeMap_title(t *testing.T) {
	t.Parallel()
	answer := cache.NewResponse(http.StatusOK, http.Header{}, []byte(`{"data":{"name":"סקיי 7"}}`))
	got, err := describeMap(site{locale: english, name: "Capzone"}, answer)
	require.NoError(t, err)
	assert.Equal(t, "title", "\u2068סקיי 7\u2069: Leaderboard · Capzone", got.head.Title)
}

// A name that is written from right to left does not turn the numbers beside it around.
func TestRecordTitle(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Sky 7": "00:43.10 by Ann on Sky 7", "סקיי 7": "00:43.10 by Ann on \u2068סקיי 7\u2069",
	} {
		got := site{locale: english}.recordTitle(43_100, apitypes.PlayerRef{Name: "Ann"}, apitypes.MapRef{Name: name})
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
