package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/s3test"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/lbreplay"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
)

func (b *bundle) awaitRecords(mapID, playerID string, ofMap, ofPlayer int64) {
	b.t.Helper()
	servicetest.AwaitState(b.Servers, event.MapStatsPrefix+mapID,
		func(s event.MapStats) bool { return s.MapID == mapID && s.Records == ofMap })
	servicetest.AwaitState(b.Servers, event.PlayerStatsPrefix+playerID,
		func(s event.PlayerStats) bool { return s.PlayerID == playerID && s.Records == ofPlayer })
}

// Copies follow the states of their owners, also where states are repeated or late, with two replicas.
func TestConsumers_copies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startReplica() // both take from the one consumer
	m, gone, ann := b.newMap("Skyline Run"), b.newMap("Garden"), b.newPlayer("Ann")
	b.submitted(ann, m, 41_267)
	rec := b.submitted(ann, gone, 41_267).Record
	renamed, removed := m.MapState, event.MapState{ID: gone.ID, Version: 2, Removed: true}
	renamed.Version, renamed.Name, renamed.Medals = 5, "Skyline", nil
	changed := ann
	changed.Version, changed.Name, changed.SkinImageURL = 3, "ANN", "/media/skins/a.webp"
	b.publish(renamed, changed, removed, m.MapState, ann, gone.MapState, renamed, changed, removed)
	row := b.leaderboard(m)[0]
	if row.Map.Name != "Skyline" || row.Medal != nil || row.Player.Name != "ANN" || row.Player.SkinImageUrl == nil {
		t.Errorf("row %+v", row)
	}
	b.awaitRecords(gone.ID, ann.ID, 0, 1)
	b.wantCodes(map[string]string{
		"/api/v1/records?map=" + gone.ID:               "map_gone",
		"/api/v1/records/" + rec.UnderscoreId:          "record_unknown",
		"/api/v1/download/replays/" + rec.UnderscoreId: "record_unknown",
	})
}

func TestConsumers_submit_the_first_record_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startReplica()
	m, ann := b.newMap("Skyline Run"), b.newPlayer("Ann")
	file := b.replay(m, "Ann", 41_267)
	fact := b.created(m, ann, file)
	// One message that comes several times, and the same fact in other messages.
	message := newID()
	for range 3 {
		require.NoError(t, b.PublishFact(t.Context(), message, fact))
		require.NoError(t, b.PublishFact(t.Context(), newID(), fact))
	}
	natstest.AwaitSettled(t, b.JetStream, event.RecordsMaps)
	rows := b.leaderboard(m)
	if len(rows) != 1 || rows[0].Player.UnderscoreId != ann.ID || rows[0].FinishTime != 41_267 ||
		b.count("select count(*) from records") != 1 {
		t.Fatalf("leaderboard %+v", rows)
	}
	if a := b.get("/api/v1/download/replays/" + rows[0].UnderscoreId); !bytes.Equal(a.Raw, file) {
		t.Errorf("the replay: %d, %d bytes", a.Status, len(a.Raw))
	}
}

// A dozen new maps at once leave connections of the smallest pool that is allowed for requests.
func TestConsumers_submit_with_the_smallest_pool(t *testing.T) {
	t.Parallel()
	const maps, connections = 12, 13
	b := prepare(t)
	b.cfg.DatabaseURL += fmt.Sprintf("&pool_max_conns=%d", connections)
	b.URL, b.OpsURL = b.startReplica()
	ann := b.newPlayer("Ann")
	for i := range maps {
		m := b.newMap(fmt.Sprintf("Skyline %d", i))
		require.NoError(t, b.PublishFact(t.Context(), newID(), b.created(m, ann, b.replay(m, "Ann", 41_267))))
	}
	eventually.WaitFor(t, "all first records", func() bool {
		if a := b.get("/api/v1/stats"); a.Status != http.StatusOK {
			t.Errorf("a read while maps are imported: %d %s", a.Status, a.Raw)
		}
		return b.count("select count(*) from records") == maps
	})
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
		MapID: m.ID, SubmittedByID: by.ID, ReplayBucket: store.Bucket(), ReplayKey: upload.Key,
		ReplayHash: objectstore.Hash(file), FinishTime: 41_267, FinishTimeStamp: rec.Timestamp,
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
