package bonkio_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/require"
)

func TestClient_CreateRoom(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, _ := room(t, game, client)
	eventually.WaitFor(t, "the host to set the room up", func() bool {
		r := game.State().Rooms[0]
		return r.EndsWithHost && r.TeamsLocked && len(r.Pings) == 1 && r.Timesyncs > 0
	})
	r := game.State().Rooms[0]
	asked := r.Asked
	if asked.RoomName != spec.Name || asked.Password != string(spec.Password) || asked.MaxPlayers != 2 ||
		asked.Hidden != 1 || asked.Country != "US" {
		t.Errorf("asked for %+v", asked)
	}
	if !regexp.MustCompile(`^[0-9a-z]{10}v00000$`).MatchString(asked.PeerID) {
		t.Errorf("peer id %s", asked.PeerID)
	}
	if created.Link() != game.LinkURL()+r.Path || !regexp.MustCompile(`^\d{6}[0-9a-f]{6}$`).MatchString(r.Path) {
		t.Errorf("link %s of room %s", created.Link(), r.Path)
	}
}

func TestRoom_Watch(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, events := room(t, game, client)
	skin := json.RawMessage(`{"layers":[{"id":3}],"bc":9315498}`)
	cloudstep := game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep", Level: 57, Avatar: skin})
	awaitEvent(t, events, "1 joined")
	lobby := cloudstep.View().Lobby
	delete(lobby, "map")
	want := map[string]any{
		"gt": 2.0, "wl": 3.0, "q": false, "tl": true, "tea": false, "ga": "b", "mo": "b", "bal": []any{},
		"picture": []any{}, "shown": []any{"Login", "", 0.0, 0.0, 0.0},
	}
	assert.Equal(t, "lobby", want, lobby)

	cloudstep.Rename("mossfoot")
	awaitEvent(t, events, "1 is now mossfoot")
	cloudstep.Leave()
	awaitEvent(t, events, "1 left")
	guest := game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep", Guest: true})
	awaitEvent(t, events, "2 joined")
	require.NoError(t, created.Remove(t.Context(), 2))
	guest.AwaitState("outside")
	awaitEvent(t, events, "2 left")
	game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep", Guest: true}) // a removed visitor may return
	awaitEvent(t, events, "3 joined")

	wantPlayers := []bonkio.Player{
		{ID: 1, Name: "cloudstep", Level: 57, Avatar: skin},
		{ID: 2, Name: "cloudstep", Guest: true, Avatar: json.RawMessage(`{"layers":[],"bc":0}`)},
		{ID: 3, Name: "cloudstep", Guest: true, Avatar: json.RawMessage(`{"layers":[],"bc":0}`)},
	}
	assert.Equal(t, "players", wantPlayers, events.joined())
}

func TestRoom_visitor_with_another_code(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, events := room(t, game, client)
	wrong := "abcdef"
	stranger := game.Follow(created.Link(), gametest.Visitor{Name: "mossfoot", Bypass: &wrong})
	stranger.AwaitState("refused")
	if status := stranger.View().Status; status != "password_wrong" {
		t.Errorf("refused with %s", status)
	}
	if lines := events.events(); len(lines) != 0 {
		t.Errorf("events %v", lines)
	}
}

func TestRoom_Say(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, _ := room(t, game, client)
	player := game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep"})
	player.Say("Hello?")
	for _, text := range []string{"Your code is 042917.", `A name like 42[9,{"banshortid":1}] is no packet.`,
		"Ždraví 🏁"} {
		require.NoError(t, created.Say(t.Context(), text))
		player.AwaitLine(regexp.MustCompile("^" + regexp.QuoteMeta(text) + "$"))
	}
}

// Statuses and the host's own join have no effect.
func TestRoom_stray_statuses(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	game.Set(gametest.Settings{HostSeesItself: new(true),
		StrayStatuses: []string{"rate_limit_ready", "room_full", "banned", "unknown"}})
	created, events := room(t, game, client)
	game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep"})
	awaitEvent(t, events, "1 joined")
	if lines := events.events(); len(lines) != 1 {
		t.Errorf("events %v", lines)
	}
	if agent := game.State().Rooms[0].Agent; agent != "capzone-test (contact@capzone.test)" {
		t.Errorf("the user agent is %q", agent)
	}
}

func TestClient_CreateRoom_refused(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	session, err := client.Login(t.Context(), capzonebot)
	require.NoError(t, err)
	for _, reason := range []string{"room_full", "banned", "invalid_params", "join_rate_limited"} {
		game.Set(gametest.Settings{CreateFails: &reason})
		_, err := client.CreateRoom(t.Context(), serverOf(game), session, spec)
		var refused bonkio.RoomRefusedError
		if !errors.As(err, &refused) || refused.Reason != reason {
			t.Errorf("got %v, want %s", err, reason)
		}
	}
	for name, token := range map[string]bonkio.Session{"old token": {Token: "old", ID: session.ID},
		"another account": {Token: session.Token, ID: 7}} {
		game.Set(gametest.Settings{CreateFails: new("")})
		var refused bonkio.RoomRefusedError
		if _, err := client.CreateRoom(t.Context(), serverOf(game), token, spec); !errors.As(err, &refused) ||
			refused.Reason != "no_client_entry" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClient_CreateRoom_slow_link(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	slow := 400
	game.Set(gametest.Settings{LinkDelay: &slow})
	created, _ := room(t, game, client)
	if created.Link() == "" {
		t.Error("the room has no link")
	}

	session, err := client.Login(t.Context(), capzonebot)
	require.NoError(t, err)
	slow = 3_600_000
	game.Set(gametest.Settings{LinkDelay: &slow})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	outcome := make(chan error)
	go func() {
		_, err := client.CreateRoom(ctx, serverOf(game), session, spec)
		outcome <- err
	}()
	eventually.WaitFor(t, "the room to be created", func() bool { return len(game.State().Rooms) == 2 })
	cancel()
	if err := <-outcome; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	eventually.WaitFor(t, "the room without a link to be closed", func() bool {
		rooms := game.State().Rooms
		return len(rooms) == 2 && rooms[1].Over
	})
}

func TestRoom_Close(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, events := room(t, game, client)
	player := game.Enter(created.Link(), gametest.Visitor{Name: "cloudstep"})
	created.Close(t.Context())
	player.AwaitState("outside")
	if !player.View().HostGone || !game.State().Rooms[0].Over {
		t.Error("the room is still open")
	}
	created.Close(t.Context()) // the second time does nothing
	if err := created.Say(t.Context(), "Hello?"); !errors.Is(err, bonkio.ErrRoomEnded) {
		t.Errorf("say in a room that has ended: %v", err)
	}
	if slices.Contains(events.events(), "ended") {
		t.Error("the end by Close was reported")
	}
}

func TestRoom_ended_by_the_game(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	cases := []struct {
		name    string
		options gametest.Options
		silent  bool
		happens func(game *gametest.Server)
		reason  string
	}{
		{name: "broken connection", happens: func(g *gametest.Server) { g.DropHost(0) },
			reason: "closed the connection"},
		{name: "stopped server", happens: func(g *gametest.Server) { g.Stop() }, reason: "closed the connection"},
		{name: "disconnection by the server", happens: func(g *gametest.Server) { g.SendFrames(0, "41") },
			reason: "closed the connection"},
		{name: "room closed", happens: func(g *gametest.Server) { g.SendEvents(0, []any{6, 0, -1}) },
			reason: "closed the room"},
		{name: "another host when the host leaves",
			happens: func(g *gametest.Server) { g.SendEvents(0, []any{6, 0, 1}) },
			reason:  "another host"},
		{name: "another host", happens: func(g *gametest.Server) { g.HandOver(0) },
			reason: "another host"},
		{name: "host removed", happens: func(g *gametest.Server) { g.SendEvents(0, []any{24, 0, true}) },
			reason: "removed the host"},
		{name: "join without a name", happens: func(g *gametest.Server) {
			g.SendEvents(0, []any{4, 1, "peer", nil, false})
		}, reason: "cannot be understood"},
		{name: "leave of an unknown player", happens: func(g *gametest.Server) { g.SendEvents(0, []any{5, "x"}) },
			reason: "cannot be understood"},
		{name: "rename of an unknown player", happens: func(g *gametest.Server) { g.SendEvents(0, []any{12}) },
			reason: "cannot be understood"},
		{name: "frame above 256 KiB", happens: func(g *gametest.Server) { g.SendEvents(0, []any{20, 0, long}) },
			reason: "closed the connection"},
		{
			name: "pings without an answer", options: gametest.Options{PingInterval: time.Second,
				PingTimeout: time.Second},
			silent: true, happens: func(*gametest.Server) {}, reason: "does not answer",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			game, client := setup(t, c.options)
			game.Set(gametest.Settings{Silent: &c.silent})
			created, events := room(t, game, client)
			c.happens(game)
			select {
			case reason := <-events.ended:
				if !strings.Contains(reason.Error(), c.reason) {
					t.Errorf("ended because %v, want %s", reason, c.reason)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the room did not end")
			}
			if err := created.Say(t.Context(), "Hello?"); !errors.Is(err, bonkio.ErrRoomEnded) {
				t.Errorf("say in a room that has ended: %v", err)
			}
		})
	}
}

func TestRoom_garbage(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, events := room(t, game, client)
	game.SendFrames(0, slices.Repeat([]string{"garbage"}, 40)...)
	game.SendFrames(0, "", "hello", "4", "42[", `42["join",1]`, "42/admin,[4]", "451-[1]", "5", `43["x"]`, `4399["x"]`)
	game.SendEvents(0,
		[]any{4711, "an event of a later version"}, []any{16}, []any{16, map[string]any{}}, []any{20}, []any{20, "x",
			1}, []any{1}, []any{1, nil, "x"},
		[]any{49, 1, "another", "link"}, []any{2}, []any{12, 0, "the host's new name"}, []any{7, nil}, []any{-1},
	)
	link := created.Link()
	player := game.Enter(link, gametest.Visitor{Name: "cloudstep"})
	awaitEvent(t, events, "1 joined")
	require.NoError(t, created.Say(t.Context(), "Hello."))
	player.AwaitLine(regexp.MustCompile("Hello"))
	if created.Link() != link {
		t.Error("the link has changed")
	}
}

func TestSocket_keeps_the_connection_alive(t *testing.T) {
	game, client := setup(t, gametest.Options{PingInterval: 100 * time.Millisecond})
	_, events := room(t, game, client)
	game.SendFrames(0, "2") // the client answers pings of the server
	eventually.WaitFor(t, "several pings, and an answer", func() bool {
		r := game.State().Rooms[0]
		return r.Beats >= 3 && r.Answers == 1
	})
	if lines := events.events(); len(lines) != 0 {
		t.Errorf("events %v", lines)
	}
}

func TestRoom_echoes_pings(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	room(t, game, client)
	game.SendEvents(0, []any{1, map[string]int{"0": 105, "1": 80}, 4711}, []any{1, map[string]int{}, 4712})
	eventually.WaitFor(t, "the echoes of the pings", func() bool {
		return slices.Equal(game.State().Rooms[0].Pings, []int{1, 4711, 4712})
	})
}

func TestRoom_errors_do_not_contain_the_link(t *testing.T) {
	game, client := setup(t, gametest.Options{})
	created, events := room(t, game, client)
	address, err := url.Parse(created.Link())
	require.NoError(t, err)
	game.SendEvents(0, []any{49, address.Path, map[string]any{}})
	reason := <-events.ended
	if strings.Contains(reason.Error(), strings.TrimPrefix(address.Path, "/")) {
		t.Errorf("%v contains the link", reason)
	}
}

func awaitEvent(t *testing.T, r *recorder, event string) {
	t.Helper()
	eventually.WaitFor(t, "the event "+event, func() bool { return slices.Contains(r.events(), event) })
}

func TestRoom_Visit(t *testing.T) {
	lost, gone := true, http.StatusNotFound
	for name, c := range map[string]struct {
		change gametest.Settings
		step   string
	}{
		"usable room":            {gametest.Settings{}, ""},
		"page without an answer": {gametest.Settings{PageStatus: &gone}, bonkio.VisitPage},
		"lost settings":          {gametest.Settings{LobbyLost: &lost}, bonkio.VisitFirstData},
	} {
		t.Run(name, func(t *testing.T) {
			game, client := setup(t, gametest.Options{})
			game.Set(c.change)
			err := create(t, game, client).Visit(t.Context())
			var failed bonkio.VisitError
			if errors.As(err, &failed) != (c.step != "") || failed.Step != c.step {
				t.Errorf("got %v, want a failure at %q", err, c.step)
			}
			eventually.WaitFor(t, "the visitor to be outside", func() bool {
				return len(game.State().Rooms[0].Inside) == 0
			})
		})
	}
}
