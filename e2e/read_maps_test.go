package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
)

// catalogue is three maps of one author.
type catalogue struct {
	author *site.Visitor
	tag    string // that all of them have, and no other map
	maps   []api.ParkourMap
}

func newCatalogue(t *testing.T) catalogue {
	t.Helper()
	c := catalogue{author: newPlayer(t)}
	c.tag = fmt.Sprintf("tag%s-%d", thisRun, people.Add(1))
	for i, name := range []string{"Éclair " + c.tag, "banana " + c.tag, "Zebra " + c.tag} {
		m := newMap(c.author.Player.Name)
		m.Name, m.Mode = name, []bonkmap.Mode{"b", "ard", "sp"}[i]
		s := submission(t, m, c.author.Player.Name)
		s.Metadata.Tags = &[]string{c.tag, []string{"easy", "hard", "hard"}[i]}
		entry, err := c.author.SubmitMap(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		c.maps = append(c.maps, entry)
	}
	return c
}

func TestSearchMaps(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	const eclair, banana, zebra = 0, 1, 2
	cases := []struct {
		name   string
		search api.SearchMapsParams
		want   []int
	}{
		{"newest first by default", api.SearchMapsParams{}, []int{zebra, banana, eclair}},
		{"oldest first", api.SearchMapsParams{SortBy: "createdAt", SortDir: "asc"}, []int{eclair, banana, zebra}},
		{"by name, without regard to case and accents", api.SearchMapsParams{SortBy: "name", SortDir: "asc"},
			[]int{banana, eclair, zebra}},
		{"by name backwards", api.SearchMapsParams{SortBy: "name", SortDir: "desc"}, []int{zebra, eclair, banana}},
		{"by records, all alike", api.SearchMapsParams{SortBy: "recordCount", SortDir: "desc", Name: "zebra"}, []int{zebra}},
		{"by the middle of a name", api.SearchMapsParams{Name: "ANAN"}, []int{banana}},
		{"by a name without its accent", api.SearchMapsParams{Name: "eclair"}, []int{eclair}},
		{"by a name with other accents", api.SearchMapsParams{Name: "bánàna"}, []int{banana}},
		{"by one letter", api.SearchMapsParams{Name: "z", SortBy: "name"}, []int{zebra}},
		{"by mode", api.SearchMapsParams{GameMode: "Death Arrows"}, []int{banana}},
		{"by a mode of which there is none", api.SearchMapsParams{GameMode: "VTOL"}, nil},
		{"by two tags", api.SearchMapsParams{Tags: "hard"}, []int{zebra, banana}},
		{"by two tags and a mode", api.SearchMapsParams{Tags: " HARD ", GameMode: "Grapple"}, []int{zebra}},
		{"by the author", api.SearchMapsParams{AuthorID: c.author.Player.ID, Name: "zeb"}, []int{zebra}},
		{"by a part of the author's name", api.SearchMapsParams{Author: c.author.Player.Name[3:], Name: "zeb"}, []int{zebra}},
		{"by another author", api.SearchMapsParams{Author: "unknown name"}, nil},
		{"by what a pattern would mean", api.SearchMapsParams{Name: "%"}, nil},
		{"by what a pattern would mean too", api.SearchMapsParams{Name: "b_nana"}, nil},
		{"on the second page of one", api.SearchMapsParams{Limit: 1, Page: 2}, []int{banana}},
		{"on a page past the end", api.SearchMapsParams{Limit: 1, Page: 9}, nil},
	}
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			one.search.Tags = strings.Trim(c.tag+","+one.search.Tags, ",")
			page, err := newVisitor().SearchMaps(t.Context(), one.search)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, m := range page.Data {
				got = append(got, slices.IndexFunc(c.maps, func(known api.ParkourMap) bool { return known.ID == m.ID }))
			}
			// A letter such as the z of "Zebra" is not in the tag's digits.
			if diff := cmp.Diff(one.want, got); diff != "" {
				t.Errorf("maps (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("pages are counted", func(t *testing.T) {
		page, err := newVisitor().SearchMaps(t.Context(), api.SearchMapsParams{Tags: c.tag, Limit: 2, Page: 2})
		want := api.Pagination{Total: 3, Page: 2, Limit: 2, Pages: 2}
		if diff := cmp.Diff(want, page.Pagination); err != nil || diff != "" {
			t.Errorf("pagination (-want +got): %v\n%s", err, diff)
		}
	})
	t.Run("and the usual page has twelve", func(t *testing.T) {
		page, err := newVisitor().SearchMaps(t.Context(), api.SearchMapsParams{})
		if err != nil || page.Pagination.Limit != 12 || page.Pagination.Page != 1 {
			t.Errorf("%+v %v", page.Pagination, err)
		}
	})
}

func TestSearchMaps_by_progress(t *testing.T) {
	t.Parallel()
	author, player := newPlayer(t), newPlayer(t)
	var drawn []*bonkmap.Map
	names := map[string]string{}
	for _, name := range []string{"first", "second"} {
		m := newMap(author.Player.Name)
		entry, err := author.SubmitMap(t.Context(), submission(t, m, author.Player.Name)) // 40 s, so that gold is 42.4 s
		if err != nil {
			t.Fatal(err)
		}
		drawn, names[entry.ID] = append(drawn, m), name
	}
	found := func(v *site.Visitor, p api.SearchMapsParams) []string {
		t.Helper()
		p.AuthorID = author.Player.ID
		page, err := v.SearchMaps(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, m := range page.Data {
			got = append(got, names[m.ID])
		}
		return got
	}
	type results struct{ Unplayed, Played, BelowGold, BelowAuthor, Near, ByNextMedal []string }
	all := func() results {
		t.Helper()
		by := func(filter api.ProgressFilter) []string {
			return found(player, api.SearchMapsParams{Progress: filter, SortBy: "createdAt", SortDir: "asc"})
		}
		return results{
			by("unplayed"), by("played"), by("belowGold"), by("belowAuthor"), by("near"),
			found(player, api.SearchMapsParams{SortBy: "toNextMedal"}),
		}
	}
	none, first, second, both := []string{}, []string{"first"}, []string{"second"}, []string{"first", "second"}
	for _, step := range []struct {
		name   string
		m      *bonkmap.Map
		finish int
		want   results
	}{
		{"a tenth above gold", drawn[1], 42_500, results{first, second, second, second, second, second}},
		{"far from gold", drawn[0], 47_000, results{none, both, both, both, second, []string{"second", "first"}}},
		{"gold", drawn[1], 42_400, results{none, both, first, both, none, []string{"second", "first"}}},
		{"author", drawn[1], 39_967, results{none, both, first, first, none, first}},
	} {
		// The next search shows what was submitted.
		finished(t, player, step.m, step.finish)
		if diff := cmp.Diff(step.want, all()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	eventually.WaitFor(t, "the records that the maps were submitted with", func() bool {
		return slices.Equal(found(player, api.SearchMapsParams{Progress: "notFirst"}), first) &&
			slices.Equal(found(author, api.SearchMapsParams{Progress: "notFirst"}), second)
	})
	if diff := cmp.Diff([]string{"second", "first"}, found(player, api.SearchMapsParams{SortBy: "myRank"})); diff != "" {
		t.Errorf("by rank (-want +got):\n%s", diff)
	}
	for _, p := range []api.SearchMapsParams{{Progress: "played"}, {SortBy: "myRank"}} {
		_, err := newVisitor().SearchMaps(t.Context(), p)
		refused(t, err, http.StatusUnauthorized, "token_missing")
	}
}

func TestPopularTags(t *testing.T) {
	t.Parallel()
	submitted(t)
	tags, err := newVisitor().PopularTags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(tags) == 0 || len(tags) > 20 || !slices.Contains(tags, "short") {
		t.Errorf("tags: %v", tags)
	}
}

// outOfBounds are queries that every paged list refuses.
func outOfBounds(t *testing.T, path string, paged bool) {
	t.Helper()
	bad := []url.Values{{"limit": {"0"}}, {"limit": {"101"}}, {"limit": {"-1"}}, {"limit": {"ten"}}, {"limit": {"1e2"}},
		{"sortBy": {"password"}}, {"sortBy": {"name"}, "sortDir": {"sideways"}}}
	if paged {
		bad = append(bad, url.Values{"page": {"0"}}, url.Values{"page": {"-1"}}, url.Values{"page": {"first"}},
			url.Values{"page": {"99999999999999999999"}})
	} else {
		bad = append(bad, url.Values{"offset": {"-1"}}, url.Values{"offset": {"first"}},
			url.Values{"offset": {"99999999999999999999"}})
	}
	for _, query := range bad {
		t.Run(path+" with "+query.Encode(), func(t *testing.T) {
			answer := send(t, newVisitor(), site.Request{Path: path, Query: query})
			if answer.Status != http.StatusBadRequest {
				t.Fatalf("%d %s", answer.Status, answer.Body)
			}
			whole(t, answer.Problem().(*site.Problem)) //nolint:errorlint // made so
		})
	}
	for _, query := range []url.Values{{"limit": {"1"}}, {"limit": {"100"}}, {"unheard": {"of"}}} {
		t.Run(path+" with "+query.Encode(), func(t *testing.T) {
			if answer := send(t, newVisitor(), site.Request{Path: path, Query: query}); answer.Status != http.StatusOK {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
}

func TestLists_out_of_bounds(t *testing.T) {
	t.Parallel()
	outOfBounds(t, "/maps/search", true)
	outOfBounds(t, "/players/search", true)
	outOfBounds(t, "/records", false)
	t.Run("an unknown mode", func(t *testing.T) {
		answer := send(t, newVisitor(), site.Request{Path: "/maps/search", Query: url.Values{"gameMode": {"Football"}}})
		refusal(t, answer, http.StatusBadRequest, "mode_unknown")
	})
}

func TestAPI_unknown_ids(t *testing.T) {
	t.Parallel()
	unknown := map[string]string{
		"/maps/": "map_unknown", "/players/": "player_unknown", "/records/": "record_unknown",
		"/download/replays/": "record_unknown",
	}
	for path, code := range unknown {
		for _, id := range []string{"01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55", "nonsense", "1", "%00", "01980C5E",
			"..%2f..%2fetc%2fpasswd"} {
			t.Run(path+id, func(t *testing.T) {
				answer := send(t, newVisitor(), site.Request{Path: path + id})
				if answer.Status != http.StatusNotFound && answer.Status != http.StatusBadRequest {
					t.Errorf("%d %s", answer.Status, answer.Body)
				}
				p := answer.Problem().(*site.Problem) //nolint:errorlint // made so
				whole(t, p)
				if p.Status == http.StatusNotFound && p.Code != code && p.Code != "not_found" {
					t.Errorf("code %s, want %s", p.Code, code)
				}
			})
		}
	}
	for _, query := range []url.Values{{"map": {"01980c5e-7a1b-7cc0-8f3e-4a2b9d6c1e55"}}, {"map": {"nonsense"}}} {
		t.Run("/records?"+query.Encode(), func(t *testing.T) {
			refusal(t, send(t, newVisitor(), site.Request{Path: "/records", Query: query}), http.StatusNotFound, "map_unknown")
		})
	}
	t.Run("pictures", func(t *testing.T) {
		for _, path := range []string{"/media/maps/0000.webp", "/media/skins/0000.webp", "/media/maps/",
			"/media/unknown/0000.webp"} {
			if answer := send(t, newVisitor(), site.Request{Path: path, AtRoot: true}); answer.Status != http.StatusNotFound {
				t.Errorf("%s: %d %s", path, answer.Status, answer.Body)
			}
		}
	})
}

func TestGateway_entity_tags_of_pages(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t)
	outcome := finished(t, author, m, 39_000)
	for _, path := range []string{
		"/maps/" + entry.ID, "/players/" + author.Player.ID, "/records/" + outcome.Record.ID, "/records?map=" + entry.ID,
		"/maps/search?authorId=" + entry.Author.ID, "/players/search?name=" + url.QueryEscape(author.Player.Name),
	} {
		t.Run(path, func(t *testing.T) {
			first := send(t, newVisitor(), site.Request{Path: path})
			tag := first.Header.Get("ETag")
			if first.Status != http.StatusOK || tag == "" {
				t.Fatalf("%d, ETag %q: %s", first.Status, tag, first.Body)
			}
			eventually.WaitFor(t, "an unchanged answer to be kept", func() bool { // totals may still be under way
				again := send(t, newVisitor(), site.Request{Path: path, Header: http.Header{"If-None-Match": {tag}}})
				tag = again.Header.Get("ETag")
				return again.Status == http.StatusNotModified && len(again.Body) == 0
			})
			changed := send(t, newVisitor(), site.Request{Path: path, Header: http.Header{"If-None-Match": {`"another"`}}})
			if changed.Status != http.StatusOK || len(changed.Body) == 0 {
				t.Errorf("a changed answer is answered %d", changed.Status)
			}
			bad := send(t, newVisitor(), site.Request{Path: path, Header: http.Header{"Authorization": {"Bearer nonsense"}}})
			if bad.Status != http.StatusOK {
				t.Errorf("a bad token breaks reading: %d %s", bad.Status, bad.Body)
			}
		})
	}
	t.Run("until something changes", func(t *testing.T) {
		path := "/records?map=" + entry.ID
		first := send(t, newVisitor(), site.Request{Path: path})
		finished(t, author, m, 38_000)
		again := send(t, newVisitor(), site.Request{Path: path,
			Header: http.Header{"If-None-Match": {first.Header.Get("ETag")}}})
		if again.Status != http.StatusOK {
			t.Errorf("the leaderboard with a new best record: %d", again.Status)
		}
	})
}

func TestAPI_time_format(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t)
	outcome := finished(t, author, m, 39_000)
	for _, path := range []string{"/maps/" + entry.ID, "/players/" + author.Player.ID, "/records/" + outcome.Record.ID} {
		answer := send(t, newVisitor(), site.Request{Path: path})
		for _, field := range []string{"createdAt", "updatedAt", "finishTimeStamp"} {
			for _, text := range fieldsOf(t, answer.Body, field) {
				if _, err := time.Parse("2006-01-02T15:04:05.000Z", text); err != nil {
					t.Errorf("%s of %s is %s", field, path, text)
				}
			}
		}
	}
}
