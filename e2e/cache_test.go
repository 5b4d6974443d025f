package e2e_test

import (
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// attentive starts a second gateway, and replicas of the given services for it alone.
func attentive(t *testing.T, kinds ...string) *site.Site {
	t.Helper()
	needOperator(t)
	address, stop, err := local.Beside(t.Context(), kinds, map[string]string{
		"REQUESTS_PER_MINUTE": "1000000", "LOGINS_PER_MINUTE": "1000000",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return site.New(address)
}

// shown returns the ids of the records on the first page of a leaderboard, as a gateway shows it.
func shown(t *testing.T, v *site.Visitor, mapID string) map[string]bool {
	t.Helper()
	leaderboard, err := v.Leaderboard(t.Context(), mapID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range leaderboard.Data {
		ids[r.ID] = true
	}
	return ids
}

// Two gateways, each before a replica of its own of the records service, on one database: who writes at one sees it
// there at once, and soon at the other.
func TestGateways_show_a_new_record(t *testing.T) {
	t.Parallel()
	other := attentive(t, "records")
	near, far := newVisitor(), other.Visitor()
	m, entry, author := submitted(t)
	players := []*site.Visitor{author, newPlayer(t), newPlayer(t), newPlayer(t)}
	reading, done := make(chan struct{}, 2), make(chan struct{})
	var readers sync.WaitGroup
	for _, gateway := range []*site.Visitor{newVisitor(), other.Visitor()} {
		readers.Go(func() { // each player's best only gets better
			total := 0
			for first := true; ; first = false {
				leaderboard, err := gateway.Leaderboard(t.Context(), entry.ID, 0, 10)
				if first {
					reading <- struct{}{}
				}
				if err != nil || leaderboard.Pagination.Total < total {
					t.Errorf("a leaderboard of %d players came to have %d (%v)", total, leaderboard.Pagination.Total, err)
					return
				}
				total = leaderboard.Pagination.Total
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
	defer readers.Wait()
	defer close(done)
	<-reading
	<-reading
	for round := range 3 {
		for _, player := range players {
			outcome := finished(t, player, m, 39_000-1000*round)
			if !shown(t, near, entry.ID)[outcome.Record.ID] {
				t.Fatalf("round %d: the leaderboard of its own gateway lacks the run", round)
			}
			got, err := near.RecordByID(t.Context(), outcome.Record.ID)
			if err != nil || got.ID != outcome.Record.ID {
				t.Fatalf("round %d: %v", round, err)
			}
			eventually.WaitFor(t, "the record at the other gateway", func() bool {
				return shown(t, far, entry.ID)[outcome.Record.ID]
			})
		}
	}
}

// A page that an operator changed is seen without waiting for its time to pass.
func TestGateways_follow_operators(t *testing.T) {
	t.Parallel()
	v, player := attentive(t).Visitor(), newPlayer(t)
	profile := func() api.Player {
		p, err := v.PlayerByID(t.Context(), player.Player.ID)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if roles := profile().Roles; len(roles) != 0 {
		t.Fatalf("a new player has the roles %v", roles)
	}
	operate(t, "players", "grant", player.Player.Name, "cartographer")
	eventually.WaitFor(t, "the role on the profile", func() bool { return len(profile().Roles) == 1 })
}

// Whatever changes, every page that shows it follows, although each was kept just before.
func TestGateways_follow_changes(t *testing.T) {
	t.Parallel()
	reader := attentive(t)
	for name, writers := range map[string]*site.Site{"through its own gateway": reader,
		"through another gateway": capzone} {
		t.Run("changed "+name, func(t *testing.T) {
			t.Parallel()
			everyPageFollows(t, reader.Visitor(), loggedInAt(t, writers, account()), loggedInAt(t, writers, account()))
		})
	}
}

func everyPageFollows(t *testing.T, v, author, player *site.Visitor) {
	t.Helper()
	ctx := t.Context()
	m := newMap(author.Player.Name)
	m.Name = "map of " + author.Player.Name // newMap may give two maps the same name
	var entry api.ParkourMap
	var first api.ListedRecord
	value := func(n int, err error) int {
		if err != nil {
			return -1
		}
		return n
	}
	recordsOf := func(q api.ListRecordsParams) int {
		got, err := v.Records(ctx, q)
		return value(got.Pagination.Total, err)
	}
	found := func(s api.SearchMapsParams) int {
		got, err := v.SearchMaps(ctx, s)
		return value(got.Pagination.Total, err)
	}
	records := func(id string) int {
		got, err := v.PlayerByID(ctx, id)
		return value(got.RecordCount, err)
	}
	avatars := func() (n int) {
		shown, err := v.MapByID(ctx, entry.ID)
		leaderboard, err2 := v.Leaderboard(ctx, entry.ID, 0, 10)
		people, err3 := v.SearchPlayers(ctx, api.SearchPlayersParams{Name: author.Player.Name})
		if err != nil || err2 != nil || err3 != nil {
			return -1
		}
		slowest := leaderboard.Data[len(leaderboard.Data)-1].Player
		for _, url := range []*string{shown.Author.SkinImageURL, slowest.SkinImageURL, people.Data[0].SkinImageURL} {
			if url != nil {
				n++
			}
		}
		return n
	}
	type shownPage struct {
		name string
		now  func() int
		want int
	}
	for _, step := range []struct {
		name   string
		change func() error
		pages  []shownPage
	}{
		{"a map is submitted", func() (err error) {
			entry, err = author.SubmitMap(ctx, submission(t, m, author.Player.Name))
			return err
		}, []shownPage{
			{"a search by name", func() int { return found(api.SearchMapsParams{Name: m.Name}) }, 1},
			{"a search by the author's name", func() int { return found(api.SearchMapsParams{Author: author.Player.Name}) }, 1},
			{"the author's maps", func() int { return found(api.SearchMapsParams{AuthorID: author.Player.ID}) }, 1},
			{"the author's profile", func() int {
				got, err := v.PlayerByID(ctx, author.Player.ID)
				return value(got.MapCount, err)
			}, 1},
			{"the author's records", func() int { return recordsOf(api.ListRecordsParams{Player: author.Player.ID}) }, 1},
			{"the author's record on their profile", func() int { return records(author.Player.ID) }, 1},
		}},
		{"somebody is faster", func() error {
			own, err := v.Records(ctx, api.ListRecordsParams{Player: author.Player.ID})
			if err != nil {
				return err
			}
			first = own.Data[0]
			if _, err := v.RecordByID(ctx, first.ID); err != nil {
				return err
			}
			_, err = player.SubmitRecord(ctx, site.RecordSubmission{Replay: replay(t, m, player.Player.Name, 38_000)})
			return err
		}, []shownPage{
			{"the leaderboard", func() int { return recordsOf(api.ListRecordsParams{Map: entry.ID}) }, 2},
			{"the map", func() int {
				got, err := v.MapByID(ctx, entry.ID)
				return value(got.RecordCount, err)
			}, 2},
			{"maps by their records", func() int {
				got, err := v.SearchMaps(ctx, api.SearchMapsParams{Name: m.Name, SortBy: "recordCount"})
				return value(got.Data[0].RecordCount, err)
			}, 2},
			{"the first one's rank", func() int {
				got, err := v.RecordByID(ctx, first.ID)
				return value(got.Rank, err)
			}, 2},
			{"the player's records", func() int { return recordsOf(api.ListRecordsParams{Player: player.Player.ID}) }, 1},
			{"the player's profile", func() int { return records(player.Player.ID) }, 1},
		}},
		{"the author has an avatar", func() error {
			_, err := author.UpdatePlayer(ctx, author.Player.ID, site.PlayerUpdate{SkinImage: picture()})
			return err
		}, []shownPage{{"the map, the leaderboard and the players", avatars, 3}}},
	} {
		for _, p := range step.pages {
			p.now() // it is kept from here on
		}
		if err := step.change(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for _, p := range step.pages {
			eventually.WaitFor(t, p.name+" when "+step.name, func() bool { return p.now() == p.want })
		}
	}
}
