package gameroom_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/require"
)

const code = "Your login code is 042917."

func TestRooms_Open_spec(t *testing.T) {
	b := setup(t, nil)
	first, _ := b.open()
	second, _ := b.open()
	rooms := b.game.State().Rooms
	for _, r := range rooms {
		if r.Asked.MaxPlayers != 2 || r.Asked.Hidden != 1 || len(r.Asked.Password) < 20 ||
			!strings.HasPrefix(r.Asked.RoomName, "Capzone") {
			t.Errorf("asked for %+v", r.Asked)
		}
	}
	if rooms[0].Asked.Password == rooms[1].Asked.Password || first.Link() == second.Link() {
		t.Error("two rooms have the same password or link")
	}
}

func TestRoom_removes_guests(t *testing.T) {
	cases := []struct {
		name  string
		pause func(cfg *gameroom.Config)
		text  bool // a text is sent to the guest
	}{
		{"after a text", func(cfg *gameroom.Config) { cfg.GuestReads = 50 * time.Millisecond }, true},
		{"without a text", func(cfg *gameroom.Config) { cfg.GuestStay = 50 * time.Millisecond }, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := setup(t, c.pause)
			room, w := b.open()
			guest := b.game.Follow(room.Link(), gametest.Visitor{Name: "cloudstep", Guest: true})
			eventually.WaitFor(t, "the guest to be reported", func() bool { return len(w.visitors()) == 1 })
			if !w.visitors()[0].Guest {
				t.Error("the guest was reported as a player")
			}
			if c.text {
				require.NoError(t, room.Say(t.Context(), "You are a guest."))
			}
			guest.AwaitState("outside")
			eventually.WaitFor(t, "the guest to have left", func() bool { return slices.Equal(w.left(), []int64{1}) })
			// A player with an account may enter now, and stays.
			b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"})
			eventually.WaitFor(t, "the player to be reported", func() bool { return len(w.visitors()) == 2 })
			if w.visitors()[1].Guest {
				t.Error("the player was reported as a guest")
			}
			if err := room.Say(t.Context(), code); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRoom_Joined_names(t *testing.T) {
	b := setup(t, nil)
	room, w := b.open()
	cases := []struct {
		name  string // as the game reports it
		shown string
		guest bool
	}{
		{`cloudstep`, `cloudstep`, false},
		{"Cloud_step 2", "Cloud_step 2", false},
		{"-Cloud.step!-", "-Cloud.step!-", false}, // of a legacy account
		{"Deleted_Player 3f2a", "Deleted_Player 3f2a", true},
		{`42[9,{"banshortid":0}]`, `42[9,{"banshortid":0}]`, true},
		{`2`, `2`, false},
		{`"],[4,0`, `"],[4,0`, true},
		{`Żółw あ 🏁`, `Żółw あ 🏁`, true},
		{"сloudstep", "сloudstep", true}, // the first letter is Cyrillic
		{strings.Repeat("ä", 64), strings.Repeat("ä", 64), true},
		{strings.Repeat("x", 10_000), strings.Repeat("x", 64), true},
		{"cloud\nstep", "cloudstep", true},
		{"cloud\u202estep", "cloudstep", true},
		{"\ufffdcloudstep", "\ufffdcloudstep", true},
		{"", "?", true},
		{" \t ", "?", true},
		{"__proto__", "__proto__", false},
	}
	var events [][]any
	for i, c := range cases {
		events = append(events, []any{4, i + 1, "peer", c.name, false, 99_999, true, map[string]any{"bc": 1}})
	}
	b.game.SendEvents(0, events...)
	eventually.WaitFor(t, "all visitors to be reported", func() bool { return len(w.visitors()) == len(cases) })
	for i, v := range w.visitors() {
		if v.Name != cases[i].shown || v.Guest != cases[i].guest {
			t.Errorf("%q is reported as %q, guest %v", cases[i].name, v.Name, v.Guest)
		}
		if string(v.Skin) != `{"bc":1}` || v.Level != 10_000 {
			t.Errorf("the skin is %s, the level %d", v.Skin, v.Level)
		}
	}
	if err := room.Say(t.Context(), code); err != nil {
		t.Error(err)
	}
}

func TestRoom_removes_refused_visitors(t *testing.T) {
	b := setup(t, nil)
	room, w := b.open()
	w.accept(0)
	b.game.Follow(room.Link(), gametest.Visitor{Name: "cloudstep"}).AwaitState("outside")
	if len(w.left()) != 0 {
		t.Error("the leave of a refused visitor was reported")
	}
}

func TestRoom_Close_after_a_closing_message(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) { cfg.ClosingPause = time.Hour })
	room, w := b.open()
	player := b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"})
	eventually.WaitFor(t, "the visitor to be reported", func() bool { return len(w.visitors()) == 1 })
	require.NoError(t, room.Say(t.Context(), "You are logged in."))
	if err := room.Close(t.Context()); err != nil { // at once
		t.Fatal(err)
	}
	player.AwaitLine(regexp.MustCompile("logged in"))
	if state := player.View().State; state != "inside" {
		t.Errorf("the player is %s", state)
	}
	b.rooms.Close() // ends the closing pause
	player.AwaitState("outside")
	if w.loss() != "" || len(w.left()) != 0 {
		t.Errorf("the end by Close was reported: lost %q, left %v", w.loss(), w.left())
	}
}

func TestRoom_lost_by_the_game(t *testing.T) {
	for name, fail := range map[string]func(g *gametest.Server){
		"broken connection": func(g *gametest.Server) { g.DropHost(0) },
		"stopped server":    func(g *gametest.Server) { g.Stop() },
		"garbage":           func(g *gametest.Server) { g.SendEvents(0, []any{4, "x"}) },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, nil)
			room, w := b.open()
			fail(b.game)
			eventually.WaitFor(t, "the loss to be reported", func() bool { return w.loss() != "" })
			if err := room.Say(t.Context(), code); err == nil {
				t.Error("a text was sent in a lost room")
			}
		})
	}
}

func TestRoom_another_host(t *testing.T) {
	b := setup(t, nil)
	room, w := b.open()
	b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"})
	b.game.HandOver(0)
	eventually.WaitFor(t, "the loss to be reported", func() bool { return w.hostChange() != "" })
	if w.loss() != "" {
		t.Errorf("also lost: %s", w.loss())
	}
}

func TestRoom_Close_without_a_closing_message(t *testing.T) {
	b := setup(t, func(cfg *gameroom.Config) { cfg.ClosingPause = time.Hour })
	room, _ := b.open()
	player := b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"})
	require.NoError(t, room.Close(t.Context()))
	player.AwaitState("outside")
}

func TestRoom_Watch(t *testing.T) {
	b := setup(t, nil)
	room, w := b.open()
	b.game.Enter(room.Link(), gametest.Visitor{Name: "cloudstep"}).Leave()
	eventually.WaitFor(t, "the first to have left", func() bool { return len(w.left()) == 1 })
	second := b.game.Enter(room.Link(), gametest.Visitor{Name: "mossfoot"})
	eventually.WaitFor(t, "the second to be reported", func() bool { return len(w.visitors()) == 2 })
	second.Rename("not mossfoot")
	eventually.WaitFor(t, "the new name to be reported",
		func() bool { return slices.Equal(w.renamed(), []string{"not mossfoot"}) })
	third := b.game.Follow(room.Link(), gametest.Visitor{Name: "thirdwheel"})
	third.AwaitState("refused")
	if len(w.visitors()) != 2 {
		t.Errorf("seen %+v", w.visitors())
	}
}
