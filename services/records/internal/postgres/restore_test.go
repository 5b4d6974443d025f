package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/services/records/internal/record"
)

func TestStore_Restore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("Skyline Run", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	slow, fast := w.submitted(m, a, 1000), w.submitted(m, a, 900)
	second := w.submitted(m, b, 933)
	before, err := w.Details(t.Context(), fast.ID)
	w.must(err)
	w.remove(fast)
	w.remove(slow)
	w.restore(slow)
	w.wantLeaderboard(m, "1 b 933", "2 a 1000")
	w.restore(fast)
	w.wantLeaderboard(m, "1 a 900", "2 b 933")
	w.wantCounts(map[string]int64{m.ID: 3}, map[string]int64{a.ID: 2, b.ID: 1})
	w.wantStats(record.Stats{Maps: 1, Players: 2, Records: 3})
	after, err := w.Details(t.Context(), fast.ID)
	w.must(err)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the restored record (-before +after):\n%s", diff)
	}
	all := outboxtest.All(t, w.pool)
	want := event.RecordRestored{
		RecordID: fast.ID, MapID: m.ID, PlayerID: a.ID, FinishTime: 900, PersonalBest: true, Reason: "a mistake",
		FinishTimeStamp: fast.FinishTimeStamp, CreatedAt: fast.CreatedAt,
		Moved:       []event.MovedPlayer{{PlayerID: b.ID, RecordID: second.ID, FinishTime: 933, From: 1, To: 2}},
		WorldRecord: &event.WorldRecord{RecordID: second.ID, PlayerID: b.ID, FinishTime: 933, At: second.CreatedAt},
	}
	got := outboxtest.Data[event.RecordRestored](t, all[len(all)-1])
	if got.At.IsZero() {
		t.Error("the fact has no time")
	}
	got.At = time.Time{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	const auditSQL = `select count(*) from audit where action = 'restore record' and reason = 'a mistake'`
	if n := pgtest.Value[int](t, w.pool, auditSQL); n != 2 {
		t.Errorf("%d audit rows, want 2", n)
	}
}

func TestStore_Restore_refused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	active, purged := w.submitted(m, a, 900), w.submitted(m, a, 867)
	w.remove(purged)
	_, err := w.PurgeReplays(t.Context(), time.Now().Add(time.Hour), 10, func(hash string) string { return hash })
	w.must(err)
	events := len(outboxtest.All(t, w.pool))
	for id, want := range map[string]error{
		active.ID: record.ErrNotRemoved, purged.ID: record.ErrReplayPurged,
		newID(): record.ErrRecordUnknown,
	} {
		_, err := w.Restore(t.Context(), id, access.Attribution{Actor: access.Operator("root"), Reason: "a test"})
		if !errors.Is(err, want) {
			t.Errorf("returned %v, want %v", err, want)
		}
	}
	w.wantLeaderboard(m, "1 a 900")
	if n := len(outboxtest.All(t, w.pool)); n != events {
		t.Errorf("%d events were appended", n-events)
	}
}

// A record that was removed before its player was merged is restored as the other player's.
func TestStore_Restore_merged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a, b := w.newMap("m", racetime.Medals{}), w.newPlayer("a"), w.newPlayer("b")
	best := w.submitted(m, a, 900)
	w.submitted(m, b, 933)
	w.remove(best)
	w.merge(a, b)
	w.restore(best)
	w.wantLeaderboard(m, "1 b 900")
	w.wantCounts(map[string]int64{m.ID: 2}, map[string]int64{a.ID: 0, b.ID: 2})
}
