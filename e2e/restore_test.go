package e2e_test

import (
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
)

// Every public answer and page of a map that was removed and restored is what it was before.
func TestMap_restored(t *testing.T) {
	t.Parallel()
	author, racer := newPlayer(t), newPlayer(t)
	m := newMap(author.Player.Name)
	submit := func(m *bonkmap.Map) api.ParkourMap {
		s := submission(t, m, author.Player.Name)
		s.Image = pngOf(322, 181) // that no other map has, so that the file goes with the maps
		version, err := author.SubmitMap(t.Context(), s)
		require.NoError(t, err)
		return version
	}
	first := submit(m)
	finished(t, racer, m, 39_000)
	next := *m
	next.Shapes = append([]bonkmap.Shape{bonkmap.Box{Width: 33, Height: 33}}, m.Shapes[1:]...)
	second := submit(&next)
	best := finished(t, racer, &next, 38_000)
	paths := []string{
		first.ImageURL, second.ImageURL, "/api/v1/maps/search?authorId=" + author.Player.ID,
		"/api/v1/players/" + author.Player.ID, "/api/v1/players/" + racer.Player.ID,
		"/api/v1/records?player=" + racer.Player.ID, "/api/v1/records/" + best.Record.ID,
		"/api/v1/records/" + best.Record.ID + "/verification", "/api/v1/records/" + best.Record.ID + "/preview.png",
		"/player/" + author.Player.ID, "/record/" + best.Record.ID,
	}
	for _, id := range []string{first.ID, second.ID} {
		for _, part := range []string{"", "/data", "/versions", "/history", "/preview.png"} {
			paths = append(paths, "/api/v1/maps/"+id+part)
		}
		paths = append(paths, "/api/v1/records?map="+id, "/leaderboard/"+id)
	}
	everything := func() map[string]string {
		answers := map[string]string{}
		for _, path := range paths {
			answers[path] = fetched(t, path)
		}
		return answers
	}
	var before map[string]string
	eventually.WaitFor(t, "the copies to arrive", func() bool {
		last := before
		before = everything()
		return cmp.Equal(last, before) && counts(t, author) == [2]int{1, 2} && counts(t, racer) == [2]int{0, 2}
	})

	for _, id := range []string{second.ID, first.ID} {
		operate(t, "maps", "remove", id, "A mistake.")
	}
	for _, path := range []string{first.ImageURL, "/api/v1/maps/" + first.ID, "/api/v1/maps/" + second.ID + "/history"} {
		eventually.WaitFor(t, path+" to go", func() bool { return fetched(t, path) != before[path] })
	}
	for _, id := range []string{second.ID, first.ID} {
		operate(t, "maps", "restore", id, "It was one.")
	}
	var after map[string]string
	if !eventually.Poll(func() bool { after = everything(); return cmp.Equal(before, after) }) {
		t.Errorf("answers and pages (-before +restored):\n%s", cmp.Diff(before, after))
	}
}

// counts returns the numbers of maps and records in a player's profile.
func counts(t *testing.T, v *site.Visitor) [2]int {
	t.Helper()
	player, err := newVisitor().PlayerByID(t.Context(), v.Player.ID)
	require.NoError(t, err)
	return [2]int{player.MapCount, player.RecordCount}
}

// fetched returns the status and the body of a public answer, without what changes by itself.
func fetched(t *testing.T, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, capzone.Address()+path, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.Status + "\n" + changing.ReplaceAllString(string(body), "")
}

// changing is how old the points of an answer are, the number of all maps, which other tests submit, and the position
// of live events in a page.
var changing = regexp.MustCompile(`"asOf":"[^"]*",?|"of":[0-9]+,?| data-position="[0-9]*"`)
