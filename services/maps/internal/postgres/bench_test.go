package postgres

import (
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/event"
	"capzone.dev/services/maps/internal/parkourmap"
)

// BenchmarkStore_Search searches 20,000 maps.
func BenchmarkStore_Search(b *testing.B) {
	pool, someone := manyMaps(b, 20_000)
	store := NewStore(pool)
	for _, search := range []struct {
		name string
		parkourmap.Search
	}{
		{"newest", parkourmap.Search{}},
		{"page-500", parkourmap.Search{Page: parkourmap.Page{Offset: 12 * 500}}},
		{"one-letter", parkourmap.Search{Name: "a"}},
		{"two-letters", parkourmap.Search{Name: "sk"}},
		{"a-word-of-many", parkourmap.Search{Name: "skyline"}},
		{"a-word-of-one", parkourmap.Search{Name: "skyline120"}},
		{"a-mode", parkourmap.Search{Mode: bonkmap.Classic}},
		{"an-author", parkourmap.Search{AuthorID: someone}},
		{"one-letter-and-a-mode", parkourmap.Search{Name: "a", Mode: bonkmap.Classic}},
		{"one-letter-of-both-names", parkourmap.Search{Name: "a", Author: "e"}},
		{"5000-played", parkourmap.Search{Progress: event.Played, Played: playedOf(b, pool, 5000)}},
		{"all-but-5000-played", parkourmap.Search{Progress: event.Unplayed, Played: playedOf(b, pool, 5000)}},
	} {
		for _, sort := range []parkourmap.SortBy{parkourmap.ByCreated, parkourmap.ByName, parkourmap.ByRecords} {
			b.Run(search.name+"/by-"+string(sort), func(b *testing.B) {
				search.Sort, search.Page.Limit = parkourmap.Sort{By: sort, Descending: true}, 12
				for b.Loop() {
					_, err := store.Search(b.Context(), search.Search)
					require.NoError(b, err)
				}
			})
		}
	}
}
