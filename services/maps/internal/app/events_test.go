package app_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/postgres"
)

func TestServer_getMap(t *testing.T) {
	b := setup(t)
	m := b.submitted(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep"))
	published := b.awaitState(m.UnderscoreId, func(event.MapState) bool { return true })
	check := func(what string, want event.MapState) {
		t.Helper()
		for _, req := range []event.GetMap{{ID: want.ID}, {GameMapID: 1000}} {
			got, err := eventbus.Call[event.MapState](t.Context(), b.NATS, event.GetMapSubject, req)
			require.NoError(t, err)
			assert.Equal(t, what, want, got)
		}
	}
	check("the map", published)
	for _, req := range []event.GetMap{{ID: uuid.NewString()}, {ID: "x"}, {GameMapID: 1001}, {}} {
		_, err := eventbus.Call[event.MapState](t.Context(), b.NATS, event.GetMapSubject, req)
		if problem.From(err).Code != "map_unknown" {
			t.Errorf("asked for %+v: %v", req, err)
		}
	}
	b.operator("remove", m.UnderscoreId, "stolen")
	check("the removed map", event.MapState{ID: m.UnderscoreId, Version: 2, Removed: true})
}

// Without storage no map is created, and the sweeper removes the pending uploads.
func TestAPI_submit_storage_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	storage, err := url.Parse(b.cfg.Endpoint)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(storage)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	b.cfg.Endpoint = front.URL
	b.URL, _ = b.startReplica()
	a := b.submit(b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep"))
	if a.Status != http.StatusServiceUnavailable || a.Code != "storage_unavailable" {
		t.Errorf("got %d %s", a.Status, a.Raw)
	}
	sweeper := objectstore.NewSweeper(b.Files, b.Pool, postgres.NewStore(b.Pool).IsReferenced)
	_, err = sweeper.Sweep(t.Context(), 0)
	require.NoError(t, err)
	assert.Equal(t, "rows left behind",
		map[string]int{"maps": 0, "map_data": 0, "outbox": 0, "audit": 0, "pending_uploads": 0}, b.traces())
}

func TestCommands_rebuild_and_republish(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	m := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	gone := b.submitted(b.submissionOf(cloudstep, 1001, "Gone", "cloudstep"))
	b.operator("remove", gone.UnderscoreId, "stolen")
	require.NoError(t, b.Publish(t.Context(), cloudstep))
	require.NoError(t, b.Publish(t.Context(), event.MapStats{MapID: m.UnderscoreId, Version: 3, Records: 8}))
	b.awaitRecords(m.UnderscoreId, 8)
	b.Players.Leave() // so that copies come from the stream alone

	_, err := b.Pool.Exec(t.Context(), "truncate players, map_stats, tag_counts")
	require.NoError(t, err)
	assert.Equal(t, "printed", "Rebuilt from 2 states.\n", b.operator("rebuild"))
	found := servicetest.Data[[]httpapi.ParkourMap](t, b.get("/api/v1/maps/search?author=cloudstep&sortBy=recordCount"))
	if len(found) != 1 || found[0].RecordCount != 8 || found[0].Author.Name != "cloudstep" {
		t.Errorf("a search finds %+v", found)
	}

	before := b.awaitState(m.UnderscoreId, func(event.MapState) bool { return true })
	stream, err := b.JetStream.Stream(t.Context(), event.StateStream.Name)
	require.NoError(t, err)
	require.NoError(t, stream.Purge(t.Context()))
	assert.Equal(t, "printed", "2 maps wait in the outbox for the running service to publish them.\n",
		b.operator("republish"))
	assert.Equal(t, "the state in the stream", before,
		b.awaitState(m.UnderscoreId, func(event.MapState) bool { return true }))
	b.awaitState(gone.UnderscoreId, func(s event.MapState) bool { return s.Removed })
}

func TestCommands(t *testing.T) {
	b := setup(t)
	judge := b.Players.player("judge", access.Validator)
	m := b.submitted(b.submissionOf(judge, 1000, "Skyline Run", "cloudstep"))
	// A drawing that two maps have in common is served while one of them is on the site.
	other := b.submitted(b.submissionOf(judge, 1001, "Skyline Run", "cloudstep"))
	id := m.UnderscoreId
	checkPictures := func(when string, want int) {
		t.Helper()
		for _, url := range []string{m.ImageUrl, m.ThumbnailUrl, *m.DrawingUrl, *m.PictureUrl} {
			if a := b.get(url); a.Status != want {
				t.Errorf("%s: %s is answered by %d, want %d", when, url, a.Status, want)
			}
		}
	}
	run := func(args []string, said, fail string) {
		t.Helper()
		got, err := b.command(args[0], args[1:]...)
		failed := ""
		if err != nil {
			failed = err.Error()
		}
		if got != said || failed != fail {
			t.Errorf("%q printed %q and failed with %q", args, got, failed)
		}
	}
	run([]string{"reassign", id}, "", "wrong arguments")
	run([]string{"rebuild", "now"}, "", "wrong arguments")
	run([]string{"republish", "now"}, "", "wrong arguments")
	run([]string{"reassign", id, "Rain", "her", "map"}, "Map "+id+" is by Rain now.\n", "")
	run([]string{"reassign", uuid.NewString(), "Rain"}, "", "There is no such map.")
	run([]string{"remove", id, " "}, "", "A reason is needed, of at most 500 characters.")
	page := b.get("/api/v1/maps/" + id).Raw
	run([]string{"remove", other.UnderscoreId, "x"}, "Map "+other.UnderscoreId+" is removed.\n", "")
	checkPictures("one of two maps is removed", http.StatusOK)
	run([]string{"remove", id, "stolen", "work"}, "Map "+id+" is removed.\n", "")
	sweeper := objectstore.NewSweeper(b.Files, b.Pool, postgres.NewStore(b.Pool).IsReferenced)
	if removed, err := sweeper.Sweep(t.Context(), 0); err != nil || removed != 0 {
		t.Errorf("removed %d files, %v", removed, err)
	}
	checkPictures("both are removed", http.StatusNotFound)
	if a := b.get("/api/v1/maps/" + id); a.Status != http.StatusNotFound {
		t.Errorf("the removed map: %d", a.Status)
	}
	run([]string{"restore", id, "a", "mistake"}, "Map "+id+" is restored.\n", "")
	checkPictures("one is restored", http.StatusOK)
	assert.Equal(t, "the restored map", string(page), string(b.get("/api/v1/maps/"+id).Raw))

	assert.Equal(t, "fact", event.MapReassigned{
		MapID: id, OldAuthorID: m.Author.UnderscoreId, NewAuthorID: b.Players.player("Rain").ID, Reason: "her map",
	}, servicetest.AwaitFact[event.MapReassigned](b.Servers, event.MapReassignedSubject))
	b.awaitState(id, func(s event.MapState) bool { return s.Version == 4 && !s.Removed && s.Name == "Skyline Run" })
	assert.Equal(t, "audit rows", 6, b.traces()["audit"])
}

// Moderators remove, restore, unrank and rank maps by commands, each once, as often as they are delivered.
func TestCarryOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	moderator := b.Players.player("mod", access.Moderator)
	former := b.Players.player("former") // a moderator according to the command, and not any more
	id := b.submitted(b.submissionOf(moderator, 1000, "Skyline Run", "mod")).UnderscoreId
	by := func(p event.PlayerState) access.Attribution {
		return access.Attribution{
			Actor: access.Player(p.ID, p.Name, []string{access.Moderator}), Reason: "indecent", PublicReason: access.Indecent,
			DecisionID: uuid.NewString(),
		}
	}
	refused := event.RemoveMap{Attribution: by(former), MapID: id}
	b.SendCommand(refused)
	assert.Equal(t, "a former moderator's command", event.CommandRefused{
		DecisionID: refused.DecisionID, Command: event.RemoveMapSubject, TargetID: id, Code: "not_allowed",
		Message: "You are not allowed to do this.",
	}, servicetest.AwaitFact[event.CommandRefused](b.Servers, event.CommandRefusedSubject))
	remove, restore, unrank, rank := by(moderator), by(moderator), by(moderator), by(moderator)
	thrice := func(c event.Command) {
		for range 3 {
			b.SendCommand(c)
		}
	}
	thrice(event.RemoveMap{Attribution: remove, MapID: id})
	assert.Equal(t, "fact", event.MapRemoved{MapID: id, Reason: "indecent", DecisionID: remove.DecisionID},
		servicetest.AwaitFact[event.MapRemoved](b.Servers, event.MapRemovedSubject))
	thrice(event.RestoreMap{Attribution: restore, MapID: id})
	assert.Equal(t, "fact", event.MapRestored{MapID: id, Reason: "indecent", DecisionID: restore.DecisionID},
		servicetest.AwaitFact[event.MapRestored](b.Servers, event.MapRestoredSubject))
	thrice(event.UnrankMap{Attribution: unrank, MapID: id})
	assert.Equal(t, "unranked by decision", unrank.DecisionID,
		servicetest.AwaitFact[event.MapUnranked](b.Servers, event.MapUnrankedSubject).DecisionID)
	thrice(event.RankMap{Attribution: rank, MapID: id})
	assert.Equal(t, "ranked by decision", rank.DecisionID,
		servicetest.AwaitFact[event.MapRanked](b.Servers, event.MapRankedSubject).DecisionID)
	eventually.WaitFor(t, "all commands are acknowledged", func() bool {
		stream, err := b.JetStream.Stream(t.Context(), event.CommandsStream.Name)
		require.NoError(t, err)
		return stream.CachedInfo().State.Msgs == 0
	})
	assert.Equal(t, "audit rows", 4, b.traces()["audit"])
	b.awaitState(id, func(s event.MapState) bool { return s.Version == 5 && !s.Removed && !s.Unranked })
}

// awaitState waits until the stream retains a state of the map that is right.
func (b *bundle) awaitState(id string, right func(event.MapState) bool) event.MapState {
	b.t.Helper()
	return servicetest.AwaitState(b.Servers, event.MapStatePrefix+id, right)
}

func (b *bundle) awaitRecords(id string, records int64) {
	b.t.Helper()
	eventually.WaitFor(b.t, "the records of map "+id, func() bool { return b.read(id).RecordCount == records })
}
