package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/httpapi"
	"capzone.dev/services/records/internal/recordtest"
)

func TestAPI_submit_is_on_the_leaderboard_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	describe := func(s httpapi.Submitted) string {
		return fmt.Sprint(s.Record.Map == m.ID, s.Record.Player, " rank ", s.Rank, " best ", s.PersonalBest, " after ",
			orNone(s.PreviousBest), " world record ", s.WorldRecord, " medal ", orNone(s.Record.Medal))
	}
	for i, tt := range []struct {
		by   event.PlayerState
		time int
		want string
	}{
		{ann, 41_267, "true" + ann.ID + " rank 1 best true after none world record true medal gold"},
		{bob, 40_000, "true" + bob.ID + " rank 1 best true after none world record true medal author"},
		{ann, 61_000, "true" + ann.ID + " rank 2 best false after 41267 world record false medal none"},
		{bob, 6_123_467, "true" + bob.ID + " rank 1 best false after 40000 world record false medal none"},
	} {
		if diff := cmp.Diff(tt.want, describe(b.submitted(tt.by, m, tt.time))); diff != "" {
			t.Errorf("submission %d (-want +got):\n%s", i, diff)
		}
	}
	a := b.get("/api/v1/records?map=" + m.ID + "&limit=10&offset=0&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc")
	var rows []string
	for _, r := range servicetest.Data[[]httpapi.ListedRecord](t, a) {
		rows = append(rows, fmt.Sprintf("%d %s %s %d %s %v", *r.Rank, r.Player.Name, r.Map.Name, r.FinishTime, *r.Medal,
			r.PersonalBest))
	}
	want := []string{"1 Bob Skyline Run 40000 author true", "2 Ann Skyline Run 41267 gold true"}
	assert.Equal(t, "leaderboard", want, rows)
	assert.Equal(t, "pagination", map[string]any{"total": 2.0, "offset": 0.0, "limit": 10.0, "next": nil}, a.Pagination)
	if !regexp.MustCompile(`"finishTimeStamp":"2026-05-11T18:\d\d:\d\d\.000Z"`).Match(a.Raw) {
		t.Errorf("times are not in UTC with milliseconds: %s", a.Raw)
	}
	totals := httpapi.Stats{TotalMaps: 1, TotalPlayers: 2, TotalRecords: 4}
	assert.Equal(t, "totals", totals, read[httpapi.Stats](b, "/api/v1/stats"))
}

// pages reads a list to its end, one record a page.
func (b *bundle) pages(query string) (records []string) {
	b.t.Helper()
	for next := ""; len(records) < 100; {
		a := b.get("/api/v1/records?limit=1&" + query + "&after=" + url.QueryEscape(next))
		if a.Status != http.StatusOK {
			b.t.Fatalf("%s after %q: %d %s", query, next, a.Status, a.Raw)
		}
		page := unmarshalled[httpapi.RecordPage](b, a)
		for _, r := range page.Data {
			records = append(records, fmt.Sprintf("%d of %d, rank %v, best %v, world record %v",
				r.FinishTime, r.Of, orNone(r.Rank), r.PersonalBest, r.IsWorldRecord))
		}
		if page.Pagination.Next == nil {
			return records
		}
		next = *page.Pagination.Next
	}
	return records
}

// Every list is read to its end page by page, and each record has its rank, the size of its leaderboard, and whether it
// is the player's best and the world record.
func TestAPI_lists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, n, ann, bob := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, m, 50_000)
	b.submitted(ann, m, 45_000)
	b.submitted(ann, n, 70_000)
	b.submitted(bob, m, 44_000)
	first := "50000 of 2, rank none, best false, world record false"
	best := "45000 of 2, rank 2, best true, world record false"
	other := "70000 of 1, rank 1, best true, world record true"
	ofBob := "44000 of 2, rank 1, best true, world record true"
	for query, want := range map[string][]string{
		"":                                                        {ofBob, other, best, first},
		"sortBy=updatedAt&sortDir=asc":                            {first, best, other, ofBob},
		"sortBy=finishTime,finishTimeStamp":                       {ofBob, best, first, other},
		"player=" + strings.ToUpper(ann.ID):                       {other, best, first},
		"player=" + ann.ID + "&sortDir=asc":                       {first, best, other},
		"player=nobody":                                           nil,
		"map=" + strings.ToUpper(m.ID):                            {ofBob, best},
		"map=" + m.ID + "&player=" + ann.ID:                       {best},
		"map=" + b.newMap("Empty").ID:                             nil,
		"player=" + b.newPlayer("Nobody").ID:                      nil,
		"map=" + m.ID + "&around=":                                {ofBob, best},
		"sortBy=finishTime%2CfinishTimeStamp&sortDir=desc%2Cdesc": {other, first, best, ofBob},
	} {
		assert.Equal(t, query, want, b.pages(query))
	}
	a := b.get("/api/v1/records?map=" + m.ID + "&offset=100&unknown=parameter")
	if a.Pagination["total"] != 2.0 || string(a.Data) != "[]" {
		t.Errorf("past the end: %s", a.Raw)
	}
	newest := *unmarshalled[httpapi.RecordPage](b, b.get("/api/v1/records?limit=1")).Pagination.Next
	fastest := *unmarshalled[httpapi.RecordPage](b, b.get("/api/v1/records?map="+m.ID+"&limit=1")).Pagination.Next
	for query, want := range map[string]string{
		"after=" + newest:                                         "200 ",
		"map=" + m.ID + "&after=" + fastest:                       "200 ",
		"after=" + fastest:                                        "400 after_invalid",
		"map=" + m.ID + "&after=" + newest:                        "400 after_invalid",
		"sortDir=asc&after=" + newest:                             "400 after_invalid",
		"player=" + ann.ID + "&after=" + newest:                   "400 after_invalid",
		"map=" + n.ID + "&after=" + fastest:                       "400 after_invalid",
		"offset=1&after=" + newest:                                "400 after_invalid",
		"offset=0&after=" + newest:                                "200 ",
		"map=" + m.ID + "&player=" + ann.ID + "&after=" + fastest: "400 after_invalid",
		"map=" + m.ID + "&around=" + ann.ID + "&after=" + fastest: "400 around_invalid",
		"map=" + m.ID + "&following=true&after=" + fastest:        "400 after_invalid",
		"limit=101":                         "400 page_invalid",
		"limit=x":                           "400 malformed_request",
		"sortBy=name":                       "400 sort_unknown",
		"sortBy=updatedAt&map=" + m.ID:      "400 sort_unknown",
		"map=skyline":                       "404 map_unknown",
		"map=" + newID():                    "404 map_unknown",
		"map=" + m.ID + "&sortBy=&sortDir=": "200 ",
	} {
		a := b.get("/api/v1/records?" + query)
		if got := fmt.Sprintf("%d %s", a.Status, a.Code); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	b.wantCodes(map[string]string{
		"/api/v1/records/submit": "record_unknown", "/api/v1/records/" + newID(): "record_unknown",
		"/api/v1/download/replays/" + newID(): "record_unknown",
	})
	tag := b.get("/api/v1/records?map=" + m.ID).Header.Get("ETag")
	a = b.get("/api/v1/records?map="+m.ID, "If-None-Match", tag, "Authorization", "Bearer expired")
	if tag == "" || a.Status != http.StatusNotModified || len(a.Raw) != 0 {
		t.Errorf("with the tag %q and a bad token: %d %s", tag, a.Status, a.Raw)
	}
}

func TestAPI_download(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap(`Über "den" Dächern`), b.newPlayer("Ann")
	file := b.replay(m, "Ann", 41_267)
	path := "/api/v1/download/replays/" + servicetest.Data[httpapi.Submitted](t, b.submit(ann, file)).Record.UnderscoreId
	a := b.get(path)
	for name, want := range map[string]string{
		"Content-Disposition": `attachment; filename="_ber _den_ D_chern - Ann - 00-41.27.lbReplay"; ` +
			`filename*=UTF-8''%C3%9Cber%20_den_%20D%C3%A4chern%20-%20Ann%20-%2000-41.27.lbReplay`,
		"X-Content-Type-Options": "nosniff",
		"Content-Type":           "application/octet-stream",
		"Cache-Control":          "no-cache",
		"Content-Length":         fmt.Sprint(len(file)),
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if a.Status != http.StatusOK || !bytes.Equal(a.Raw, file) {
		t.Errorf("%d, %d bytes of %d", a.Status, len(a.Raw), len(file))
	}
	for _, path := range []string{path, "/api/v1/maps/" + m.ID + "/history", "/api/v1/records"} {
		whole, head := b.get(path), b.do(http.MethodHead, b.URL+path, nil)
		for _, name := range []string{"Content-Type", "Content-Length", "ETag", "Cache-Control"} {
			if got, want := head.Header.Get(name), whole.Header.Get(name); got != want {
				t.Errorf("HEAD %s: %s %q, want %q", path, name, got, want)
			}
		}
		if head.Status != http.StatusOK || len(head.Raw) > 0 {
			t.Errorf("HEAD %s: %d, %d bytes", path, head.Status, len(head.Raw))
		}
	}
	if a := b.get(path, "If-None-Match", a.Header.Get("ETag")); a.Status != http.StatusNotModified {
		t.Errorf("with its tag: %d", a.Status)
	}
	if a := b.get(path, "Range", "bytes=0-3"); a.Status != http.StatusPartialContent || string(a.Raw) != string(file[:4]) {
		t.Errorf("a part: %d %q", a.Status, a.Raw)
	}
}

func TestAPI_submit_refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, other, ann, bob := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann"), b.newPlayer("Bob")
	accepted := b.replay(m, "Ann", 50_000)
	first := servicetest.Data[httpapi.Submitted](t, b.submit(ann, accepted)).Record.UnderscoreId
	unknown := drawnMap{m.MapState, recordtest.Map(99_999, m.Name, 600)}
	before := b.count("select count(*) from pending_uploads") + b.count("select count(*) from outbox")
	for _, tt := range []struct {
		name   string
		by     event.PlayerState
		file   []byte
		fields []string
		want   string
	}{
		{"without a file", ann, nil, nil, "400 replay_missing: Replay file is required"},
		{"with a file that is too large", ann, bytes.Repeat([]byte("a"), 1<<20+1), nil,
			"413 replay_too_large: File too large. Maximum size is 1 MB"},
		{"with a body that is too large", ann, bytes.Repeat([]byte("a"), 3<<19), nil,
			"413 replay_too_large: File too large. Maximum size is 1 MB"},
		{"with another kind of file", ann, []byte("\x89PNG"), nil, "422 replay_invalid: Invalid replay file format"},
		{"with a replay of another player", bob, b.replay(m, "Ann", 45_000), nil,
			"403 replay_not_yours: This replay was recorded by another player."},
		{"of an unknown map", ann, b.replay(unknown, "Ann", 45_000), nil,
			"404 map_unknown: This map has no replay on the site yet. " +
				"Its author or a validator can submit the map with one first."},
		{"for another map than the selected", ann, b.replay(m, "Ann", 45_000), []string{"map", other.ID},
			`422 wrong_map: This replay is not for the selected map "Garden"`},
		{"of the same file", ann, accepted, []string{"map", other.ID},
			"409 replay_exists: This replay was submitted before."},
	} {
		a := b.submit(tt.by, tt.file, tt.fields...)
		if got := fmt.Sprintf("%d %s: %s", a.Status, a.Code, a.Message); got != tt.want || a.Success {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if a.Status == http.StatusConflict && servicetest.Data[map[string]string](t, a)["_id"] != first {
			t.Errorf("%s: %s, want a conflict with %s", tt.name, a.Raw, first)
		}
	}
	if after := b.count("select count(*) from pending_uploads") + b.count("select count(*) from outbox"); after != before {
		t.Errorf("%d rows of files or events were left behind", after-before)
	}
	for header, want := range map[string]string{"": "401 token_missing", "Bearer nonsense": "401 token_invalid"} {
		body, contentType := form(t, b.replay(m, "Ann", 45_000))
		a := b.do(http.MethodPost, b.URL+"/api/v1/records/submit", body, "Content-Type", contentType, "Authorization", header)
		if got := fmt.Sprintf("%d %s", a.Status, a.Code); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
	a := b.do(http.MethodPost, b.URL+"/api/v1/records/submit", strings.NewReader("{}"),
		append(b.bearer(ann), "Content-Type", "application/json")...)
	if a.Status != http.StatusBadRequest {
		t.Errorf("not a form: %d %s", a.Status, a.Raw)
	}
}
