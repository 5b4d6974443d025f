package postgres_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/services/records/internal/record"
)

func TestStore_Restore_refused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	active, purged := w.submitted(m, a, 900), w.submitted(m, a, 867)
	w.remove(purged)
	afterAppeals := time.Now().Add(record.ReplayKeptFor + time.Hour)
	_, err := w.PurgeReplays(t.Context(), afterAppeals, 10, func(hash string) string { return hash })
	w.must(err)
	events := len(outboxtest.All(t, w.pool))
	for id, want := range map[string]error{
		active.ID: record.ErrNotRemoved, purged.ID: record.ErrReplayPurged,
		newID(): record.ErrRecordUnknown,
	} {
		_, err := w.ModerateRecord(t.Context(), byRoot("a test"), access.RestoreRecord, id)
		if !errors.Is(err, want) {
			t.Errorf("returned %v, want %v", err, want)
		}
	}
	w.wantLeaderboard(m, "1 a 900")
	if n := len(outboxtest.All(t, w.pool)); n != events {
		t.Errorf("%d events were appended", n-events)
	}
}
