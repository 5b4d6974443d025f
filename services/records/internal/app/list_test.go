package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/event"
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
