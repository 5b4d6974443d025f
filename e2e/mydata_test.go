package e2e_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/exporttest"
	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/site"
)

// A player gets a file of everything, and deletes the account: times and maps stay, and nothing shows the name.
func TestMyData(t *testing.T) {
	t.Parallel()
	needOperator(t)
	ctx := t.Context()
	who := account()
	v, fan := loggedIn(t, who), newPlayer(t)
	m := newMap("author " + thisRun) // the game's file has the name of a map's author, which stays
	validator := withRole(t, "validator")
	entry := submittedBy(t, validator, m)
	own, err := v.SubmitMap(ctx, submission(t, newMap(who.Name), who.Name))
	require.NoError(t, err)
	record := finished(t, v, m, 30_000)
	_, err = v.UpdatePlayer(ctx, v.Player.ID, site.PlayerUpdate{SkinImage: picture()})
	require.NoError(t, err)
	follow := site.Request{Method: http.MethodPut, Path: "/follows/players/" + v.Player.ID}
	if answer := ask(t, fan, follow); answer.Status != http.StatusNoContent {
		t.Fatalf("follow: %d %s", answer.Status, answer.Body)
	}
	eventually.WaitFor(t, "the profile", func() bool {
		p, err := newVisitor().PlayerByID(ctx, v.Player.ID)
		return err == nil && p.MapCount == 1 && p.RecordCount == 2
	})

	t.Run("the file has everything", func(t *testing.T) {
		answer := ask(t, v, site.Request{Path: "/me/export"})
		if answer.Status != http.StatusOK {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		things := exporttest.Lines(t, string(answer.Body))
		for kind, want := range map[string]int{"player": 1, "session": 1, "map": 1, "record": 2} {
			if len(things[kind]) != want {
				t.Errorf("%d things of the kind %s, want %d: %v", len(things[kind]), kind, want, things[kind])
			}
		}
		again := ask(t, v, site.Request{Path: "/me/export"})
		if again.Status != http.StatusTooManyRequests {
			t.Errorf("once more: %d %s", again.Status, again.Body)
		}
	})
	drawn := site.Request{Path: "/players/" + v.Player.ID + "/preview.png"}
	named := ask(t, newVisitor(), drawn)
	if named.Status != http.StatusOK {
		t.Fatalf("preview: %d %s", named.Status, named.Body)
	}
	deletion := posted[api.OwnDeletion](t, v, "/me/deletion", map[string]any{"name": who.Name})
	if deletion.ScheduledFor == nil {
		t.Errorf("the deletion is %+v", deletion)
	}
	operate(t, "players", "delete", v.Player.ID, "The player has asked for it by mail.")

	shown := "deleted player " + v.Player.ID[32:]
	t.Run("nothing shows the name", func(t *testing.T) {
		id := v.Player.ID
		for _, request := range []site.Request{
			{Path: "/players/" + id}, {Path: "/players/search", Query: url.Values{"name": {who.Name}}},
			{Path: "/players/" + id + "/statistics"}, {Path: "/players/" + id + "/improvements"},
			{Path: "/records", Query: url.Values{"player": {id}}}, {Path: "/records", Query: url.Values{"map": {entry.ID}}},
			{Path: "/records/" + record.Record.ID}, {Path: "/records/world-records"}, {Path: "/maps/" + entry.ID},
			{Path: "/maps/" + entry.ID + "/history"}, {Path: "/maps/" + own.ID}, {Path: "/rankings"},
			{Path: "/maps/search", Query: url.Values{"author": {who.Name}}},
			{Path: "/players/" + id + "/points"}, {Path: "/players/" + id + "/compare/" + validator.Player.ID},
			{Path: "/records/" + record.Record.ID + "/verification"}, {Path: "/maps/" + own.ID + "/versions"},
			{Path: "/feeds/world-records.atom", AtRoot: true}, {Path: "/feeds/maps.atom", AtRoot: true},
			{Path: "/sitemap-pages.xml", AtRoot: true}, {Path: "/sitemap-maps-1.xml", AtRoot: true},
			{Path: "/sitemap-players-1.xml", AtRoot: true}, {Path: "/leaderboard/" + entry.ID, AtRoot: true},
			{Path: "/player/" + id, AtRoot: true}, {Path: "/record/" + record.Record.ID, AtRoot: true},
			{Path: "/map/" + entry.ID, AtRoot: true}, {Path: "/", AtRoot: true},
			{Path: "/oembed", AtRoot: true, Query: url.Values{"url": {"http://localhost/player/" + id}}},
		} {
			eventually.WaitFor(t, "no old name at "+request.Path, func() bool {
				answer, err := newVisitor().Send(ctx, request)
				body := strings.ReplaceAll(string(answer.Body), `"name=`+who.Name, "")
				return err == nil && answer.Status < http.StatusInternalServerError &&
					!strings.Contains(strings.ToLower(body), strings.ToLower(who.Name))
			})
		}
		eventually.WaitFor(t, "another preview", func() bool {
			answer, err := newVisitor().Send(ctx, drawn)
			return err == nil && answer.Status == http.StatusOK && !bytes.Equal(answer.Body, named.Body)
		})
		file, err := newVisitor().DownloadReplay(ctx, record.Record.ID)
		if err == nil || !strings.Contains(err.Error(), "replay_withdrawn") {
			t.Errorf("the replay has the name and is served: %d, %v", file.Status, err)
		}
		p, err := newVisitor().PlayerByID(ctx, id)
		if err != nil || p.Name != shown || p.SkinImageURL != nil || p.Level != 0 {
			t.Errorf("the profile: %+v, %v", p, err)
		}
		r, err := newVisitor().RecordByID(ctx, record.Record.ID)
		if err != nil || r.Player.Name != shown || r.FinishTime != 30_000 {
			t.Errorf("the record: %+v, %v", r, err)
		}
		eventually.WaitFor(t, "the description to go", func() bool {
			got, err := newVisitor().MapByID(ctx, own.ID)
			return err == nil && got.Description == "" && got.Author.Name == shown
		})
	})
	t.Run("a token from before writes nothing", func(t *testing.T) {
		_, err := v.SubmitRecord(ctx, site.RecordSubmission{Replay: replay(t, m, who.Name, 29_000)})
		refused(t, err, http.StatusForbidden, "player_deleted")
		_, err = v.UpdatePlayer(ctx, v.Player.ID, site.PlayerUpdate{SkinImage: picture()})
		refused(t, err, http.StatusForbidden, "player_deleted")
		eventually.WaitFor(t, "the session to end", func() bool {
			err := v.Refresh(ctx)
			return err != nil && strings.Contains(err.Error(), "401")
		})
		eventually.WaitFor(t, "the inbox to be refused", func() bool {
			return ask(t, v, site.Request{Path: "/inbox"}).Status == http.StatusForbidden
		})
	})
	t.Run("a token from before gets no file", func(t *testing.T) {
		leaver := newPlayer(t)
		operate(t, "players", "delete", leaver.Player.ID, "The player has asked for it by mail.")
		eventually.WaitFor(t, "a file without a part", func() bool {
			answer := ask(t, leaver, site.Request{Path: "/me/export"})
			// The services refuse their parts after the gateway has begun the file.
			return answer.Status == http.StatusOK && bytes.HasPrefix(answer.Body, []byte(`{"kind":"end","complete":false`))
		})
	})
	t.Run("the name is that of a new player", func(t *testing.T) {
		again := loggedIn(t, who)
		p, err := newVisitor().PlayerByID(ctx, again.Player.ID)
		if err != nil || p.ID == v.Player.ID || p.RecordCount != 0 || p.MapCount != 0 {
			t.Errorf("%+v, %v", p, err)
		}
	})
}
