package e2e_test

import (
	"sync"
	"testing"
	"time"

	"capzone.dev/e2e/site"
	"capzone.dev/platform/await"
)

// shown returns the ids of the runs on the first page of a leaderboard, as a
// gateway shows it.
func shown(t *testing.T, v *site.Visitor, mapID string) map[string]bool {
	t.Helper()
	board, err := v.Leaderboard(t.Context(), mapID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, r := range board.Data {
		ids[r.ID] = true
	}
	return ids
}

// Two gateways, each before a replica of its own of the records service, on one
// database: who writes at one sees it there at once, and soon at the other.
func TestARunIsSeenAtEveryGateway(t *testing.T) {
	t.Parallel()
	needOperator(t)
	address, stop, err := local.Beside(t.Context(), []string{"records"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	near, far := anybody(), site.New(address).Visitor()
	m, entry, author := submitted(t)
	runners := []*site.Visitor{author, somebody(t), somebody(t), somebody(t)}
	reading, done := make(chan struct{}), make(chan struct{})
	var readers sync.WaitGroup
	for _, gateway := range []*site.Visitor{near, far} {
		readers.Go(func() { // each player's best only gets better
			total := 0
			for first := true; ; first = false {
				board, err := gateway.Leaderboard(t.Context(), entry.ID, 0, 10)
				if err != nil || board.Pagination.Total < total {
					t.Errorf("a leaderboard of %d players came to have %d (%v)", total, board.Pagination.Total, err)
					return
				}
				total = board.Pagination.Total
				if first {
					reading <- struct{}{}
				}
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
	<-reading
	<-reading
	var slowest time.Duration
	for round := range 3 {
		for _, runner := range runners {
			outcome := finished(t, runner, m, 39_000-1000*round)
			if !shown(t, near, entry.ID)[outcome.Record.ID] {
				t.Fatalf("round %d: the leaderboard of its own gateway lacks the run", round)
			}
			got, err := near.RecordByID(t.Context(), outcome.Record.ID)
			if err != nil || got.ID != outcome.Record.ID {
				t.Fatalf("round %d: %v", round, err)
			}
			committed := time.Now()
			await.That(t, "the run at the other gateway", func() bool { return shown(t, far, entry.ID)[outcome.Record.ID] })
			slowest = max(slowest, time.Since(committed))
		}
	}
	close(done)
	readers.Wait()
	// In a calm moment these are milliseconds; a second is promised to whoever looks.
	t.Logf("the other gateway showed the slowest run after %s", slowest)
	if slowest > 5*time.Second {
		t.Errorf("the other gateway showed a run only after %s", slowest)
	}
}

// A page that an operator changed is seen without waiting for its time to pass.
func TestAnOperatorsCommandIsSeen(t *testing.T) {
	t.Parallel()
	needOperator(t)
	runner := somebody(t)
	player := func() site.Player {
		p, err := anybody().PlayerByID(t.Context(), runner.Player.ID)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if roles := player().Roles; len(roles) != 0 {
		t.Fatalf("a new player has the roles %v", roles)
	}
	operate(t, "players", "grant", runner.Player.Name, "cartographer")
	began := time.Now()
	await.That(t, "the role on the profile", func() bool { return len(player().Roles) == 1 })
	if late := time.Since(began); late > 5*time.Second {
		t.Errorf("the role was seen after %s", late)
	}
}
