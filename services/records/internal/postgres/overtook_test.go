package postgres_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/event"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
)

// Two replicas take 200 submissions on one map at once, in random order. The facts, in the order in which they are
// published, tell each loss of a place among the first ten and of the world record once.
func TestStore_Submit_tells_losses_once(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("m", racetime.Medals{})
	var players []record.Player
	for range 25 {
		players = append(players, w.newPlayer("p"))
	}
	random := rand.New(rand.NewPCG(5, 6))
	all := map[string]record.Record{}
	queue := make(chan record.Accepted, 200)
	for range cap(queue) {
		r := w.record(m, players[random.IntN(len(players))], 1000+33*random.IntN(90)) // with equal times
		all[r.ID] = r
		queue <- record.Accepted{Record: r, GameMapID: m.GameMapID, Replay: w.upload()}
	}
	close(queue)
	var wg sync.WaitGroup
	for i := range 16 {
		replica := []*records.Store{w.Store, records.NewStore(w.pool)}[i%2]
		wg.Go(func() {
			for accepted := range queue {
				if _, err := replica.Submit(t.Context(), accepted); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()

	model := newModel()
	model.maps[m.ID] = m
	told := 0
	for _, message := range outboxtest.All(t, w.pool) {
		if message.Subject != event.RecordSubmittedSubject {
			continue
		}
		fact := outboxtest.Data[event.RecordSubmitted](t, message)
		placement, err := model.submit(all[fact.RecordID])
		w.must(err)
		want := event.RecordSubmitted{
			RecordID: fact.RecordID, MapID: m.ID, PlayerID: all[fact.RecordID].PlayerID, At: all[fact.RecordID].CreatedAt,
			FinishTime: int64(all[fact.RecordID].FinishTime), PersonalBest: placement.PersonalBest,
			WorldRecord: placement.WorldRecord, Overtook: placement.Overtook, PreviousWorldRecord: placement.PreviousWorldRecord,
		}
		if placement.PersonalBest {
			want.Rank = placement.Rank
		}
		if diff := cmp.Diff(want, fact); diff != "" {
			t.Fatalf("fact (-want +got):\n%s", diff)
		}
		told++
	}
	if told != len(all) {
		t.Errorf("%d facts of %d submissions", told, len(all))
	}
	var want, got []string
	for _, row := range model.personalBests(m.ID) {
		want = append(want, row.ID)
	}
	page, err := w.Leaderboard(t.Context(), record.Leaderboard{MapID: m.ID, Page: record.Page{Limit: 100}})
	w.must(err)
	for _, row := range page.Records {
		got = append(got, row.ID)
	}
	if !slices.Equal(want, got) {
		t.Errorf("leaderboard %v, by the facts %v", got, want)
	}
}
