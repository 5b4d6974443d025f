package app_test

import (
	"bytes"
	"fmt"
	"net/http"
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
