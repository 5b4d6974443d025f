package e2e_test

import (
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// Two gateways, the second before a replica of its own of the records service, on one database. What is written through
// one is, although it was cached just before, soon read at the other, on every page that shows it.
func TestGateways(t *testing.T) {
	t.Parallel()
	needOperator(t)
	address, stop, err := local.Beside(t.Context(), []string{"records"}, map[string]string{
		"REQUESTS_PER_MINUTE": "1000000", "LOGINS_PER_MINUTE": "1000000",
	})
	require.NoError(t, err)
	t.Cleanup(stop)
	far := site.New(address).Visitor()
	pages := cachedPages{reader: far, author: newPlayer(t), player: newPlayer(t)}
	pages.follow(t)
}

// cachedPages are the pages of a map, of its author and of another player at a gateway that caches them.
type cachedPages struct {
	reader, author, player *site.Visitor

	entry api.ParkourMap
	first api.ListedRecord
}

// shownNumber is a number on a page.
type shownNumber struct {
	name string
	read func() (int, error)
	want int
}

// follow changes what the pages show, and waits until each shows it.
func (p *cachedPages) follow(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	m := newMap(p.author.Player.Name)
	m.Name = "map of " + p.author.Player.Name // newMap may give two maps the same name
	for _, step := range []struct {
		name    string
		change  func() error
		numbers []shownNumber
	}{
		{"a map is submitted", func() (err error) {
			p.entry, err = p.author.SubmitMap(ctx, submission(t, m, p.author.Player.Name))
			return err
		}, []shownNumber{
			{"a search by name", p.maps(t, api.SearchMapsParams{Name: m.Name}), 1},
			{"a search by the author's name", p.maps(t, api.SearchMapsParams{Author: p.author.Player.Name}), 1},
			{"the author's maps", p.maps(t, api.SearchMapsParams{AuthorID: p.author.Player.ID}), 1},
			{"the author's records", p.records(t, func() api.ListRecordsParams {
				return api.ListRecordsParams{Player: p.author.Player.ID}
			}), 1},
			{"the maps on the author's profile", func() (int, error) {
				got, err := p.reader.PlayerByID(ctx, p.author.Player.ID)
				return got.MapCount, err
			}, 1},
		}},
		{"another player is faster", func() error {
			own, err := p.reader.Records(ctx, api.ListRecordsParams{Player: p.author.Player.ID})
			if err != nil {
				return err
			}
			p.first = own.Data[0]
			if _, err := p.reader.RecordByID(ctx, p.first.ID); err != nil {
				return err
			}
			file := replay(t, m, p.player.Player.Name, 38_000)
			_, err = p.player.SubmitRecord(ctx, site.RecordSubmission{Replay: file})
			return err
		}, []shownNumber{
			{"the leaderboard", p.records(t, func() api.ListRecordsParams { return api.ListRecordsParams{Map: p.entry.ID} }), 2},
			{"the map", func() (int, error) {
				got, err := p.reader.MapByID(ctx, p.entry.ID)
				return got.RecordCount, err
			}, 2},
			{"the rank of the first record", func() (int, error) {
				got, err := p.reader.RecordByID(ctx, p.first.ID)
				return got.Rank, err
			}, 2},
			{"the records on the player's profile", func() (int, error) {
				got, err := p.reader.PlayerByID(ctx, p.player.Player.ID)
				return got.RecordCount, err
			}, 1},
		}},
		{"the author has an avatar", func() error {
			_, err := p.author.UpdatePlayer(ctx, p.author.Player.ID, site.PlayerUpdate{SkinImage: picture()})
			return err
		}, []shownNumber{{"the map, the leaderboard and the players", func() (int, error) { return p.avatars(t) }, 3}}},
	} {
		for _, n := range step.numbers {
			_, _ = n.read() // it is cached from here on
		}
		if err := step.change(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for _, n := range step.numbers {
			eventually.WaitFor(t, n.name+" when "+step.name, func() bool {
				got, err := n.read()
				return err == nil && got == n.want
			})
		}
	}
}

// maps returns a function that counts the maps of a search.
func (p *cachedPages) maps(t *testing.T, search api.SearchMapsParams) func() (int, error) {
	t.Helper()
	return func() (int, error) {
		got, err := p.reader.SearchMaps(t.Context(), search)
		return got.Pagination.Total, err
	}
}

// records returns a function that counts the records of a list.
func (p *cachedPages) records(t *testing.T, of func() api.ListRecordsParams) func() (int, error) {
	t.Helper()
	return func() (int, error) {
		got, err := p.reader.Records(t.Context(), of())
		return got.Pagination.Total, err
	}
}

// avatars counts the places that show the author's avatar.
func (p *cachedPages) avatars(t *testing.T) (n int, err error) {
	t.Helper()
	shown, err := p.reader.MapByID(t.Context(), p.entry.ID)
	if err != nil {
		return 0, err
	}
	leaderboard, err := p.reader.Leaderboard(t.Context(), p.entry.ID, 0, 10)
	if err != nil {
		return 0, err
	}
	people, err := p.reader.SearchPlayers(t.Context(), api.SearchPlayersParams{Name: p.author.Player.Name})
	if err != nil {
		return 0, err
	}
	slowest := leaderboard.Data[len(leaderboard.Data)-1].Player
	for _, url := range []*string{shown.Author.SkinImageURL, slowest.SkinImageURL, people.Data[0].SkinImageURL} {
		if url != nil {
			n++
		}
	}
	return n, nil
}
