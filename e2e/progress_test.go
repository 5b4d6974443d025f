package e2e_test

import (
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
)

// The maps service asks the records service what a player has finished: the next search shows what was submitted.
func TestSearchMaps_by_progress(t *testing.T) {
	t.Parallel()
	m, entry, author := submitted(t) // with a record of 40 s, so that gold is 42.4 s
	player := newPlayer(t)
	found := func(filter api.ProgressFilter) []string {
		t.Helper()
		page, err := player.SearchMaps(t.Context(), api.SearchMapsParams{AuthorID: author.Player.ID, Progress: filter})
		require.NoError(t, err)
		ids := []string{}
		for _, m := range page.Data {
			ids = append(ids, m.ID)
		}
		return ids
	}
	type results struct{ Unplayed, BelowGold, Near []string }
	all := func() results { return results{found("unplayed"), found("belowGold"), found("near")} }
	none, only := []string{}, []string{entry.ID}
	assert.Equal(t, "before", results{only, none, none}, all())
	finished(t, player, m, 42_500)
	assert.Equal(t, "a tenth of a second above gold", results{none, only, only}, all())
	finished(t, player, m, 42_400)
	assert.Equal(t, "gold", results{none, none, none}, all())
}
