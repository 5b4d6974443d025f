package recordtest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"capzone.dev/game/racetime"
	"capzone.dev/services/records/internal/record"
)

// day is the day of the contract's runs.
var day = time.Date(2026, 5, 11, 0, 0, 0, 0, time.UTC)

// world makes maps, players and runs.
type world struct {
	t *testing.T
	Store
	made int
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func (w *world) newMap(name string, medals racetime.Medals) record.Map {
	w.t.Helper()
	w.made++
	m := record.Map{ID: newID(), Version: 1, Name: name, BonkDBID: int64(1000 + w.made), Fingerprint: "f00d", Medals: medals}
	w.must(w.TakeMap(w.t.Context(), m))
	return m
}

func (w *world) newPlayer(name string) record.Player {
	w.t.Helper()
	p := record.Player{ID: newID(), Version: 1, Name: name, SkinImageURL: "/media/skins/" + name + ".webp", SkinColor: "#8e24aa", Registered: true}
	w.must(w.TakePlayer(w.t.Context(), p))
	return p
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// run makes a run with a replay and a moment of its own.
func (w *world) run(m record.Map, p record.Player, time int) record.Run {
	w.made++
	return record.Run{
		ID: newID(), MapID: m.ID, PlayerID: p.ID, FinishTime: time,
		FinishTimeStamp: day.Add(duration(w.made)), ReplayHash: fmt.Sprintf("%064x", w.made), CreatedAt: day.Add(duration(w.made) * 2),
	}
}

func duration(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func (w *world) add(r record.Run) (record.Standing, error) {
	w.t.Helper()
	upload, err := w.Keep(w.t.Context(), r.ReplayHash, []byte(r.ReplayHash))
	w.must(err)
	return w.Add(w.t.Context(), record.Addition{Run: r, Replay: upload})
}

// submit adds a run of so many milliseconds.
func (w *world) submit(m record.Map, p record.Player, time int) record.Run {
	w.t.Helper()
	r := w.run(m, p, time)
	_, err := w.add(r)
	w.must(err)
	return r
}

func (w *world) remove(r record.Run) {
	w.t.Helper()
	_, err := w.Remove(w.t.Context(), r.ID, record.Attribution{Operator: "root", Reason: "a test"})
	w.must(err)
}

// board returns the whole leaderboard as "rank player time" lines.
func (w *world) board(m record.Map) []string {
	w.t.Helper()
	page, err := w.Leaderboard(w.t.Context(), record.Leaderboard{MapID: m.ID, Window: record.Window{Limit: 100}})
	w.must(err)
	if page.Total != int64(len(page.Entries)) {
		w.t.Errorf("the total is %d of %d rows", page.Total, len(page.Entries))
	}
	lines := []string{}
	for _, e := range page.Entries {
		lines = append(lines, fmt.Sprintf("%d %s %d", e.Rank, e.Player.Name, e.FinishTime))
	}
	return lines
}

func (w *world) wantBoard(m record.Map, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.board(m), cmpopts.EquateEmpty()); diff != "" {
		w.t.Errorf("leaderboard (-want +got):\n%s", diff)
	}
}

func (w *world) wantStats(want record.Stats) {
	w.t.Helper()
	got, err := w.Stats(w.t.Context())
	w.must(err)
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("totals of the site (-want +got):\n%s", diff)
	}
}

func (w *world) wantCounts(maps, players map[string]int64) {
	w.t.Helper()
	gotMaps, gotPlayers := w.Counts()
	if diff := cmp.Diff(maps, gotMaps); diff != "" {
		w.t.Errorf("totals of maps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(players, gotPlayers); diff != "" {
		w.t.Errorf("totals of players (-want +got):\n%s", diff)
	}
}
