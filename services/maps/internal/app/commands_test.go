package app_test

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/devstack/servicetest"
	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/objectstore"
	"capzone.dev/services/maps/internal/httpapi"
	"capzone.dev/services/maps/internal/postgres"
)

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
