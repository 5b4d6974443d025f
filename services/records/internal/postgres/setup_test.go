package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/outboxtest"
	"capzone.dev/devstack/pgtest"
	"capzone.dev/devstack/require"
	"capzone.dev/game/racetime"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
	"capzone.dev/platform/storedfile"
	"capzone.dev/services/records/internal/leaderboard"
	records "capzone.dev/services/records/internal/postgres"
	"capzone.dev/services/records/internal/record"
	"capzone.dev/services/records/migrations"
)

// day is the day of the records.
var day = time.Date(2026, 5, 11, 0, 0, 0, 0, time.UTC)

// world makes maps, players and records.
type world struct {
	*records.Store
	t    *testing.T
	pool *postgres.Pool
	made int
}

// setup returns a migrated database of the test's own.
func setup(t *testing.T) *world {
	t.Helper()
	pool := pgtest.Open(t, "records", migrations.FS)
	return &world{Store: records.NewStore(pool), t: t, pool: pool}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// moderation returns a change by an operator of the record or the player with the id.
func moderation(action access.Action, id string) record.Moderation {
	return record.Moderation{
		Action: action, RecordID: id, PlayerID: id, At: day,
		By: access.Attribution{Actor: access.Operator("root"), Reason: "a test"},
	}
}

// byPlayer attributes a change to the player with the id.
func byPlayer(id string) access.Attribution {
	return access.Attribution{Actor: access.Player(id, "", nil)}
}

func (w *world) newMap(name string, medals racetime.Medals) record.Map {
	w.t.Helper()
	w.made++
	m := record.Map{
		ID: newID(), Version: 1, Name: name, Mode: "Classic", GameMapID: int64(1000 + w.made), Fingerprint: "f00d",
		Medals: medals,
	}
	w.must(w.ApplyMap(w.t.Context(), m))
	return m
}

func (w *world) newPlayer(name string) record.Player {
	w.t.Helper()
	p := record.Player{
		ID: newID(), Version: 1, Name: name,
		SkinImageURL: "/media/skins/" + name + ".webp", SkinColor: "#8e24aa", Registered: true,
	}
	w.must(w.ApplyPlayer(w.t.Context(), p))
	return p
}

func (w *world) must(err error) {
	w.t.Helper()
	require.NoError(w.t, err)
}

// record makes a record with a replay and a time stamp of its own.
func (w *world) record(m record.Map, p record.Player, time int) record.Record {
	w.made++
	return record.Record{
		ID: newID(), MapID: m.ID, PlayerID: p.ID, FinishTime: time, FinishTimeStamp: day.Add(duration(w.made)),
		ReplayHash: fmt.Sprintf("%064x", w.made), CreatedAt: day.Add(duration(w.made) * 2),
	}
}

// upload is an upload that can be claimed once.
func (w *world) upload() storedfile.Upload {
	w.t.Helper()
	return pgtest.PendingUpload(w.t, w.pool, "replays/any.lbReplay")
}

func duration(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func (w *world) submit(r record.Record) (record.Placement, error) {
	m, err := w.Map(w.t.Context(), r.MapID)
	if err != nil && !errors.Is(err, record.ErrMapUnknown) {
		w.t.Fatal(err)
	}
	return w.Submit(w.t.Context(), record.Accepted{
		Record: r, GameMapID: m.GameMapID, Medal: racetime.Silver, Replay: w.upload(),
	})
}

// submitted submits a record of so many milliseconds.
func (w *world) submitted(m record.Map, p record.Player, time int) record.Record {
	w.t.Helper()
	r := w.record(m, p, time)
	_, err := w.submit(r)
	w.must(err)
	return r
}

// get returns a record as it is shown.
func (w *world) get(id string) (record.RankedRecord, error) {
	details, err := w.Details(w.t.Context(), id)
	r := details.RankedRecord
	r.Map.MapVersion, r.Map.Superseded, r.Map.Picture = 0, false, record.StoredFile{} // which lists do not have
	return r, err
}

func (w *world) remove(r record.Record) {
	w.t.Helper()
	_, err := w.ModerateRecord(w.t.Context(), moderation(access.RemoveRecord, r.ID))
	w.must(err)
}

func (w *world) restore(r record.Record) {
	w.t.Helper()
	_, err := w.ModerateRecord(w.t.Context(), moderation(access.RestoreRecord, r.ID))
	w.must(err)
}

// setHidden hides or shows the records of a player.
func (w *world) setHidden(p record.Player, hidden bool) error {
	action := access.ShowPlayer
	if hidden {
		action = access.HidePlayer
	}
	return w.ModeratePlayer(w.t.Context(), moderation(action, p.ID))
}

// waiting returns how many transactions wait for another one.
func (w *world) waiting() int {
	w.t.Helper()
	return pgtest.Waiting(w.t, w.pool)
}

// leaderboard returns the whole leaderboard as "rank player time" lines.
func (w *world) leaderboard(m record.Map) []string {
	w.t.Helper()
	page, err := w.Leaderboard(w.t.Context(), leaderboard.Leaderboard{MapID: m.ID, Page: leaderboard.Page{Limit: 100}})
	w.must(err)
	if page.Total != int64(len(page.Records)) {
		w.t.Errorf("the total is %d of %d rows", page.Total, len(page.Records))
	}
	lines := []string{}
	for _, e := range page.Records {
		lines = append(lines, fmt.Sprintf("%d %s %d", e.Rank, e.Player.Name, e.FinishTime))
	}
	return lines
}

func (w *world) wantLeaderboard(m record.Map, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.leaderboard(m), cmpopts.EquateEmpty()); diff != "" {
		w.t.Errorf("leaderboard (-want +got):\n%s", diff)
	}
}

func (w *world) wantStats(want leaderboard.Stats) {
	w.t.Helper()
	got, err := w.Stats(w.t.Context())
	w.must(err)
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("totals of the site (-want +got):\n%s", diff)
	}
}

// counts returns the totals in the last states of the outbox, in which versions rise by one.
func (w *world) counts() (maps, players map[string]int64) {
	w.t.Helper()
	maps, players = map[string]int64{}, map[string]int64{}
	versions := map[string]int64{}
	for _, m := range outboxtest.All(w.t, w.pool) {
		version := m.Envelope.Version
		if version == 0 {
			continue // a fact
		}
		if version != versions[m.Subject]+1 {
			w.t.Errorf("on %s version %d comes after %d", m.Subject, version, versions[m.Subject])
		}
		versions[m.Subject] = version
		if strings.HasPrefix(m.Subject, event.MapStatsPrefix) {
			state := outboxtest.Data[event.MapStats](w.t, m)
			maps[state.MapID] = state.Records
		} else {
			state := outboxtest.Data[event.PlayerStats](w.t, m)
			players[state.PlayerID] = state.Records
		}
	}
	return maps, players
}

func (w *world) wantCounts(maps, players map[string]int64) {
	w.t.Helper()
	gotMaps, gotPlayers := w.counts()
	if diff := cmp.Diff(maps, gotMaps); diff != "" {
		w.t.Errorf("totals of maps (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(players, gotPlayers); diff != "" {
		w.t.Errorf("totals of players (-want +got):\n%s", diff)
	}
}

// whileWaiting calls first while a transaction holds a lock that it needs, and second as soon as first waits. It
// releases the lock when both wait.
func (w *world) whileWaiting(lock pgx.Tx, first, second func() error) {
	w.t.Helper()
	var both sync.WaitGroup
	both.Go(func() {
		if err := first(); err != nil {
			w.t.Errorf("the first: %v", err)
		}
	})
	eventually.WaitFor(w.t, "the first waits", func() bool { return w.waiting() == 1 })
	both.Go(func() {
		if err := second(); err != nil {
			w.t.Errorf("the second: %v", err)
		}
	})
	eventually.WaitFor(w.t, "both wait", func() bool { return w.waiting() == 2 })
	w.must(lock.Rollback(w.t.Context()))
	both.Wait()
}
