package postgres_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
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
	submissions := w.randomSubmissions(m, w.newPlayers(25), 200)
	w.onTwoReplicas(len(submissions), func(i int, replica *records.Store) {
		if _, err := replica.Submit(t.Context(), submissions[i]); err != nil {
			t.Error(err)
		}
	})
	told := w.replayFacts(m, submissions)
	if told.submitted != len(submissions) {
		t.Errorf("%d facts of %d submissions", told.submitted, len(submissions))
	}
}

// While two replicas take submissions, moderators remove and restore records of the map and hide and show players. The
// facts tell whatever that gives back and takes away once, too.
func TestStore_tells_losses_once_while_moderated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := w.newMap("m", racetime.Medals{})
	players := w.newPlayers(25)
	submissions := w.randomSubmissions(m, players, 200)
	by := access.Attribution{Actor: access.Operator("root"), Reason: "a test"}
	w.onTwoReplicas(2*len(submissions), func(i int, replica *records.Store) {
		var err error
		earlier := submissions[i/16*2].Record.ID // which may be under way
		switch player := players[i%5].ID; {
		case i%2 == 0:
			_, err = replica.Submit(t.Context(), submissions[i/2])
		case i%40 == 13:
			err = replica.Hide(t.Context(), player, by)
		case i%40 == 33:
			err = replica.Show(t.Context(), player, by)
		case i%16 < 11:
			_, err = replica.Remove(t.Context(), earlier, by)
		default:
			_, err = replica.Restore(t.Context(), earlier, by)
		}
		for _, expected := range []error{record.ErrRecordUnknown, record.ErrAlreadyRemoved, record.ErrNotRemoved,
			record.ErrPlayerHidden, record.ErrAlreadyHidden, record.ErrNotHidden} {
			if errors.Is(err, expected) {
				err = nil
			}
		}
		if err != nil {
			t.Error(err)
		}
	})
	told := w.replayFacts(m, submissions)
	if told.submitted < 100 || told.removed == 0 || told.restored == 0 || told.hidden == 0 {
		t.Errorf("too few facts: %+v", told)
	}
}

func (w *world) newPlayers(n int) (players []record.Player) {
	w.t.Helper()
	for range n {
		players = append(players, w.newPlayer("p"))
	}
	return players
}

// randomSubmissions makes records of random players, of which many have equal times.
func (w *world) randomSubmissions(m record.Map, players []record.Player, n int) (submissions []record.Accepted) {
	w.t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	for range n {
		r := w.record(m, players[random.IntN(len(players))], 1000+33*random.IntN(90))
		submissions = append(submissions, record.Accepted{
			Record: r, GameMapID: m.GameMapID, Mode: m.Mode, Replay: w.upload(),
		})
	}
	random.Shuffle(n, func(i, j int) { submissions[i], submissions[j] = submissions[j], submissions[i] })
	return submissions
}

// onTwoReplicas calls do with the numbers from 0, eight at once on each of two stores.
func (w *world) onTwoReplicas(calls int, do func(i int, replica *records.Store)) {
	w.t.Helper()
	queue := make(chan int, calls)
	for i := range calls {
		queue <- i
	}
	close(queue)
	var wg sync.WaitGroup
	for worker := range 16 {
		replica := []*records.Store{w.Store, records.NewStore(w.pool)}[worker%2]
		wg.Go(func() {
			for i := range queue {
				do(i, replica)
			}
		})
	}
	wg.Wait()
}

// told counts facts.
type told struct{ submitted, removed, restored, hidden int }

// replayFacts repeats what the facts in the outbox say, one after the other, in a naive model. Each fact says what has
// changed there, and in the end the leaderboard and its world records are the model's.
func (w *world) replayFacts(m record.Map, submissions []record.Accepted) (count told) {
	w.t.Helper()
	model := newModel()
	model.maps[m.ID] = m
	all := map[string]record.Record{}
	for _, submission := range submissions {
		all[submission.Record.ID] = submission.Record
	}
	for _, message := range outboxtest.All(w.t, w.pool) {
		before, worldRecord := model.personalBests(m.ID), model.worldRecord(m.ID)
		allBefore := model.currentWorldRecords()
		var want, got event.Fact
		switch message.Subject {
		case event.RecordSubmittedSubject:
			fact := outboxtest.Data[event.RecordSubmitted](w.t, message)
			got, want = fact, model.submitted(w.t, all[fact.RecordID])
			count.submitted++
		case event.RecordRemovedSubject:
			fact := outboxtest.Data[event.RecordRemoved](w.t, message)
			w.must(model.remove(fact.RecordID))
			expected := changeOf(all[fact.RecordID], before, model.personalBests(m.ID))
			if now := model.worldRecord(m.ID); now != nil && now.RecordID != worldRecord.RecordID {
				expected.WorldRecord = now
			}
			got, want = fact, expected
			count.removed++
		case event.RecordRestoredSubject:
			fact := outboxtest.Data[event.RecordRestored](w.t, message)
			w.must(model.restore(fact.RecordID))
			after := model.personalBests(m.ID)
			expected := changeOf(all[fact.RecordID], after, before)
			expected.Moved = moved(before, after, all[fact.RecordID].PlayerID)
			if now := model.worldRecord(m.ID); worldRecord != nil && now.RecordID != worldRecord.RecordID {
				expected.WorldRecord = worldRecord
			}
			got, want = fact, event.RecordRestored(expected)
			count.restored++
		case event.RecordsHiddenSubject:
			fact := outboxtest.Data[event.RecordsHidden](w.t, message)
			w.must(model.hide(fact.PlayerID, true))
			got, want = fact, event.RecordsHidden{
				PlayerID: fact.PlayerID, Reason: "a test", WorldRecords: without(model.currentWorldRecords(), allBefore),
			}
			count.hidden++
		case event.RecordsShownSubject:
			fact := outboxtest.Data[event.RecordsShown](w.t, message)
			w.must(model.hide(fact.PlayerID, false))
			got, want = fact, event.RecordsShown{
				PlayerID: fact.PlayerID, Reason: "a test", WorldRecords: without(allBefore, model.currentWorldRecords()),
			}
		default:
			continue
		}
		times := cmp.Options{
			cmpopts.IgnoreFields(event.RecordRemoved{}, "At"), cmpopts.IgnoreFields(event.RecordRestored{}, "At"),
			cmpopts.IgnoreFields(event.RecordsHidden{}, "At"), cmpopts.IgnoreFields(event.RecordsShown{}, "At"),
		}
		if diff := cmp.Diff(want, got, times); diff != "" {
			w.t.Fatalf("fact on %s (-want +got):\n%s", message.Subject, diff)
		}
	}
	w.compareLeaderboard(model, m)
	return count
}

// submitted submits a record to the model, and returns its fact.
func (m *model) submitted(t *testing.T, r record.Record) event.RecordSubmitted {
	t.Helper()
	placement, err := m.submit(r)
	if err != nil {
		t.Fatal(err)
	}
	fact := event.RecordSubmitted{
		RecordID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime), Mode: m.maps[r.MapID].Mode,
		FinishTimeStamp: r.FinishTimeStamp,
		PersonalBest:    placement.PersonalBest, WorldRecord: placement.WorldRecord, Overtook: placement.Overtook,
		PreviousWorldRecord: placement.PreviousWorldRecord, At: r.CreatedAt,
	}
	if placement.PersonalBest {
		fact.Rank = placement.Rank
	}
	return fact
}

// changeOf returns the fact of a removal without its world record.
func changeOf(r record.Record, with, without []record.Record) event.RecordRemoved {
	return event.RecordRemoved{
		RecordID: r.ID, MapID: r.MapID, PlayerID: r.PlayerID, FinishTime: int64(r.FinishTime), Reason: "a test",
		FinishTimeStamp: r.FinishTimeStamp, CreatedAt: r.CreatedAt,
		PersonalBest: slices.ContainsFunc(with, func(row record.Record) bool { return row.ID == r.ID }),
		Moved:        moved(with, without, r.PlayerID),
	}
}

// without returns the world records that are not among the others.
func without(worldRecords, others []event.MapWorldRecord) (rest []event.MapWorldRecord) {
	for _, worldRecord := range worldRecords {
		if !slices.Contains(others, worldRecord) {
			rest = append(rest, worldRecord)
		}
	}
	return rest
}

// compareLeaderboard compares a leaderboard and its world records with the model's.
func (w *world) compareLeaderboard(model *model, m record.Map) {
	w.t.Helper()
	page, err := w.Leaderboard(w.t.Context(), record.Leaderboard{MapID: m.ID, Page: record.Page{Limit: 100}})
	w.must(err)
	var want, got []string
	for _, row := range model.personalBests(m.ID) {
		want = append(want, row.ID)
	}
	for _, row := range page.Records {
		got = append(got, row.ID)
	}
	worldRecords, err := w.WorldRecords(w.t.Context(), m.ID)
	w.must(err)
	for _, worldRecord := range model.worldRecords(m.ID) {
		want = append(want, worldRecord.ID)
	}
	for _, worldRecord := range worldRecords {
		got = append(got, worldRecord.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("leaderboard and world records (-want by the facts, +got):\n%s", diff)
	}
}
