package postgres_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

func TestStore_Search_parts_of_names(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "Zérö")
	take(t, store, 2, "o'neil_50%")
	create(t, store,
		newMap(1, named("Skyline Run")), newMap(2, named("Ärger im Sky")), newMap(3, named("100% Höhe"), byTheSecond),
		newMap(4, named("雲の道"), byTheSecond), newMap(5, named("banana"), byTheSecond),
		newMap(6, named("Bob's snow_fox–run")), newMap(7, named("极限跑酷")))
	all := []string{"100% Höhe", "Ärger im Sky", "banana", "Bob's snow_fox–run", "Skyline Run", "极限跑酷", "雲の道"}
	for _, tt := range []struct {
		search parkourmap.Search
		want   []string
	}{
		{parkourmap.Search{}, all},
		{parkourmap.Search{Name: "sky"}, []string{"Ärger im Sky", "Skyline Run"}},
		// One or two characters match at the beginnings of words.
		{parkourmap.Search{Name: "e"}, nil},
		{parkourmap.Search{Name: "s"}, []string{"Ärger im Sky", "Bob's snow_fox–run", "Skyline Run"}},
		{parkourmap.Search{Name: "ru"}, []string{"Bob's snow_fox–run", "Skyline Run"}},
		{parkourmap.Search{Name: "fo"}, []string{"Bob's snow_fox–run"}},
		{parkourmap.Search{Name: "跑酷"}, []string{"极限跑酷"}},
		{parkourmap.Search{Name: "跑限"}, nil},
		{parkourmap.Search{Name: "%"}, nil},
		{parkourmap.Search{Name: "00%"}, []string{"100% Höhe"}},
		{parkourmap.Search{Name: `\`}, nil},
		{parkourmap.Search{Name: "anana"}, []string{"banana"}},
		// Its trigrams are all there, but it is not.
		{parkourmap.Search{Name: "ananan"}, nil},
		{parkourmap.Search{Name: "  sky  "}, []string{"Ärger im Sky", "Skyline Run"}},
		// Nothing that is searched for finds nothing.
		{parkourmap.Search{Name: "\x00\xff"}, nil},
		{parkourmap.Search{Name: " "}, all},
		{parkourmap.Search{Author: "zero"}, []string{"Ärger im Sky", "Bob's snow_fox–run", "Skyline Run", "极限跑酷"}},
		{parkourmap.Search{Author: "o'neil_50%"}, []string{"100% Höhe", "banana", "雲の道"}},
	} {
		assert.Equal(t, fmt.Sprintf("search %+v", tt.search), tt.want, found(t, store, tt.search))
	}
}

func TestStore_Search_filters(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store,
		newMap(1, named("Sky One"), tagged("speed", "hard")),
		newMap(2, named("Sky Two"), tagged("speed"), byTheSecond),
		newMap(3, named("Sky Three"), tagged("speed", "hard"), in(bonkmap.Grapple), byTheSecond),
		newMap(4, named("Sea"), tagged("hard"), in(bonkmap.Grapple)),
		newMap(5, named("Odd"), tagged("\uFFFD")))
	for _, tt := range []struct {
		search parkourmap.Search
		want   []string
	}{
		{parkourmap.Search{Tags: []string{"speed"}}, []string{"Sky One", "Sky Three", "Sky Two"}},
		{parkourmap.Search{Tags: []string{"speed", "hard"}}, []string{"Sky One", "Sky Three"}},
		{parkourmap.Search{Tags: []string{"speed", "unheard of"}}, nil},
		{parkourmap.Search{Tags: []string{"\x00"}}, nil},
		{parkourmap.Search{Tags: []string{"\uFFFD"}}, []string{"Odd"}},
		{parkourmap.Search{Mode: bonkmap.Grapple}, []string{"Sea", "Sky Three"}},
		{parkourmap.Search{AuthorID: playerID(2)}, []string{"Sky Three", "Sky Two"}},
		{parkourmap.Search{AuthorID: "nobody"}, nil},
		{parkourmap.Search{Name: "sky t", Author: "rain"}, []string{"Sky Three", "Sky Two"}},
		{parkourmap.Search{Name: "s", Author: "cloud", Tags: []string{"hard"}}, []string{"Sea", "Sky One"}},
		{parkourmap.Search{Name: "sky t", Author: "ain", Tags: []string{"hard"}, Mode: bonkmap.Grapple,
			AuthorID: playerID(2)}, []string{"Sky Three"}},
		{parkourmap.Search{Sort: parkourmap.Sort{By: parkourmap.ByRecords}, Name: "sky", Mode: bonkmap.Grapple},
			[]string{"Sky Three"}},
	} {
		assert.Equal(t, fmt.Sprintf("search %+v", tt.search), tt.want, found(t, store, tt.search))
	}
}

func TestStore_Search_orders_and_pages(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(1, named("b")), newMap(2, named("a")), newMap(3, named("B")), newMap(4, named("c")))
	for n, records := range map[int]int64{1: 5, 2: 9, 3: 5} {
		applyStats(t, store, n, 1, records)
	}
	for _, tt := range []struct {
		by         parkourmap.SortBy
		descending bool
		want       []string
	}{
		{parkourmap.ByName, false, []string{"a", "b", "B", "c"}},
		{parkourmap.ByName, true, []string{"c", "B", "b", "a"}},
		{parkourmap.ByCreated, false, []string{"b", "a", "B", "c"}},
		{parkourmap.ByCreated, true, []string{"c", "B", "a", "b"}},
		{parkourmap.ByRecords, false, []string{"c", "b", "B", "a"}},
		{parkourmap.ByRecords, true, []string{"a", "B", "b", "c"}},
	} {
		for _, filter := range []parkourmap.Search{{}, {AuthorID: playerID(1)}} {
			filter.Sort = parkourmap.Sort{By: tt.by, Descending: tt.descending}
			assert.Equal(t, fmt.Sprintf("%+v", filter), tt.want, found(t, store, filter))
			var walked []string
			for offset := range 6 {
				filter.Page = parkourmap.Page{Limit: 1, Offset: offset}
				walked = append(walked, found(t, store, filter)...)
			}
			assert.Equal(t, fmt.Sprintf("%+v, page by page", filter), tt.want, walked)
		}
	}
}

// A map stands on one page, also when others are added in between.
func TestStore_Search_after(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(11, named("b")), newMap(12, named("a")), newMap(13, named("B")), newMap(14, named("c")))
	added := 20
	for _, by := range []parkourmap.SortBy{parkourmap.ByName, parkourmap.ByCreated, parkourmap.ByRecords} {
		for _, descending := range []bool{false, true} {
			s := parkourmap.Search{Sort: parkourmap.Sort{By: by, Descending: descending}, Page: parkourmap.Page{Limit: 2}}
			want := found(t, store, parkourmap.Search{Sort: s.Sort})
			var walked []string
			for more := true; more; more = s.After != nil {
				page, err := store.Search(t.Context(), s)
				if err != nil || len(page.Entries) > 2 {
					t.Fatalf("%d maps, %v", len(page.Entries), err)
				}
				for _, e := range page.Entries {
					walked = append(walked, e.Name)
				}
				if s.After == nil { // before the first row, in each order
					first := page.Entries[0]
					added++
					create(t, store, newMap(added, func(m *parkourmap.Map) {
						m.Name, m.CreatedAt = "~", first.CreatedAt.Add(time.Second)
						if !descending {
							m.Name, m.CreatedAt = "!", first.CreatedAt.Add(-time.Second)
							m.ID = playerID(100 - added) // less than the ids of all other maps
						}
					}))
				}
				if s.After = page.Next; s.After != nil {
					if again, err := s.ParseCursor(s.Cursor(*s.After)); err != nil || again != *s.After {
						t.Errorf("the cursor of %+v is read as %+v, %v", *s.After, again, err)
					}
				}
			}
			assert.Equal(t, fmt.Sprintf("by %s, descending %v", by, descending), want, walked)
		}
	}
}

func TestStore_Search_by_progress(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, newMap(1, named("a")), newMap(2, named("b")),
		newMap(3, named("c"), in(bonkmap.Grapple)), newMap(4, named("d")))
	var played [][16]byte
	for _, n := range []int{3, 99, 1} { // 99 is no map here, or not the newest version
		played = append(played, uuid.MustParse(mapID(n)))
	}
	byName := parkourmap.Sort{By: parkourmap.ByName}
	byRank, worstFirst := parkourmap.Sort{By: parkourmap.ByRank}, parkourmap.Sort{By: parkourmap.ByRank, Descending: true}
	for _, tt := range []struct {
		search parkourmap.Search
		want   []string
	}{
		{parkourmap.Search{Progress: event.Played, Sort: byName, Played: played}, []string{"a", "c"}},
		{parkourmap.Search{Progress: event.Near, Sort: byName, Played: played[:1]}, []string{"c"}},
		{parkourmap.Search{Progress: event.Unplayed, Sort: byName, Played: played}, []string{"b", "d"}},
		{parkourmap.Search{Progress: event.Played, Sort: byRank, Played: played}, []string{"c", "a"}},
		{parkourmap.Search{Sort: worstFirst, Played: played}, []string{"c", "a"}}, // already sorted
		{parkourmap.Search{Progress: event.Unplayed, Sort: byRank, Played: played}, nil},
		{parkourmap.Search{Progress: event.Played, Mode: bonkmap.Grapple, Sort: byName, Played: played}, []string{"c"}},
		{parkourmap.Search{Sort: byRank, Played: played, Page: parkourmap.Page{Offset: 1, Limit: 2}}, []string{"a"}},
	} {
		tt.search.CallerID = playerID(1)
		assert.Equal(t, fmt.Sprintf("search %+v", tt.search), tt.want, found(t, store, tt.search))
	}
}
