package app_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/services/records/internal/recordtest"
)

func (b *bundle) awaitRecords(mapID, playerID string, ofMap, ofPlayer int64) {
	b.t.Helper()
	servicetest.AwaitState(b.Servers, event.MapStatsPrefix+mapID,
		func(s event.MapStats) bool { return s.MapID == mapID && s.Records == ofMap })
	servicetest.AwaitState(b.Servers, event.PlayerStatsPrefix+playerID,
		func(s event.PlayerStats) bool { return s.PlayerID == playerID && s.Records == ofPlayer })
}

func (b *bundle) stats() map[string]int64 {
	b.t.Helper()
	return servicetest.Data[map[string]int64](b.t, b.get("/api/v1/stats"))
}

func TestService_publishes_totals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, n, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	b.submitted(ann, m, 50_000)
	b.submitted(ann, m, 60_000)
	b.submitted(ann, n, 50_000)
	b.awaitRecords(m.ID, ann.ID, 2, 3)
	b.awaitRecords(n.ID, ann.ID, 1, 3)
}

func TestService_publishes_each_record_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	first, slower := b.submitted(ann, m, 50_000), b.submitted(ann, m, 60_000)
	b.awaitRecords(m.ID, ann.ID, 2, 2)
	stream, err := b.JetStream.Stream(t.Context(), event.FactsStream.Name)
	require.NoError(t, err)
	var published []event.RecordSubmitted
	eventually.WaitFor(t, "two facts", func() bool {
		info, err := stream.Info(t.Context())
		require.NoError(t, err)
		return info.State.Msgs == 2
	})
	for sequence := range uint64(2) {
		msg, err := stream.GetMsg(t.Context(), sequence+1)
		require.NoError(t, err)
		var envelope event.Envelope
		require.NoError(t, json.Unmarshal(msg.Data, &envelope))
		fact, err := event.Decode[event.RecordSubmitted](envelope)
		require.NoError(t, err)
		fact.At, fact.FinishTimeStamp = time.Time{}, time.Time{}
		published = append(published, fact)
	}
	want := []event.RecordSubmitted{
		{
			RecordID: first.Record.ID, MapID: m.ID, PlayerID: ann.ID, FinishTime: 50_000,
			PersonalBest: true, WorldRecord: true, Mode: "Classic", Rank: 1,
		},
		{RecordID: slower.Record.ID, MapID: m.ID, PlayerID: ann.ID, FinishTime: 60_000, Mode: "Classic"},
	}
	if diff := cmp.Diff(want, published); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

func TestAPI_submit_after_a_ban(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	b.submitted(ann, m, 50_000)
	ann.Version, ann.Banned = 2, true
	require.NoError(t, b.Publish(t.Context(), ann))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	if a := b.submit(ann, b.replay(m, "Ann", 45_000)); a.Status != http.StatusForbidden || a.Code != "player_banned" {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
}

func TestConsumers_repeated_and_out_of_order(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startReplica() // both take from the one consumer
	m, gone, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	b.submitted(ann, m, 41_267)
	b.submitted(ann, gone, 41_267)
	rec := b.leaderboard(gone)[0]

	renamed := m.MapState
	renamed.Version, renamed.Name, renamed.Medals = 5, "Skyline", nil
	older := m.MapState
	older.Version = 4
	ann.Version, ann.Name, ann.SkinImageURL = 3, "ANN", "/media/skins/a.webp"
	olderAnn := ann
	olderAnn.Version, olderAnn.Name = 2, "an"
	var group errgroup.Group
	for range 3 { // everything several times and in any order
		for _, s := range []event.State{
			renamed, older, ann, olderAnn, m.MapState,
			event.MapState{ID: gone.ID, Version: 2, Removed: true}, gone.MapState,
		} {
			group.Go(func() error { return b.Publish(t.Context(), s) })
		}
	}
	require.NoError(t, group.Wait())
	// Whatever came last is on the stream; what is right follows.
	for _, s := range []event.State{renamed, ann, event.MapState{ID: gone.ID, Version: 2, Removed: true}} {
		require.NoError(t, b.Publish(t.Context(), s))
	}
	eventually.WaitFor(t, "the new names", func() bool {
		rows := b.leaderboard(m)
		return rows[0].Map.Name == "Skyline" && rows[0].Medal == nil && rows[0].Player.Name == "ANN" &&
			rows[0].Player.SkinImageURL != nil
	})
	eventually.WaitFor(t, "the map to go", func() bool {
		return b.get("/api/v1/records?map="+gone.ID).Code == "map_gone"
	})
	b.awaitRecords(gone.ID, ann.ID, 0, 1)
	for _, path := range []string{"/records/" + rec.ID, "/download/replays/" + rec.ID} {
		if a := b.get("/api/v1" + path); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.Status)
		}
	}
	if a := b.get("/api/v1/records"); a.Pagination["total"] != 1 || len(servicetest.Data[[]wireRecord](t, a)) != 1 {
		t.Errorf("listed %s", a.Raw)
	}
	if diff := cmp.Diff(map[string]int64{"totalMaps": 1, "totalPlayers": 1, "totalRecords": 1}, b.stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	if a := b.submit(ann, b.replay(gone, "Ann", 40_000)); a.Status != http.StatusNotFound || a.Code != "map_unknown" &&
		a.Code != "map_gone" {
		t.Errorf("a record on it: %d %s", a.Status, a.Raw)
	}
}

func TestConsumers_import_the_first_record_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startReplica()
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	file := b.replay(m, "Ann", 41_267)
	fact := b.created(m, ann, file)
	fact.MapID = m.ID
	// One message that comes several times, and the same fact in other messages.
	message := newID()
	for range 3 {
		require.NoError(t, b.PublishFact(t.Context(), message, fact))
		require.NoError(t, b.PublishFact(t.Context(), newID(), fact))
	}
	eventually.WaitFor(t, "the record", func() bool { return len(b.leaderboard(m)) == 1 })
	b.awaitRecords(m.ID, ann.ID, 1, 1)
	rec := b.leaderboard(m)[0]
	if rec.Player.ID != ann.ID || rec.FinishTime != 41_267 || !rec.FinishTimeStamp.Equal(fact.FinishTimeStamp) {
		t.Errorf("record %+v", rec)
	}
	if a := b.get("/api/v1/download/replays/" + rec.ID); !bytes.Equal(a.Raw, file) {
		t.Errorf("the replay: %d, %d bytes", a.Status, len(a.Raw))
	}
	natstest.AwaitSettled(t, b.JetStream, event.RecordsMaps)
	if got := b.count("select count(*) from records"); got != 1 {
		t.Errorf("there are %d records", got)
	}
	if a := b.submit(ann, file); a.Code != "replay_exists" {
		t.Errorf("submitted again: %d %s", a.Status, a.Raw)
	}
}

func TestConsumers_import_of_a_refused_record(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	other := b.created(m, ann, b.replay(m, "Ann", 41_267))
	other.ReplayHash = objectstore.Hash([]byte("another file"))
	require.NoError(t, b.PublishFact(t.Context(), newID(), other))
	require.NoError(t, b.PublishFact(t.Context(), newID(), event.MapCreated{MapID: "m1", SubmittedByID: ann.ID}))
	natstest.AwaitSettled(t, b.JetStream, event.RecordsMaps)
	if got := b.count("select count(*) from records"); got != 0 {
		t.Errorf("there are %d records", got)
	}
}

// created stores a replay as the maps service does, and returns the fact that it would publish.
func (b *bundle) created(m drawnMap, by event.PlayerState, file []byte) event.MapCreated {
	b.t.Helper()
	store := s3test.Open(b.t)
	upload, err := objectstore.NewUploads(store, b.Pool).Put(b.t.Context(), objectstore.Key("replays", file, ".lbReplay"),
		"text/plain", file)
	require.NoError(b.t, err)
	rec, err := lbreplay.Parse(file, time.Now())
	require.NoError(b.t, err)
	return event.MapCreated{
		MapID:           m.ID,
		SubmittedByID:   by.ID,
		ReplayBucket:    store.Bucket(),
		ReplayKey:       upload.Key,
		ReplayHash:      objectstore.Hash(file),
		FinishTime:      41_267,
		FinishTimeStamp: rec.Timestamp,
	}
}

func TestService_NATS_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	b.submitted(ann, m, 50_000)
	b.awaitRecords(m.ID, ann.ID, 1, 1)
	unseen := b.newMap("Unseen")

	b.NATSServer.Stop()
	if got := b.submitted(ann, m, 45_000); got.Rank != 1 || !got.PersonalBest {
		t.Errorf("without NATS: %+v", got)
	}
	if rows := b.leaderboard(m); len(rows) != 1 || rows[0].FinishTime != 45_000 {
		t.Errorf("leaderboard without NATS: %+v", rows)
	}
	if a := b.submit(ann, b.replay(unseen, "Ann", 45_000)); a.Status != http.StatusServiceUnavailable ||
		a.Header.Get("Retry-After") == "" {
		t.Errorf("on a map that is not known here: %d %s", a.Status, a.Raw)
	}
	b.NATSServer.Restart()
	b.awaitRecords(m.ID, ann.ID, 2, 2)
}

func TestCommands_rebuild_and_republish(t *testing.T) {
	b := setup(t)
	m, gone, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	rec := b.submitted(ann, m, 41_267)
	b.submitted(ann, gone, 41_267)
	for _, s := range []event.State{m.MapState, ann, event.MapState{ID: gone.ID, Version: 2, Removed: true}} {
		require.NoError(t, b.Publish(t.Context(), s))
	}
	b.awaitRecords(gone.ID, ann.ID, 0, 1)
	natstest.AwaitSettled(t, b.JetStream, event.RecordsCopies)
	before := b.get("/api/v1/records").Raw
	stats := b.stats()
	// From here on the owners do not know them: the copies come from the stream alone.
	b.owners.mu.Lock()
	b.owners.maps, b.owners.players = nil, nil
	b.owners.mu.Unlock()

	for _, lost := range []string{"maps", "players", "maps, players"} {
		t.Run("rebuild without "+lost, func(t *testing.T) {
			_, err := b.Pool.Exec(t.Context(), "truncate "+lost)
			require.NoError(t, err)
			if a := b.get("/api/v1/records/" + rec.Record.ID); !strings.Contains(string(a.Raw), "Unknown") {
				t.Errorf("the copies still exist: %s", a.Raw)
			}
			for range 2 {
				if out, err := b.command("rebuild"); err != nil || out != "Rebuilt from 3 states.\n" {
					t.Errorf("printed %q, %v", out, err)
				}
			}
			if diff := cmp.Diff(string(before), string(b.get("/api/v1/records").Raw)); diff != "" {
				t.Errorf("list (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(stats, b.stats()); diff != "" {
				t.Errorf("stats (-before +after):\n%s", diff)
			}
		})
	}
	t.Run("republish after the stream was lost", func(t *testing.T) {
		stream, err := b.JetStream.Stream(t.Context(), event.StateStream.Name)
		require.NoError(t, err)
		require.NoError(t, stream.Purge(t.Context()))
		if out, err := b.command("republish"); err != nil || !strings.HasPrefix(out, "3 totals") {
			t.Errorf("printed %q, %v", out, err)
		}
		b.awaitRecords(m.ID, ann.ID, 1, 1)
		b.awaitRecords(gone.ID, ann.ID, 0, 1)
	})
}

// A read right after a map was made works, although no event has come.
func TestAPI_submit_before_the_event_of_the_map(t *testing.T) {
	t.Parallel()
	b := setup(t)
	m := b.newMap("Fresh")
	if a := b.get("/api/v1/records?map=" + m.ID); a.Status != http.StatusOK || a.Pagination["total"] != 0 {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
	newcomer := b.newPlayer("New")
	if a := b.submit(newcomer, recordtest.File(t,
		recordtest.Replay(m.drawing, "New", 900, time.Now()))); a.Status != http.StatusCreated {
		t.Errorf("%d %s", a.Status, a.Raw)
	}
}
