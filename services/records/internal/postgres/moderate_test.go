package postgres_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/records/internal/record"
)

func TestStore_Restore_refused(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, a := w.newMap("m", racetime.Medals{}), w.newPlayer("a")
	active, purged := w.submitted(m, a, 900), w.submitted(m, a, 867)
	w.remove(purged)
	afterAppeals := time.Now().Add(record.ReplayKeptFor + time.Hour)
	_, err := w.PurgeReplays(t.Context(), afterAppeals, 10)
	w.must(err)
	events := len(outboxtest.All(t, w.pool))
	for id, want := range map[string]error{
		active.ID: record.ErrNotRemoved, purged.ID: record.ErrReplayPurged,
		newID(): record.ErrRecordUnknown,
	} {
		_, err := w.ModerateRecord(t.Context(), moderation(access.RestoreRecord, id))
		if !errors.Is(err, want) {
			t.Errorf("returned %v, want %v", err, want)
		}
	}
	w.wantLeaderboard(m, "1 a 900")
	if n := len(outboxtest.All(t, w.pool)); n != events {
		t.Errorf("%d events were appended", n-events)
	}
}

// A submission that waits for the player's total sees that the player was hidden meanwhile.
func TestStore_Hide_while_submitting(t *testing.T) {
	t.Parallel()
	w := setup(t)
	m, p := w.newMap("m", racetime.Medals{}), w.newPlayer("p")
	w.submitted(m, p, 900)
	lock := w.locking(`lock table personal_bests in share mode`)
	w.whileWaiting(lock,
		func() error { return w.setHidden(p, true) },
		func() error {
			_, err := w.submit(w.record(m, p, 800))
			if !errors.Is(err, record.ErrPlayerHidden) {
				return fmt.Errorf("a submission: %w", err)
			}
			return nil
		})
	w.wantLeaderboard(m)
}

// A map that a merge gives to a player while the player becomes hidden is hidden, too.
func TestStore_Hide_while_merging(t *testing.T) {
	t.Parallel()
	w := setup(t)
	from, into := w.newPlayer("from"), w.newPlayer("into")
	own, other := w.newMap("own", racetime.Medals{}), w.newMap("other", racetime.Medals{})
	w.submitted(own, into, 800)
	w.submitted(other, from, 900)
	lock := w.locking(`lock table personal_bests in share mode`)
	w.whileWaiting(lock,
		func() error { return w.ApplyPlayer(t.Context(), tombstone(from, into)) },
		func() error { return w.setHidden(into, true) })
	w.wantLeaderboard(own)
	w.wantLeaderboard(other)
}

// The first record of a map of a hidden player counts where the player is shown meanwhile.
func TestStore_Show_while_submitting(t *testing.T) {
	t.Parallel()
	w := setup(t)
	p := w.newPlayer("a")
	w.submitted(w.newMap("first", racetime.Medals{}), p, 900)
	w.must(w.setHidden(p, true))
	m := w.newMap("new", racetime.Medals{})
	accepted := record.Accepted{Record: w.record(m, p, 700), GameMapID: m.GameMapID, Replay: w.upload(), First: true}
	lock := w.locking(`lock table outbox in share mode`)
	w.whileWaiting(lock,
		func() error { _, err := w.Submit(t.Context(), accepted); return err },
		func() error { return w.setHidden(p, false) })
	w.wantLeaderboard(m, "1 a 700")
	if fact := outboxtest.Last[event.RecordSubmitted](t, w.pool); fact.RecordID != accepted.Record.ID {
		t.Errorf("published %+v", fact)
	}
}

// A player who gets the first record on another map during each attempt is hidden later.
func TestStore_ModeratePlayer_busy(t *testing.T) {
	t.Parallel()
	w := setup(t)
	p := w.newPlayer("a")
	w.submitted(w.newMap("m", racetime.Medals{}), p, 900)
	pgtest.Exec(t, w.pool, `
		create function submit_elsewhere() returns trigger language plpgsql as $$
		begin
			insert into records (id, map_id, player_id, finish_time, finished_at, replay_hash, created_at, checks_hash,
				map_data_hash)
			values (gen_random_uuid(), gen_random_uuid(), new.player_id, 900, now(), gen_random_uuid(), now(), '', '');
			return new;
		end
		$$`)
	pgtest.Exec(t, w.pool, `
		create trigger busy before update on player_totals for each row execute function submit_elsewhere()`)
	if err := w.setHidden(p, true); !errors.Is(err, record.ErrPlayerBusy) || problem.IsPermanent(err) {
		t.Errorf("returned %v, want %v", err, record.ErrPlayerBusy)
	}
	pgtest.Exec(t, w.pool, "drop trigger busy on player_totals")
	w.must(w.setHidden(p, true))
}
