package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/token"
	"capzone.dev/services/records/internal/recordtest"
)

func TestAPI_submit_is_on_the_leaderboard_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	first := b.submitted(ann, m, 41_267)
	if first.Record.Map != m.ID || first.Record.Player != ann.ID || first.Rank != 1 || !first.PersonalBest ||
		!first.WorldRecord || first.PreviousBest != nil || first.Record.Medal == nil || *first.Record.Medal != "gold" {
		t.Errorf("submitted %+v", first)
	}
	second := b.submitted(bob, m, 40_000)
	if second.Rank != 1 || !second.WorldRecord {
		t.Errorf("submitted %+v", second)
	}
	slower := b.submitted(ann, m, 61_000)
	if slower.Rank != 2 || slower.PersonalBest || slower.WorldRecord || slower.PreviousBest == nil ||
		*slower.PreviousBest != 41_267 || slower.Record.Medal != nil {
		t.Errorf("submitted %+v", slower)
	}

	a := b.get("/api/v1/records?map=" + m.ID + "&limit=10&offset=0&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc")
	var rows []string
	for _, r := range servicetest.Data[[]wireRecord](t, a) {
		rows = append(rows, fmt.Sprintf("%d %s %s %d %s %v", r.Rank, r.Player.Name, r.Map.Name, r.FinishTime, *r.Medal,
			r.PersonalBest))
	}
	want := []string{"1 Bob Skyline Run 40000 author true", "2 Ann Skyline Run 41267 gold true"}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("leaderboard (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"total": 2, "offset": 0, "limit": 10}, a.Pagination); diff != "" {
		t.Errorf("pagination (-want +got):\n%s", diff)
	}
	if !regexp.MustCompile(`"finishTimeStamp":"2026-05-11T18:\d\d:\d\d\.000Z"`).Match(a.Raw) {
		t.Errorf("times are not in UTC with milliseconds: %s", a.Raw)
	}
	if stats := servicetest.Data[map[string]int64](t, b.get("/api/v1/stats")); !cmp.Equal(stats,
		map[string]int64{"totalMaps": 1, "totalPlayers": 2, "totalRecords": 3}) {
		t.Errorf("stats %v", stats)
	}
}

func TestAPI_get_and_list(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, n, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	first, best, other := b.submitted(ann, m, 50_000), b.submitted(ann, m, 45_000), b.submitted(ann, n, 70_000)
	b.submitted(b.newPlayer("Bob"), m, 44_000)

	t.Run("lists", func(t *testing.T) {
		for _, tt := range []struct {
			query string
			total int64
			times []int64
		}{
			{"", 4, []int64{44_000, 70_000, 45_000, 50_000}},
			{"?limit=1&sortBy=updatedAt&sortDir=desc", 4, []int64{44_000}},
			{"?sortBy=updatedAt&sortDir=asc&limit=2", 4, []int64{50_000, 45_000}},
			{"?sortBy=finishTime,finishTimeStamp&sortDir=asc,asc", 4, []int64{44_000, 45_000, 50_000, 70_000}},
			{"?sortBy=finishTime%2CfinishTimeStamp&sortDir=desc%2Cdesc&offset=1", 4, []int64{50_000, 45_000, 44_000}},
			{"?player=" + ann.ID, 3, []int64{70_000, 45_000, 50_000}},
			{"?player=nobody", 0, nil},
			{"?map=" + m.ID, 2, []int64{44_000, 45_000}},
			{"?map=" + strings.ToUpper(m.ID), 2, []int64{44_000, 45_000}},
			{"?map=" + m.ID + "&player=" + ann.ID, 1, []int64{45_000}},
			{"?map=" + m.ID + "&player=" + strings.ToUpper(ann.ID), 1, []int64{45_000}},
			{"?map=" + m.ID + "&around=" + strings.ToUpper(ann.ID), 2, []int64{44_000, 45_000}},
			{"?player=" + strings.ToUpper(ann.ID), 3, []int64{70_000, 45_000, 50_000}},
			{"?map=" + m.ID + "&offset=100", 2, nil},
			{"?map=" + m.ID + "&offset=100000", 2, nil},
			{"?map=" + b.newMap("Empty").ID, 0, nil},
			{"?unknown=parameter&limit=1", 4, []int64{44_000}},
		} {
			a := b.get("/api/v1/records" + tt.query)
			var times []int64
			for _, r := range servicetest.Data[[]wireRecord](t, a) {
				times = append(times, r.FinishTime)
			}
			if diff := cmp.Diff(tt.times, times); diff != "" || a.Pagination["total"] != tt.total {
				t.Errorf("%s: total %d, want %d; times (-want +got):\n%s", tt.query, a.Pagination["total"], tt.total, diff)
			}
			if !bytes.Contains(a.Raw, []byte(`"data":[`)) {
				t.Errorf("%s: the data is no list: %s", tt.query, a.Raw)
			}
		}
	})
	t.Run("one record", func(t *testing.T) {
		for id, want := range map[string]struct {
			rank int64
			best bool
		}{first.Record.ID: {0, false}, best.Record.ID: {2, true}, other.Record.ID: {1, true}} {
			if r := servicetest.Data[wireRecord](t, b.get("/api/v1/records/"+id)); r.ID != id || r.Rank != want.rank ||
				r.PersonalBest != want.best || r.Player.Name != "Ann" {
				t.Errorf("%+v, want %+v", r, want)
			}
		}
	})
	t.Run("what is not asked rightly", func(t *testing.T) {
		for path, want := range map[string]string{
			"/records?limit=0":                       "400 page_invalid",
			"/records?limit=101":                     "400 page_invalid",
			"/records?limit=x":                       "400 malformed_request",
			"/records?offset=-1":                     "400 page_invalid",
			"/records?sortBy=name":                   "400 sort_unknown",
			"/records?sortBy=updatedAt&sortDir=down": "400 sort_unknown",
			"/records?sortBy=finishTime,finishTimeStamp&sortDir=asc":     "400 sort_unknown",
			"/records?sortBy=updatedAt&map=" + m.ID:                      "400 sort_unknown",
			"/records?map=skyline":                                       "404 map_unknown",
			"/records?map=01970000-0000-7000-8000-000000000000":          "404 map_unknown",
			"/records/submit":                                            "404 record_unknown",
			"/records/01970000-0000-7000-8000-000000000000":              "404 record_unknown",
			"/download/replays/01970000-0000-7000-8000-000000000000":     "404 record_unknown",
			"/records?map=" + m.ID + "&sortBy=finishTime&sortDir=asc":    "400 sort_unknown",
			"/records?map=" + m.ID + "&player=x&sortBy=&sortDir=":        "200 ",
			"/records?map=" + m.ID + "&sortBy=finishTime'--&sortDir=%3B": "400 sort_unknown",
		} {
			a := b.get("/api/v1" + path)
			if got := fmt.Sprintf("%d %s", a.Status, a.Code); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		}
	})
	t.Run("with a tag and a bad token", func(t *testing.T) {
		tag := b.get("/api/v1/records?map=" + m.ID).Header.Get("ETag")
		a := b.get("/api/v1/records?map="+m.ID, "If-None-Match", tag, "Authorization", "Bearer expired")
		if tag == "" || a.Status != http.StatusNotModified || len(a.Raw) != 0 {
			t.Errorf("tag %q: %d %s", tag, a.Status, a.Raw)
		}
	})
}

func TestAPI_download(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap(`Über "den" Dächern`), b.newPlayer("Ann")
	file := b.replay(m, "Ann", 41_267)
	id := servicetest.Data[wireSubmitted](t, b.submit(ann, file)).Record.ID
	a := b.get("/api/v1/download/replays/" + id)
	want := map[string]string{
		"Content-Disposition": `attachment; filename="_ber _den_ D_chern - Ann - 00-41.27.lbReplay"; ` +
			`filename*=UTF-8''%C3%9Cber%20_den_%20D%C3%A4chern%20-%20Ann%20-%2000-41.27.lbReplay`,
		"X-Content-Type-Options": "nosniff",
		"Content-Type":           "application/octet-stream",
		"Cache-Control":          "no-cache",
		"Content-Length":         fmt.Sprint(len(file)),
	}
	for name, value := range want {
		if got := a.Header.Get(name); got != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	if a.Status != http.StatusOK || !bytes.Equal(a.Raw, file) {
		t.Errorf("%d, %d bytes of %d", a.Status, len(a.Raw), len(file))
	}
	if a := b.get("/api/v1/download/replays/"+id, "If-None-Match",
		a.Header.Get("ETag")); a.Status != http.StatusNotModified {
		t.Errorf("with its tag: %d", a.Status)
	}
	if a := b.get("/api/v1/download/replays/"+id, "Range", "bytes=0-3"); a.Status != http.StatusPartialContent ||
		string(a.Raw) != string(file[:4]) {
		t.Errorf("a part: %d %q", a.Status, a.Raw)
	}
}

func TestAPI_submit_refused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, other, ann, bob := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann"), b.newPlayer("Bob")
	banned := b.newPlayer("Eve")
	b.owners.players[2].Banned = true
	accepted := b.replay(m, "Ann", 50_000)
	first := servicetest.Data[wireSubmitted](t, b.submit(ann, accepted)).Record.ID
	copied := bytes.Replace(accepted, []byte("Player Name: Ann"), []byte("Player Name: Bob"), 1)
	redrawn := drawnMap{m.MapState, recordtest.Map(int(m.GameMapID), m.Name, 601)}
	unknown := drawnMap{m.MapState, recordtest.Map(99_999, m.Name, 600)}
	future := recordtest.File(t, recordtest.Replay(m.drawing, "Ann", 45_000, time.Now().Add(2*time.Minute)))
	unvalidated := recordtest.Replay(m.drawing, "Ann", 45_000, time.Now())
	unvalidated.Validated = false

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
		{"with a file of 1.5 MB", ann, bytes.Repeat([]byte("a"), 3<<19), nil,
			"413 replay_too_large: File too large. Maximum size is 1 MB"},
		{"with another kind of file", ann, []byte("\x89PNG"), nil, "422 replay_invalid: Invalid replay file format"},
		{"that is not validated", ann, recordtest.File(t, unvalidated), nil,
			"422 replay_not_validated: Replay must be validated"},
		{"with a replay of another player", bob, b.replay(m, "Ann", 45_000), nil,
			"403 replay_not_yours: This replay was recorded by another player."},
		{"of an unknown map", ann, b.replay(unknown, "Ann", 45_000), nil,
			"404 map_unknown: This map has no replay on the site yet. " +
				"Its author or a validator can submit the map with one first."},
		{"of another version of the map", ann, b.replay(redrawn, "Ann", 45_000), nil,
			"422 map_version_differs: This replay was made on another version of the map."},
		{"from the future", ann, future, nil, "422 replay_from_future: The replay's time stamp lies in the future."},
		{"for another map than the selected", ann, b.replay(m, "Ann", 45_000), []string{"map", other.ID},
			`422 wrong_map: This replay is not for the selected map "Garden"`},
		{"of the same file", ann, accepted, []string{"map", other.ID},
			"409 replay_exists: This replay was submitted before."},
		{"of a relabelled copy", bob, copied, nil, "409 replay_copied: Another player has submitted this record."},
		{"of a banned player", banned, b.replay(m, "Eve", 45_000), nil, "403 player_banned: You are banned from submitting."},
	} {
		a := b.submit(tt.by, tt.file, tt.fields...)
		if got := fmt.Sprintf("%d %s: %s", a.Status, a.Code, a.Message); got != tt.want || a.Success {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if a.Status == http.StatusConflict {
			if id := servicetest.Data[map[string]string](t, a)["_id"]; id != first {
				t.Errorf("%s: the conflict is with %s, want %s", tt.name, id, first)
			}
		}
	}
	if after := b.count("select count(*) from pending_uploads") + b.count("select count(*) from outbox"); after != before {
		t.Errorf("%d rows of files or events were left behind", after-before)
	}
	if rows := b.leaderboard(m); len(rows) != 1 {
		t.Errorf("leaderboard %+v", rows)
	}

	t.Run("without a valid token", func(t *testing.T) {
		claims := jwt.MapClaims{"iss": token.Issuer, "sub": ann.ID, "name": "Ann", "iat": time.Now().Unix(),
			"exp": time.Now().Add(time.Hour).Unix()}
		unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, claims).SignedString(jwt.UnsafeAllowNoneSignatureType)
		require.NoError(t, err)
		forged := b.keys.Token(ann)
		for header, want := range map[string]string{
			"":                                    "401 token_missing",
			"Bearer " + unsigned:                  "401 token_invalid",
			"Bearer " + forged[:len(forged)-6]:    "401 token_invalid",
			"Bearer nonsense":                     "401 token_invalid",
			"Basic " + forged:                     "401 token_missing",
			"Bearer " + forged + "." + "x":        "401 token_invalid",
			"bearer " + strings.Repeat("a", 4096): "401 token_invalid",
		} {
			body, contentType := form(t, b.replay(m, "Ann", 45_000))
			a := b.do(http.MethodPost, b.URL+"/api/v1/records/submit", body, "Content-Type", contentType, "Authorization",
				header)
			if got := fmt.Sprintf("%d %s", a.Status, a.Code); got != want {
				t.Errorf("%.20s: %s, want %s", header, got, want)
			}
		}
		a := b.do(http.MethodPost, b.URL+"/api/v1/records/submit", strings.NewReader("{}"), "Content-Type",
			"application/json", "Authorization", "Bearer "+forged)
		if a.Status != http.StatusBadRequest {
			t.Errorf("not a form: %d %s", a.Status, a.Raw)
		}
	})
}

func TestAPI_submit_one_file_20_times_at_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	file := b.replay(m, "Ann", 41_267)
	second, _ := b.startReplica()
	answers := make([]servicetest.Answer, 20)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			url := b.URL
			if i%2 == 1 {
				url = second
			}
			body, contentType := form(t, file)
			answers[i] = b.do(http.MethodPost, url+"/api/v1/records/submit", body, "Content-Type", contentType, "Authorization",
				"Bearer "+b.keys.Token(ann))
		})
	}
	wg.Wait()
	rows := b.leaderboard(m)
	if len(rows) != 1 {
		t.Fatalf("leaderboard %+v", rows)
	}
	created := 0
	for _, a := range answers {
		switch {
		case a.Status == http.StatusCreated:
			created++
		case a.Status != http.StatusConflict || a.Code != "replay_exists" ||
			servicetest.Data[map[string]string](t, a)["_id"] != rows[0].ID:
			t.Errorf("%d %s", a.Status, a.Raw)
		}
	}
	if stats := servicetest.Data[map[string]int64](t, b.get("/api/v1/stats")); created != 1 || stats["totalRecords"] != 1 {
		t.Errorf("%d were created, stats %v", created, stats)
	}
}

func TestAPI_submit_unknown_labels_and_no_time_stamp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	replay := recordtest.Replay(m.drawing, "ANN", 41_267, time.Time{})
	replay.TimestampMissing = true
	file := append(recordtest.File(t, replay), "Camera: far\n"...)
	if a := b.submit(ann, file, "map", m.ID, "note", "hello"); a.Status != http.StatusCreated {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
	if _, err := lbreplay.Parse(b.get("/api/v1/download/replays/"+b.leaderboard(m)[0].ID).Raw, time.Now()); err != nil {
		t.Error(err)
	}
}

func TestService_readyz_and_metrics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	eventually.WaitFor(t, "readiness", func() bool {
		return b.do(http.MethodGet, b.OpsURL+"/readyz",
			nil).Status == http.StatusOK
	})
	if a := b.do(http.MethodGet, b.OpsURL+"/metrics", nil); !bytes.Contains(a.Raw, []byte("postgres_pool_connections")) {
		t.Errorf("metrics: %d", a.Status)
	}
}
