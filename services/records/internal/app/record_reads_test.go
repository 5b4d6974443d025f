package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/httpserve"
	"capzone.dev/services/records/internal/httpapi"
)

// What is read of records and maps.
func TestAPI_records(t *testing.T) {
	b := setup(t)
	for _, check := range []struct {
		name string
		run  func(*testing.T, *bundle)
	}{
		{"history", checkHistory}, {"details", checkDetails}, {"verification", checkVerification},
		{"evidence", checkEvidence}, {"around", checkAround}, {"following", checkFollowing}, {"progress", checkProgress},
	} {
		t.Run(check.name, func(t *testing.T) { check.run(t, b.in(t)) })
	}
}

func parseTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	return at
}

func checkHistory(t *testing.T, b *bundle) {
	t.Helper()
	m, ann, bob := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Bob")
	path := "/api/v1/maps/" + m.ID + "/history"
	if a := b.get(path); string(a.Data) != `{"holders":[],"steps":[]}` {
		t.Errorf("without records: %s", a.Raw)
	}
	first := b.submitted(ann, m, 50_000).Record
	b.submitted(bob, m, 51_000)
	last := b.submitted(bob, m, 45_000).Record
	a := b.get(path)
	got := servicetest.Data[httpapi.MapHistory](t, a)
	if len(got.Steps) != 2 || got.Steps[0].UnderscoreId != first.UnderscoreId ||
		*got.Steps[0].Until != got.Steps[1].From ||
		got.Steps[1].UnderscoreId != last.UnderscoreId || got.Steps[1].Until != nil || got.Steps[1].Player.Name != "Bob" {
		t.Fatalf("steps %+v", got.Steps)
	}
	held := parseTime(t, got.Steps[1].From).Sub(parseTime(t, got.Steps[0].From)).Milliseconds()
	if len(got.Holders) != 2 || !got.Holders[0].Current || got.Holders[0].Player.Name != "Bob" ||
		got.Holders[1].Reigns != 1 || got.Holders[1].HeldFor != held {
		t.Errorf("holders %+v", got.Holders)
	}
	want := "player:" + ann.ID + " player:" + bob.ID + " map:" + m.ID
	if keys := a.Header.Get(httpserve.SurrogateKeyHeader); keys != want {
		t.Errorf("surrogate keys %q, want %q", keys, want)
	}
	list := read[[]httpapi.ListedWorldRecord](b, "/api/v1/records/world-records?limit=5")
	if len(list) != 2 || list[0].UnderscoreId != last.UnderscoreId || *list[0].PreviousWorldRecord != 50_000 ||
		list[1].PreviousWorldRecord != nil {
		t.Errorf("newest world records %+v", list)
	}
	b.wantCodes(map[string]string{
		"/api/v1/maps/" + newID() + "/history":    "map_unknown",
		"/api/v1/records/world-records?limit=101": "page_invalid",
	})
}

func checkDetails(t *testing.T, b *bundle) {
	t.Helper()
	m, ann, bob := b.newMap("Garden"), b.newPlayer("Ann"), b.newPlayer("Bob")
	first := b.submitted(ann, m, 50_000).Record.UnderscoreId
	second, best := b.submitted(bob, m, 45_000).Record.UnderscoreId, b.submitted(ann, m, 41_000).Record.UnderscoreId
	for id, want := range map[string]string{
		first:  "50000 by Ann, rank none, then 1, after none and none, behind none",
		second: "45000 by Bob, rank 2, then 1, after none and 50000, behind {" + best + " 41000 4000 Ann 1}",
		best:   "41000 by Ann, rank 1, then 1, after 50000 and 45000, behind none",
	} {
		d := read[httpapi.RecordDetails](b, "/api/v1/records/"+id)
		behind := "none"
		if n := d.NextAbove; n != nil {
			behind = fmt.Sprint(struct {
				ID              string
				FinishTime, Gap int64
				Name            string
				Rank            int64
			}{n.UnderscoreId, n.FinishTime, n.Gap, n.Player.Name, n.Rank})
		}
		got := fmt.Sprintf("%d by %s, rank %v, then %v, after %v and %v, behind %s", d.FinishTime, d.Player.Name,
			orNone(d.Rank), orNone(d.RankAtSubmission), orNone(d.PreviousBest), orNone(d.PreviousWorldRecord), behind)
		if diff := cmp.Diff(want, got); diff != "" || d.WorldRecord.UnderscoreId != best || d.MapVersion != 1 ||
			!d.NewestVersion {
			t.Errorf("details %+v (-want +got):\n%s", d, diff)
		}
	}
}

func checkVerification(t *testing.T, b *bundle) {
	t.Helper()
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	record := b.submitted(ann, m, 50_000).Record
	path := "/api/v1/records/" + record.UnderscoreId + "/verification"
	got := read[httpapi.Verification](b, path)
	if len(got.Checks) == 0 || got.Checks[0].Name != "read_by_server" || got.Checks[0].Result != "passed" ||
		got.Checks[0].Sentence == "" || got.NotChecked[0].Name != "simulation" || got.CheckedAt != record.CreatedAt {
		t.Errorf("verification %+v", got)
	}
	b.wantCodes(map[string]string{"/api/v1/records/" + newID() + "/verification": "record_unknown"})
}

// Moderators read the checks and the replay of a record that is not shown to others.
func checkEvidence(t *testing.T, b *bundle) {
	t.Helper()
	m, ann, moderator := b.newMap("Skyline Run"), b.newPlayer("Ann"), b.newPlayer("Mod")
	moderator.Roles, moderator.Version = []string{access.Moderator}, 2
	b.publish(moderator)
	replay := b.replay(m, "Ann", 40_000)
	id := servicetest.Data[httpapi.Submitted](t, b.submit(ann, replay)).Record.UnderscoreId
	desk, public := "/api/v1/desk/records/"+id, "/api/v1/download/replays/"+id
	checks := read[httpapi.Verification](b, "/api/v1/records/"+id+"/verification")
	for _, tt := range []struct{ hide, show []string }{
		{[]string{"remove", id, "a test"}, []string{"restore", id, "a test"}},
		{[]string{"hide", ann.ID, "a test"}, []string{"show", ann.ID, "a test"}},
	} {
		b.commands(tt.hide)
		b.wantCodes(map[string]string{public: "record_unknown"})
		a := b.get(desk+"/verification", b.bearer(moderator)...)
		b.wantPrivate(a)
		if diff := cmp.Diff(checks, servicetest.Data[httpapi.Verification](t, a)); diff != "" {
			t.Errorf("%v: checks (-want +got):\n%s", tt.hide, diff)
		}
		if a := b.get(desk+"/replay", b.bearer(moderator)...); !bytes.Equal(a.Raw, replay) ||
			a.Header.Get("Content-Disposition") == "" || a.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%v: replay: %d, %v", tt.hide, a.Status, a.Header)
		}
		b.commands(tt.show)
	}
	unknown := "/api/v1/desk/records/" + newID()
	b.wantCodes(map[string]string{unknown + "/verification": "record_unknown", unknown + "/replay": "record_unknown"},
		b.bearer(moderator)...)
	ann.Deleted, ann.Name, ann.Version = true, "deleted player 1", ann.Version+1
	b.publish(ann)
	b.wantCodes(map[string]string{desk + "/replay": "replay_withdrawn", public: "replay_withdrawn"},
		b.bearer(moderator)...)
}

// row is a row of a leaderboard whose times are a second apart.
type row struct {
	Rank int64
	Gap  *httpapi.RecordGap
}

// rows returns rows of ranks.
func rows(first, last int64) (all []row) {
	for rank := first; rank <= last; rank++ {
		row := row{Rank: rank}
		if rank > 1 {
			row.Gap = &httpapi.RecordGap{ToAbove: 1000, ToFirst: (rank - 1) * 1000}
		}
		all = append(all, row)
	}
	return all
}

func rowsOf(t *testing.T, a servicetest.Answer) (all []row) {
	t.Helper()
	for _, r := range servicetest.Data[[]httpapi.ListedRecord](t, a) {
		all = append(all, row{*r.Rank, r.Gap})
	}
	return all
}

func checkAround(t *testing.T, b *bundle) {
	t.Helper()
	m := b.newMap("Skyline Run")
	var players []event.PlayerState
	for i := range 14 {
		players = append(players, b.newPlayer(fmt.Sprintf("player %02d", i)))
		b.submitted(players[i], m, 40_000+1000*i)
	}
	// The id in a token may be that of a player who was merged since.
	merged := event.PlayerState{ID: newID(), Version: 2, Removed: true, MergedInto: players[6].ID}
	b.publish(merged)
	for name, tt := range map[string]struct {
		around string
		offset float64
		want   []row
	}{
		"in the middle": {players[6].ID, 1, rows(2, 12)},
		"merged":        {merged.ID, 1, rows(2, 12)},
		"first":         {players[0].ID, 0, rows(1, 6)},
		"last":          {players[13].ID, 8, rows(9, 14)},
		"without a row": {newID(), 0, nil},
		"no id":         {"nobody", 0, nil},
	} {
		a := b.get("/api/v1/records?map=" + m.ID + "&around=" + tt.around)
		if diff := cmp.Diff(tt.want, rowsOf(t, a), cmpopts.EquateEmpty()); diff != "" ||
			a.Pagination["offset"] != tt.offset || a.Pagination["limit"] != 11.0 {
			t.Errorf("%s: pagination %v (-want +got):\n%s", name, a.Pagination, diff)
		}
	}
	path := "/api/v1/records?around=" + players[0].ID
	b.wantCodes(map[string]string{
		path: "around_invalid", path + "&map=" + m.ID + "&limit=5": "around_invalid",
		path + "&map=" + m.ID + "&player=" + players[1].ID: "around_invalid",
	})
}

func checkFollowing(t *testing.T, b *bundle) {
	t.Helper()
	m, empty := b.newMap("Skyline Run"), b.newMap("Garden")
	var players []event.PlayerState
	for i, name := range []string{"Ann", "Bob", "Cid", "Dan", "Eve"} {
		players = append(players, b.newPlayer(name))
		b.submitted(players[i], m, 40_000+1000*i)
	}
	bob, dan, without := players[1], players[3], b.newPlayer("Fay")
	b.follow(dan, bob.ID, players[4].ID, without.ID, newID())
	b.follow(without, bob.ID)
	b.follow(bob, "no id")
	path := "/api/v1/records?following=true&map=" + m.ID
	all := []row{{2, nil}, {4, &httpapi.RecordGap{ToAbove: 2000, ToFirst: 2000}},
		{5, &httpapi.RecordGap{ToAbove: 1000, ToFirst: 3000}}}
	for name, tt := range map[string]struct {
		query  string
		caller event.PlayerState
		total  float64
		want   []row
	}{
		"with the own row":   {"&player=&around=", dan, 3, all},
		"without an own row": {"", without, 1, all[:1]},
		"of oneself alone":   {"", players[2], 1, []row{{3, nil}}},
		"the second page":    {"&limit=1&offset=1", dan, 3, all[1:2]},
		"past the end":       {"&offset=3&sortBy=finishTime,finishTimeStamp&sortDir=asc,asc", dan, 3, nil},
	} {
		a := b.get(path+tt.query, b.bearer(tt.caller)...)
		if diff := cmp.Diff(tt.want, rowsOf(t, a), cmpopts.EquateEmpty()); diff != "" || a.Pagination["total"] != tt.total {
			t.Errorf("%s: pagination %v (-want +got):\n%s", name, a.Pagination, diff)
		}
		b.wantPrivate(a)
	}
	b.wantCodes(map[string]string{
		"/api/v1/records?following=true":                 "following_invalid",
		path + "&player=" + dan.ID:                       "following_invalid",
		path + "&around=" + dan.ID:                       "following_invalid",
		path + "&sortBy=updatedAt":                       "sort_unknown",
		"/api/v1/records?following=me&map=" + m.ID:       "malformed_request",
		"/api/v1/records?following=true&map=" + newID():  "map_unknown",
		"/api/v1/records?following=true&map=" + empty.ID: "",
	}, b.bearer(dan)...)
	b.wantCodes(map[string]string{path: "token_missing"})
	if a := b.get(path, b.bearer(bob)...); a.Status != http.StatusInternalServerError {
		t.Errorf("an answer that is no ids: %d %s", a.Status, a.Raw)
	}
	b.owners.stopFollows()
	require.NoError(t, b.NATS.Flush())
	if a := b.get(path, b.bearer(dan)...); a.Status != http.StatusServiceUnavailable ||
		a.Code != "following_unavailable" || a.Header.Get("Retry-After") == "" {
		t.Errorf("without the notifications service: %d %s", a.Status, a.Raw)
	}
}

func checkProgress(t *testing.T, b *bundle) {
	t.Helper()
	played, empty, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	best := b.submitted(ann, played, 45_000).Record
	b.submitted(b.newPlayer("Bob"), played, 44_000)
	b.publish(empty.MapState)
	const path = "/api/v1/records/progress?maps="
	a := b.get(path+empty.ID+","+newID()+","+played.ID, b.bearer(ann)...)
	want := []httpapi.MapProgress{
		{Map: empty.ID, NextMedal: &httpapi.NextMedal{Medal: "bronze", FinishTime: 60_000}},
		{
			Map: played.ID, NextMedal: &httpapi.NextMedal{Medal: "gold", FinishTime: 42_400}, WorldRecord: new(int64(44_000)),
			Best: &httpapi.ProgressBest{
				UnderscoreId: best.UnderscoreId, FinishTime: 45_000, Rank: 2, Medal: new(httpapi.Medal("silver")),
				ToNextMedal: new(int64(2600)), ToWorldRecord: 1000,
			},
		},
	}
	assert.Equal(t, "progress", want, servicetest.Data[[]httpapi.MapProgress](t, a))
	b.wantPrivate(a)
	b.wantCodes(map[string]string{path: "malformed_request", path + "nobody": "maps_invalid"}, b.bearer(ann)...)
	b.wantCodes(map[string]string{path + played.ID: "token_missing"})
}
