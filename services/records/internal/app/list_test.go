package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
)

// unmarshalled returns an answer with the fields of T.
func unmarshalled[T any](t *testing.T, a servicetest.Answer) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal(a.Raw, &v))
	return v
}

// pages reads a list to its end, one record a page.
func (b *bundle) pages(query string) (records []string) {
	b.t.Helper()
	for next := ""; len(records) < 100; {
		a := b.get("/api/v1/records?limit=1&" + query + "&after=" + url.QueryEscape(next))
		if a.Status != http.StatusOK {
			b.t.Fatalf("%s after %q: %d %s", query, next, a.Status, a.Raw)
		}
		page := unmarshalled[struct {
			Data []struct {
				FinishTime    int64
				Rank          *int64
				Of            int64
				PersonalBest  bool
				IsWorldRecord bool
			}
			Pagination struct{ Next *string }
		}](b.t, a)
		for _, r := range page.Data {
			line := fmt.Sprintf("%d of %d", r.FinishTime, r.Of)
			if r.Rank != nil {
				line += fmt.Sprintf(", rank %d", *r.Rank)
			}
			if r.PersonalBest != (r.Rank != nil) {
				line += fmt.Sprintf(", personal best: %v", r.PersonalBest)
			}
			if r.IsWorldRecord {
				line += ", world record"
			}
			records = append(records, line)
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
func TestAPI_list_after(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, n, ann, bob := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann"), b.newPlayer("Bob")
	b.submitted(ann, m, 50_000)
	b.submitted(ann, m, 45_000)
	b.submitted(ann, n, 70_000)
	b.submitted(bob, m, 44_000)
	first, best := "50000 of 2", "45000 of 2, rank 2"
	other, ofBob := "70000 of 1, rank 1, world record", "44000 of 2, rank 1, world record"
	for query, want := range map[string][]string{
		"":                                   {ofBob, other, best, first},
		"sortBy=updatedAt&sortDir=asc":       {first, best, other, ofBob},
		"sortBy=finishTime,finishTimeStamp":  {ofBob, best, first, other},
		"player=" + ann.ID:                   {other, best, first},
		"player=" + ann.ID + "&sortDir=asc":  {first, best, other},
		"map=" + m.ID:                        {ofBob, best},
		"map=" + n.ID:                        {other},
		"map=" + m.ID + "&player=" + ann.ID:  {best},
		"map=" + b.newMap("Empty").ID:        nil,
		"player=" + b.newPlayer("Nobody").ID: nil,
		"map=" + m.ID + "&around=":           {ofBob, best},
		"sortBy=finishTime,finishTimeStamp" + "&sortDir=desc,desc": {other, first, best, ofBob},
	} {
		if diff := cmp.Diff(want, b.pages(query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}

	type page struct{ Pagination struct{ Next string } }
	newest := unmarshalled[page](t, b.get("/api/v1/records?limit=1")).Pagination.Next
	fastest := unmarshalled[page](t, b.get("/api/v1/records?map="+m.ID+"&limit=1")).Pagination.Next
	for query, want := range map[string]string{
		"after=" + newest:                                         "200 ",
		"map=" + m.ID + "&after=" + fastest:                       "200 ",
		"after=" + fastest:                                        "400 after_invalid",
		"map=" + m.ID + "&after=" + newest:                        "400 after_invalid",
		"sortDir=asc&after=" + newest:                             "400 after_invalid",
		"after=" + newest + "A":                                   "400 after_invalid",
		"after=next":                                              "400 after_invalid",
		"offset=1&after=" + newest:                                "400 after_invalid",
		"offset=0&after=" + newest:                                "200 ",
		"map=" + m.ID + "&player=" + ann.ID + "&after=" + fastest: "400 after_invalid",
		"map=" + m.ID + "&around=" + ann.ID + "&after=" + fastest: "400 around_invalid",
		"map=" + m.ID + "&following=true&after=" + fastest:        "400 after_invalid",
	} {
		a := b.get("/api/v1/records?" + query)
		if got := fmt.Sprintf("%d %s", a.Status, a.Code); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
