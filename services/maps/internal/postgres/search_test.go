package postgres_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
	"capzone.dev/services/maps/internal/parkourmaptest"
)

func TestStore_Search_partsOfNames(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "Zérö")
	take(t, store, 2, "o'neil_50%")
	create(t, store,
		parkourmaptest.NewMap(1, named("Skyline Run")), parkourmaptest.NewMap(2,
			named("Ärger im Sky")), parkourmaptest.NewMap(3, named("100% Höhe"), byTheSecond),
		parkourmaptest.NewMap(4, named("雲の道"), byTheSecond), parkourmaptest.NewMap(5, named("banana"), byTheSecond),
		parkourmaptest.NewMap(6, named("Bob's snow_fox–run")), parkourmaptest.NewMap(7, named("极限跑酷")))
	for _, tt := range []struct {
		search parkourmap.Search
		want   []string
	}{
		{parkourmap.Search{}, []string{"100% Höhe", "Ärger im Sky", "banana", "Bob's snow_fox–run", "Skyline Run", "极限跑酷", "雲の道"}},
		{parkourmap.Search{Name: "sky"}, []string{"Ärger im Sky", "Skyline Run"}},
		{parkourmap.Search{Name: "SKYLINE"}, []string{"Skyline Run"}},
		{parkourmap.Search{Name: "arger"}, []string{"Ärger im Sky"}},
		{parkourmap.Search{Name: "HÖHE"}, []string{"100% Höhe"}},
		// One or two characters match at the beginnings of words.
		{parkourmap.Search{Name: "e"}, nil},
		{parkourmap.Search{Name: "s"}, []string{"Ärger im Sky", "Bob's snow_fox–run", "Skyline Run"}},
		{parkourmap.Search{Name: "ru"}, []string{"Bob's snow_fox–run", "Skyline Run"}},
		{parkourmap.Search{Name: "fo"}, []string{"Bob's snow_fox–run"}},
		{parkourmap.Search{Name: "BOB’S snow fox-run"}, []string{"Bob's snow_fox–run"}},
		{parkourmap.Search{Name: "跑酷"}, []string{"极限跑酷"}},
		{parkourmap.Search{Name: "酷"}, []string{"极限跑酷"}},
		{parkourmap.Search{Name: "跑限"}, nil},
		{parkourmap.Search{Name: "un"}, nil},
		{parkourmap.Search{Name: "10"}, []string{"100% Höhe"}},
		{parkourmap.Search{Name: "%"}, nil},
		{parkourmap.Search{Name: "00%"}, []string{"100% Höhe"}},
		{parkourmap.Search{Name: "_"}, nil},
		{parkourmap.Search{Name: `\`}, nil},
		{parkourmap.Search{Name: "雲"}, []string{"雲の道"}},
		{parkourmap.Search{Name: "anana"}, []string{"banana"}},
		// Its trigrams are all there, but it is not.
		{parkourmap.Search{Name: "ananan"}, nil},
		{parkourmap.Search{Name: "sky line"}, nil},
		{parkourmap.Search{Name: "  sky  "}, []string{"Ärger im Sky", "Skyline Run"}},
		{parkourmap.Search{Name: "nothing like it"}, nil},
		// Nothing that is searched for finds nothing.
		{parkourmap.Search{Name: "\x00\xff"}, nil},
		{parkourmap.Search{Name: "\u0301"}, nil},
		{parkourmap.Search{Name: " "}, []string{"100% Höhe", "Ärger im Sky", "banana", "Bob's snow_fox–run", "Skyline Run", "极限跑酷", "雲の道"}},
		{parkourmap.Search{Author: "zero"}, []string{"Ärger im Sky", "Bob's snow_fox–run", "Skyline Run", "极限跑酷"}},
		{parkourmap.Search{Author: "50%"}, []string{"100% Höhe", "banana", "雲の道"}},
		{parkourmap.Search{Author: "O'"}, []string{"100% Höhe", "banana", "雲の道"}},
		{parkourmap.Search{Author: "o'neil_50%"}, []string{"100% Höhe", "banana", "雲の道"}},
	} {
		checkEqual(t, fmt.Sprintf("search %+v", tt.search), tt.want, found(t, store, tt.search))
	}
}

func TestStore_Search_filters(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	take(t, store, 2, "Rain")
	create(t, store,
		parkourmaptest.NewMap(1, named("Sky One"), tagged("speed", "hard")),
		parkourmaptest.NewMap(2, named("Sky Two"), tagged("speed"), byTheSecond),
		parkourmaptest.NewMap(3, named("Sky Three"), tagged("speed", "hard"), in(bonkmap.Grapple), byTheSecond),
		parkourmaptest.NewMap(4, named("Sea"), tagged("hard"), in(bonkmap.Grapple)),
		parkourmaptest.NewMap(5, named("Odd"), tagged("\uFFFD")))
	for _, tt := range []struct {
		search parkourmap.Search
		want   []string
	}{
		{parkourmap.Search{Tags: []string{"speed"}}, []string{"Sky One", "Sky Three", "Sky Two"}},
		{parkourmap.Search{Tags: []string{"speed", "hard"}}, []string{"Sky One", "Sky Three"}},
		{parkourmap.Search{Tags: []string{"hard", "hard"}}, []string{"Sea", "Sky One", "Sky Three"}},
		{parkourmap.Search{Tags: []string{"spee"}}, nil},
		{parkourmap.Search{Tags: []string{"speed", "unheard of"}}, nil},
		{parkourmap.Search{Tags: []string{"\x00"}}, nil},
		{parkourmap.Search{Tags: []string{"\xff"}}, nil},
		{parkourmap.Search{Tags: []string{"\uFFFD"}}, []string{"Odd"}},
		{parkourmap.Search{Mode: bonkmap.Grapple}, []string{"Sea", "Sky Three"}},
		{parkourmap.Search{Mode: bonkmap.VTOL}, nil},
		{parkourmap.Search{AuthorID: parkourmaptest.PlayerID(2)}, []string{"Sky Three", "Sky Two"}},
		{parkourmap.Search{AuthorID: parkourmaptest.PlayerID(3)}, nil},
		{parkourmap.Search{AuthorID: "nobody"}, nil},
		{parkourmap.Search{Name: "sky", Mode: bonkmap.Grapple}, []string{"Sky Three"}},
		{parkourmap.Search{Name: "sky t", Author: "rain"}, []string{"Sky Three", "Sky Two"}},
		{parkourmap.Search{Name: "s", Author: "cloud", Tags: []string{"hard"}}, []string{"Sea", "Sky One"}},
		{parkourmap.Search{Name: "sky t", Author: "ain", Tags: []string{"hard"}, Mode: bonkmap.Grapple,
			AuthorID: parkourmaptest.PlayerID(2)}, []string{"Sky Three"}},
		{parkourmap.Search{Name: "sky", Author: "cloud", Mode: bonkmap.Grapple}, nil},
		{parkourmap.Search{Sort: parkourmap.Sort{By: parkourmap.ByRecords}, Name: "sky", Mode: bonkmap.Grapple},
			[]string{"Sky Three"}},
	} {
		checkEqual(t, fmt.Sprintf("search %+v", tt.search), tt.want, found(t, store, tt.search))
	}
}

func TestStore_Search_ordersAndPages(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, parkourmaptest.NewMap(1, named("b")), parkourmaptest.NewMap(2, named("a")),
		parkourmaptest.NewMap(3, named("B")), parkourmaptest.NewMap(4, named("c")))
	for n, records := range map[int]int64{1: 5, 2: 9, 3: 5} {
		require.NoError(t, store.ApplyStats(t.Context(),
			event.MapStats{MapID: parkourmaptest.MapID(n), Version: 1, Records: records}))
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
		for _, filter := range []parkourmap.Search{{}, {AuthorID: parkourmaptest.PlayerID(1)}} {
			filter.Sort = parkourmap.Sort{By: tt.by, Descending: tt.descending}
			checkEqual(t, fmt.Sprintf("%+v", filter), tt.want, found(t, store, filter))
			var walked []string
			for offset := range 6 {
				filter.Page = parkourmap.Page{Limit: 1, Offset: offset}
				walked = append(walked, found(t, store, filter)...)
			}
			checkEqual(t, fmt.Sprintf("%+v, page by page", filter), tt.want, walked)
		}
	}
}

// A map stands on one page, also when others are added in between.
func TestStore_Search_after(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, parkourmaptest.NewMap(11, named("b")), parkourmaptest.NewMap(12, named("a")),
		parkourmaptest.NewMap(13, named("B")), parkourmaptest.NewMap(14, named("c")))
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
					create(t, store, parkourmaptest.NewMap(added, func(m *parkourmap.Map) {
						m.Name, m.CreatedAt = "~", first.CreatedAt.Add(time.Second)
						if !descending {
							m.Name, m.CreatedAt = "!", first.CreatedAt.Add(-time.Second)
							m.ID = parkourmaptest.PlayerID(100 - added) // less than the ids of all other maps
						}
					}))
				}
				if s.After = page.Next; s.After != nil {
					cursor := s.After.Cursor(s.Sort)
					if again, err := parkourmap.ParseCursor(cursor, s.Sort); err != nil || again != *s.After {
						t.Errorf("the cursor of %+v is read as %+v, %v", *s.After, again, err)
					}
				}
			}
			checkEqual(t, fmt.Sprintf("by %s, descending %v", by, descending), want, walked)
		}
	}
}

func TestStore_Search_byProgress(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, parkourmaptest.NewMap(1, named("a")), parkourmaptest.NewMap(2, named("b")),
		parkourmaptest.NewMap(3, named("c"), in(bonkmap.Grapple)), parkourmaptest.NewMap(4, named("d")))
	var played [][16]byte
	for _, n := range []int{3, 99, 1} { // 99 is no map here, or not the newest version
		played = append(played, uuid.MustParse(parkourmaptest.MapID(n)))
	}
	byName := parkourmap.Sort{By: parkourmap.ByName}
	byRank, worstFirst := parkourmap.Sort{By: parkourmap.ByRank}, parkourmap.Sort{By: parkourmap.ByRank, Descending: true}
	for _, tt := range []struct {
		search parkourmap.Search
		want   []string
	}{
		{parkourmap.Search{Progress: event.Played, Sort: byName, Played: played}, []string{"a", "c"}},
		{parkourmap.Search{Progress: event.Near, Sort: byName, Played: played[:1]}, []string{"c"}},
		{parkourmap.Search{Progress: event.Played, Sort: byName}, nil},
		{parkourmap.Search{Progress: event.Unplayed, Sort: byName, Played: played}, []string{"b", "d"}},
		{parkourmap.Search{Progress: event.Unplayed, Sort: byName}, []string{"a", "b", "c", "d"}},
		{parkourmap.Search{Progress: event.Played, Sort: byRank, Played: played}, []string{"c", "a"}},
		{parkourmap.Search{Sort: byRank, Played: played}, []string{"c", "a"}},
		{parkourmap.Search{Sort: worstFirst, Played: played}, []string{"c", "a"}}, // already sorted
		{parkourmap.Search{Progress: event.Unplayed, Sort: byRank, Played: played}, nil},
		{parkourmap.Search{Progress: event.Played, Mode: bonkmap.Grapple, Sort: byName, Played: played}, []string{"c"}},
		{parkourmap.Search{Name: "a", Sort: byRank, Played: played}, []string{"a"}},
		{parkourmap.Search{Sort: byRank, Played: played, Page: parkourmap.Page{Offset: 1, Limit: 2}}, []string{"a"}},
	} {
		tt.search.CallerID = parkourmaptest.PlayerID(1)
		checkEqual(t, fmt.Sprintf("search %+v", tt.search), tt.want, found(t, store, tt.search))
	}
}

func TestStore_ApplyStats(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	for _, message := range []struct{ version, records int64 }{{2, 7}, {1, 3}, {2, 7}} {
		require.NoError(t, store.ApplyStats(t.Context(),
			event.MapStats{MapID: parkourmaptest.MapID(1), Version: message.version, Records: message.records}))
	}
	create(t, store, parkourmaptest.NewMap(1), parkourmaptest.NewMap(2))
	entry, err := store.Entry(t.Context(), parkourmaptest.MapID(1))
	if err != nil || entry.Records != 7 {
		t.Errorf("records = %d, %v, want 7", entry.Records, err)
	}
	checkEqual(t, "by records", []string{"Map 1", "Map 2"},
		found(t, store, parkourmap.Search{Sort: parkourmap.Sort{By: parkourmap.ByRecords, Descending: true}}))
	require.NoError(t, store.ApplyStats(t.Context(),
		event.MapStats{MapID: parkourmaptest.MapID(1), Version: 3, Records: 6}))
	if entry, err := store.Entry(t.Context(), parkourmaptest.MapID(1)); err != nil || entry.Records != 6 ||
		entry.Version != 1 {
		t.Errorf("records = %d of version %d, %v, want 6 of 1", entry.Records, entry.Version, err)
	}
}

func TestStore_ApplyPlayer(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	state := func(version int64, name string) parkourmap.Player {
		return parkourmap.Player{
			ID: parkourmaptest.PlayerID(1), Version: version, Name: name, Roles: []string{"validator"}, Banned: version == 3,
		}
	}
	for _, message := range []parkourmap.Player{state(1, "cloudstep"), state(3, "CloudStep"), state(2, "cloudstep"),
		state(3, "CloudStep")} {
		require.NoError(t, store.ApplyPlayer(t.Context(), message))
	}
	got, err := store.Player(t.Context(), parkourmaptest.PlayerID(1))
	require.NoError(t, err)
	checkEqual(t, "copy", state(3, "CloudStep"), got)
	if got, err := store.PlayerNamed(t.Context(), "cloudstep"); err != nil || got.ID != parkourmaptest.PlayerID(1) {
		t.Errorf("by name: %v, %v", got, err)
	}
	require.NoError(t, store.ApplyPlayer(t.Context(),
		parkourmap.Player{ID: parkourmaptest.PlayerID(1), Version: 4, Removed: true}))
	if _, err := store.PlayerNamed(t.Context(), "cloudstep"); !errors.Is(err, parkourmap.ErrPlayerUnknown) {
		t.Errorf("a removed player is found by name: %v", err)
	}
	got, err = store.Player(t.Context(), parkourmaptest.PlayerID(1))
	if err != nil || !got.Removed {
		t.Errorf("Player of a removed player returned %+v, %v", got, err)
	}
	if _, err := store.Player(t.Context(), parkourmaptest.PlayerID(2)); !errors.Is(err, parkourmap.ErrPlayerUnknown) {
		t.Errorf("Player of an unknown player returned %v", err)
	}
}

func TestStore_ApplyPlayer_renamedAuthor(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	create(t, store, parkourmaptest.NewMap(1), parkourmaptest.NewMap(2), parkourmaptest.NewMap(3, byTheSecond))
	require.NoError(t, store.ApplyPlayer(t.Context(),
		parkourmap.Player{ID: parkourmaptest.PlayerID(1), Version: 2, Name: "Stormstep"}))
	for author, want := range map[string][]string{"storm": {"Map 1", "Map 2"}, "st": {"Map 1", "Map 2"}, "cloud": nil,
		"c": nil} {
		checkEqual(t, fmt.Sprintf("author %q", author), want, found(t, store, parkourmap.Search{Author: author}))
	}
	// A copy that arrives after the map.
	take(t, store, 2, "Rain")
	checkEqual(t, "a late copy", []string{"Map 3"}, found(t, store, parkourmap.Search{Author: "rain"}))
}

func TestStore_PopularTags(t *testing.T) {
	t.Parallel()
	store, _ := setup(t)
	take(t, store, 1, "cloudstep")
	for n := 1; n <= 25; n++ {
		var tags []string
		for tag := n; tag <= 25; tag++ {
			tags = append(tags, fmt.Sprintf("tag%02d", tag))
		}
		create(t, store, parkourmaptest.NewMap(n, tagged(tags...)))
	}
	var want []string
	for tag := 25; tag > 5; tag-- {
		want = append(want, fmt.Sprintf("tag%02d", tag))
	}
	tags, err := store.PopularTags(t.Context(), parkourmap.PopularTags)
	require.NoError(t, err)
	checkEqual(t, "popular tags", want, tags)
	// The map that alone has tag01 goes.
	require.NoError(t, store.Remove(t.Context(), parkourmaptest.MapID(1), changedAt, by("root", "x")))
	if tags, err = store.PopularTags(t.Context(), 100); err != nil || len(tags) != 24 {
		t.Errorf("%d tags are left, %v, want 24", len(tags), err)
	}
}
