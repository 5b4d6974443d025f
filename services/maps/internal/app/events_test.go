package app_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/objectstore"
	"capzone.dev/platform/problem"
	"capzone.dev/services/maps/internal/postgres"
)

func TestServer_getMap(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	m := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	published := b.awaitState(m.ID, func(event.MapState) bool { return true })
	ask := func(req event.GetMap) (event.MapState, error) {
		return eventbus.Call[event.GetMap, event.MapState](t.Context(), b.NATS, event.GetMapSubject, req)
	}
	for _, req := range []event.GetMap{{ID: m.ID}, {GameMapID: 1000}} {
		got, err := ask(req)
		require.NoError(t, err)
		if diff := cmp.Diff(published, got); diff != "" {
			t.Errorf("asked for %+v (-published +got):\n%s", req, diff)
		}
	}
	for _, req := range []event.GetMap{{ID: uuid.NewString()}, {ID: "x"}, {GameMapID: 1001}, {}} {
		if _, err := ask(req); problem.From(err).Code != "map_unknown" {
			t.Errorf("asked for %+v: %v", req, err)
		}
	}
	b.operator("remove", m.ID, "stolen")
	for _, req := range []event.GetMap{{ID: m.ID}, {GameMapID: 1000}} {
		got, err := ask(req)
		require.NoError(t, err)
		if diff := cmp.Diff(event.MapState{ID: m.ID, Version: 2, Removed: true}, got); diff != "" {
			t.Errorf("asked for the removed %+v (-want +got):\n%s", req, diff)
		}
	}
}

func TestConsumers_repeated_and_out_of_order(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.startReplica() // both take from the one consumer
	cloudstep, rain := b.Players.player("cloudstep"), b.Players.player("Rain")
	maps := []wireMap{
		b.submitted(b.submissionOf(cloudstep, 1000, "One", "cloudstep")),
		b.submitted(b.submissionOf(cloudstep, 1001, "Two", "cloudstep")),
		b.submitted(b.submissionOf(rain, 1002, "Three", "Rain")),
	}
	const versions = 20
	var group errgroup.Group
	publish := func(states ...event.State) {
		group.Go(func() error {
			for _, s := range append(states, states...) { // everything twice, the second time out of order
				if err := b.Publish(t.Context(), s); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for i, m := range maps {
		var counts []event.State
		for v := 1; v <= versions; v++ {
			counts = append(counts, event.MapStats{MapID: m.ID, Version: int64(v), Records: int64(v * (i + 1))})
		}
		publish(counts...)
	}
	var players []event.State
	for v := int64(2); v <= versions; v++ {
		p := cloudstep
		p.Version, p.Name, p.SkinImageURL = v, fmt.Sprintf("Cloudstep %d", v), "/media/skins/a.webp"
		players = append(players, p)
	}
	publish(players...)
	require.NoError(t, group.Wait())

	eventually.WaitFor(t, "the newest copies", func() bool {
		found := servicetest.Data[[]wireMap](t, b.get("/api/v1/maps/search?sortBy=recordCount&author=cloudstep+20"))
		return len(found) == 2 && found[0].RecordCount == 2*versions && found[1].RecordCount == versions &&
			found[0].Author.Name == "Cloudstep 20" && *found[0].Author.SkinImageURL == "/media/skins/a.webp"
	})
	if a := b.get("/api/v1/maps/search?author=cloudstep+19"); a.Pagination["total"] != 0 {
		t.Errorf("an old name finds %s", a.Raw)
	}
}

// Without storage no map is created, and the sweeper removes the pending uploads.
func TestAPI_submit_storage_down(t *testing.T) {
	t.Parallel()
	b := setup(t)
	storage, err := url.Parse(b.cfg.Endpoint)
	require.NoError(t, err)
	var away atomic.Bool
	proxy := httputil.NewSingleHostReverseProxy(storage)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && away.Load() {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	b.cfg.Endpoint = front.URL
	b.URL, _ = b.startReplica()

	away.Store(true)
	s := b.submissionOf(b.Players.player("cloudstep"), 1000, "Skyline Run", "cloudstep")
	if a := b.submit(s); a.Status != http.StatusServiceUnavailable || a.Code != "storage_unavailable" {
		t.Errorf("got %d %s", a.Status, a.Raw)
	}
	sweeper := objectstore.NewSweeper(b.Files, b.Pool, postgres.NewStore(b.Pool).IsReferenced)
	_, err = sweeper.Sweep(t.Context(), 0)
	require.NoError(t, err)
	if diff := cmp.Diff(map[string]int{"maps": 0, "map_data": 0, "outbox": 0, "audit": 0, "pending_uploads": 0},
		b.traces()); diff != "" {
		t.Errorf("rows were left behind (-want +got):\n%s", diff)
	}
	away.Store(false)
	b.submitted(s)
}

func TestService_NATS_down(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	first := b.submitted(b.submissionOf(cloudstep, 1000, "First", "cloudstep"))
	b.awaitState(first.ID, func(event.MapState) bool { return true })

	b.NATSServer.Stop()
	second := b.submitted(b.submissionOf(cloudstep, 1001, "Second", "cloudstep"))
	b.operator("remove", first.ID, "stolen")
	if a := b.get("/api/v1/maps/search?name=second"); a.Pagination["total"] != 1 {
		t.Errorf("search without NATS: %s", a.Raw)
	}
	b.NATSServer.Restart()
	b.awaitState(second.ID, func(s event.MapState) bool { return s.Name == "Second" })
	b.awaitState(first.ID, func(s event.MapState) bool { return s.Removed && s.Version == 2 })
}

func TestCommands_rebuild_and_republish(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	m := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	gone := b.submitted(b.submissionOf(cloudstep, 1001, "Gone", "cloudstep"))
	b.operator("remove", gone.ID, "stolen")
	require.NoError(t, b.Publish(t.Context(), cloudstep))
	require.NoError(t, b.Publish(t.Context(), event.MapStats{MapID: m.ID, Version: 3, Records: 8}))
	b.awaitRecords(m.ID, 8)
	b.Players.Leave() // so that copies come from the stream alone

	for _, lost := range []string{"players, map_stats, tag_counts", "players", "map_stats", "tag_counts"} {
		t.Run("rebuild without "+lost, func(t *testing.T) {
			_, err := b.Pool.Exec(t.Context(), "truncate "+lost)
			require.NoError(t, err)
			if out := b.operator("rebuild"); out != "Rebuilt from 2 states.\n" {
				t.Errorf("printed %q", out)
			}
			for _, query := range []string{"author=cloudstep", "name=sky&sortBy=recordCount", "sortBy=recordCount"} {
				found := servicetest.Data[[]wireMap](t, b.get("/api/v1/maps/search?"+query))
				if len(found) != 1 || found[0].RecordCount != 8 || found[0].Author.Name != "cloudstep" {
					t.Errorf("search %s finds %+v", query, found)
				}
			}
		})
	}
	t.Run("republish after the stream was lost", func(t *testing.T) {
		before := b.awaitState(m.ID, func(event.MapState) bool { return true })
		stream, err := b.JetStream.Stream(t.Context(), event.StateStream.Name)
		require.NoError(t, err)
		require.NoError(t, stream.Purge(t.Context()))
		if out := b.operator("republish"); out != "2 maps wait in the outbox for the running service to publish them.\n" {
			t.Errorf("printed %q", out)
		}
		if diff := cmp.Diff(before, b.awaitState(m.ID, func(event.MapState) bool { return true })); diff != "" {
			t.Errorf("the state in the stream (-before +after):\n%s", diff)
		}
		b.awaitState(gone.ID, func(s event.MapState) bool { return s.Removed })
	})
}

func TestCommands(t *testing.T) {
	b := setup(t)
	judge := b.Players.player("judge", "validator")
	m := b.submitted(b.submissionOf(judge, 1000, "Skyline Run", "cloudstep"))
	unknown := uuid.NewString()
	for _, tt := range []struct {
		name       string
		args       []string
		said, fail string
	}{
		{"reassign", []string{m.ID, "Rain", "her", "map"}, "Map " + m.ID + " is by Rain now.\n", ""},
		{"reassign", []string{m.ID, "rain"}, "", "The map has this author already."},
		{"reassign", []string{unknown, "Rain"}, "", "There is no such map."},
		{"reassign", []string{m.ID}, "", "wrong arguments"},
		{"reassign", []string{m.ID, "\x01"}, "",
			"A player's name has 1 to 64 letters (A to Z), digits, spaces or signs such as _ and -, and is not that of a deleted player."},
		{"remove", []string{m.ID}, "", "wrong arguments"},
		{"remove", []string{m.ID, " "}, "", "A reason is needed, of at most 500 characters."},
		{"remove", []string{unknown, "stolen"}, "", "There is no such map."},
		{"remove", []string{"1000", "stolen"}, "", "There is no such map."},
		{"remove", []string{m.ID, "stolen", "work"}, "Map " + m.ID + " is removed.\n", ""},
		{"remove", []string{m.ID, "again"}, "", "The map was removed already."},
		{"rebuild", []string{"now"}, "", "wrong arguments"},
		{"republish", []string{"now"}, "", "wrong arguments"},
	} {
		said, err := b.command(tt.name, tt.args...)
		fail := ""
		if err != nil {
			fail = err.Error()
		}
		if said != tt.said || fail != tt.fail {
			t.Errorf("%s %q printed %q and failed with %q", tt.name, tt.args, said, fail)
		}
	}

	rain := b.Players.player("Rain")
	reassigned := servicetest.AwaitFact[event.MapReassigned](b.Servers, event.MapReassignedSubject)
	want := event.MapReassigned{MapID: m.ID, OldAuthorID: m.Author.ID, NewAuthorID: rain.ID, Reason: "her map"}
	if diff := cmp.Diff(want, reassigned); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(event.MapRemoved{MapID: m.ID, Reason: "stolen work"},
		servicetest.AwaitFact[event.MapRemoved](b.Servers, event.MapRemovedSubject)); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	if state := b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 3 }); !state.Removed {
		t.Errorf("the last state: %+v", state)
	}
	if n := b.traces()["audit"]; n != 3 {
		t.Errorf("%d audit rows, want one of the submission by a validator and two of commands", n)
	}
	if a := b.get("/api/v1/maps/" + m.ID); a.Status != http.StatusNotFound {
		t.Errorf("the removed map: %d", a.Status)
	}
	if a := b.submit(b.submissionOf(judge, 1000, "Skyline Run", "cloudstep")); a.Code != "map_removed" {
		t.Errorf("submitted again: %d %s", a.Status, a.Code)
	}
}

// The pictures of a removed map are kept, and not served until the map is restored.
func TestCommands_restore(t *testing.T) {
	b := setup(t)
	judge := b.Players.player("judge", "validator")
	m := b.submitted(b.submissionOf(judge, 1000, "Skyline Run", "cloudstep"))
	// Of a drawing that two maps have in common, nothing is hidden.
	other := b.submitted(b.submissionOf(judge, 1001, "Skyline Run", "cloudstep"))
	page := b.get("/api/v1/maps/" + m.ID).Raw
	pictures := []string{m.ImageURL, m.ThumbnailURL, m.DrawingURL, m.PictureURL}
	check := func(when string, want int) {
		t.Helper()
		for _, url := range pictures {
			if a := b.get(url); a.Status != want {
				t.Errorf("%s: %s is answered by %d, want %d", when, url, a.Status, want)
			}
		}
	}
	b.operator("remove", m.ID, "indecent")
	check("one of two maps is removed", http.StatusOK)
	b.operator("remove", other.ID, "indecent")
	sweeper := objectstore.NewSweeper(b.Files, b.Pool, postgres.NewStore(b.Pool).IsReferenced)
	if removed, err := sweeper.Sweep(t.Context(), 0); err != nil || removed != 0 {
		t.Errorf("removed %d files, %v", removed, err)
	}
	check("both are removed", http.StatusNotFound)
	for _, tt := range []struct {
		args       []string
		said, fail string
	}{
		{[]string{m.ID}, "", "wrong arguments"},
		{[]string{m.ID, " "}, "", "A reason is needed, of at most 500 characters."},
		{[]string{m.ID, "\x00"}, "", "A reason is text of at most 500 characters."},
		{[]string{uuid.NewString(), "x"}, "", "There is no such map."},
		{[]string{m.ID, "a", "mistake"}, "Map " + m.ID + " is restored.\n", ""},
		{[]string{m.ID, "again"}, "", "The map is not removed."},
	} {
		said, err := b.command("restore", tt.args...)
		fail := ""
		if err != nil {
			fail = err.Error()
		}
		if said != tt.said || fail != tt.fail {
			t.Errorf("restore %q printed %q and failed with %q", tt.args, said, fail)
		}
	}
	check("one is restored", http.StatusOK)
	if after := b.get("/api/v1/maps/" + m.ID).Raw; string(after) != string(page) {
		t.Errorf("the restored map is %s, want %s", after, page)
	}
	fact := servicetest.AwaitFact[event.MapRestored](b.Servers, event.MapRestoredSubject)
	if diff := cmp.Diff(event.MapRestored{MapID: m.ID, Reason: "a mistake"}, fact); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 3 && !s.Removed && s.Name == "Skyline Run" })
}

// An earlier release has deleted the pictures of a map that it has removed. The map is drawn before it is restored.
func TestCommands_restore_without_pictures(t *testing.T) {
	b := setup(t)
	judge := b.Players.player("judge", "validator")
	m := b.submitted(b.submissionOf(judge, 1000, "Skyline Run", "cloudstep"))
	b.operator("remove", m.ID, "x")
	_, err := b.Pool.Exec(t.Context(), `
		update maps set image_key = null, thumbnail_key = null, drawing_key = null, picture_key = null,
			picture_thumbnail_key = null, picture_bucket = null`)
	require.NoError(t, err)
	if _, err := b.command("restore", m.ID, "a mistake"); err == nil || !strings.Contains(err.Error(), "Draw it again") {
		t.Errorf("without pictures: %v", err)
	}
	b.operator("draw", m.ID)
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 3 }) // another tombstone: it is drawn
	b.operator("restore", m.ID, "a mistake")
	if a := b.get(servicetest.Data[wireMap](t, b.get("/api/v1/maps/"+m.ID)).ImageURL); a.Status != http.StatusOK {
		t.Errorf("the picture: %d", a.Status)
	}
}

// Fingerprints of an earlier release are computed again by the service when it starts, and by the operator.
func TestRun_computesFingerprints(t *testing.T) {
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	m := b.submitted(b.submissionOf(cloudstep, 1000, "Skyline Run", "cloudstep"))
	want := b.awaitState(m.ID, func(event.MapState) bool { return true }).Fingerprint
	_, err := b.Pool.Exec(t.Context(), "update maps set fingerprint = 'old', fingerprint_due = true")
	require.NoError(t, err)
	b.startReplica()
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 2 && s.Fingerprint == want })
	_, err = b.Pool.Exec(t.Context(), "update maps set fingerprint = 'lost'")
	require.NoError(t, err)
	b.operator("rebuild")
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 3 && s.Fingerprint == want })
}

// Moderators remove, restore, unrank and rank maps by commands, each once, as often as they are delivered.
func TestCarryOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	moderator := b.Players.player("mod", access.Moderator)
	former := b.Players.player("former") // a moderator according to the command, and not any more
	m := b.submitted(b.submissionOf(moderator, 1000, "Skyline Run", "mod"))
	by := func(p event.PlayerState, decision string) access.Attribution {
		return access.Attribution{
			Actor: access.Player(p.ID, p.Name, []string{access.Moderator}), Reason: "indecent", PublicReason: access.Indecent,
			DecisionID: decision,
		}
	}
	refused := uuid.NewString()
	b.SendCommand(event.RemoveMap{Attribution: by(former, refused), MapID: m.ID})
	want := event.CommandRefused{
		DecisionID: refused, Command: event.RemoveMapSubject, TargetID: m.ID, Code: "not_allowed",
		Message: "You are not allowed to do this.",
	}
	if diff := cmp.Diff(want, servicetest.AwaitFact[event.CommandRefused](b.Servers,
		event.CommandRefusedSubject)); diff != "" {
		t.Errorf("a former moderator's command (-want +got):\n%s", diff)
	}
	removal, restoration := uuid.NewString(), uuid.NewString()
	for range 3 {
		b.SendCommand(event.RemoveMap{Attribution: by(moderator, removal), MapID: m.ID})
	}
	removed := servicetest.AwaitFact[event.MapRemoved](b.Servers, event.MapRemovedSubject)
	if diff := cmp.Diff(event.MapRemoved{MapID: m.ID, Reason: "indecent", DecisionID: removal}, removed); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	for range 3 {
		b.SendCommand(event.RestoreMap{Attribution: by(moderator, restoration), MapID: m.ID})
	}
	restored := servicetest.AwaitFact[event.MapRestored](b.Servers, event.MapRestoredSubject)
	if diff := cmp.Diff(event.MapRestored{MapID: m.ID, Reason: "indecent", DecisionID: restoration},
		restored); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	unranking, ranking := uuid.NewString(), uuid.NewString()
	for range 3 {
		b.SendCommand(event.UnrankMap{Attribution: by(moderator, unranking), MapID: m.ID})
	}
	if got := servicetest.AwaitFact[event.MapUnranked](b.Servers, event.MapUnrankedSubject); got.DecisionID != unranking {
		t.Errorf("unranked by decision %q, want %q", got.DecisionID, unranking)
	}
	for range 3 {
		b.SendCommand(event.RankMap{Attribution: by(moderator, ranking), MapID: m.ID})
	}
	if got := servicetest.AwaitFact[event.MapRanked](b.Servers, event.MapRankedSubject); got.DecisionID != ranking {
		t.Errorf("ranked by decision %q, want %q", got.DecisionID, ranking)
	}
	eventually.WaitFor(t, "all commands are acknowledged", func() bool {
		stream, err := b.JetStream.Stream(t.Context(), event.CommandsStream.Name)
		require.NoError(t, err)
		return stream.CachedInfo().State.Msgs == 0
	})
	if n := b.traces()["audit"]; n != 4 {
		t.Errorf("%d audit rows, want 4", n)
	}
	b.awaitState(m.ID, func(s event.MapState) bool { return s.Version == 5 && !s.Removed && !s.Unranked })
}

// awaitState waits until the stream retains a state of the map that is right.
func (b *bundle) awaitState(id string, right func(event.MapState) bool) event.MapState {
	b.t.Helper()
	return servicetest.AwaitState(b.Servers, event.MapStatePrefix+id, right)
}

func (b *bundle) awaitRecords(id string, records int64) {
	b.t.Helper()
	eventually.WaitFor(b.t, fmt.Sprintf("%d records of map %s", records, id), func() bool {
		return servicetest.Data[wireMap](b.t, b.get("/api/v1/maps/"+id)).RecordCount == records
	})
}
