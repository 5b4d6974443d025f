package login_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/problem"
	"capzone.dev/services/auth/internal/login"
)

// withCode brings a session to where its code was said to cloudstep.
func withCode(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	b.deliver(t)
	return b
}

func TestLogins_Verify_registers_the_player(t *testing.T) {
	t.Parallel()
	b := withCode(t)
	b.bot.view.Seen[0].Skin = json.RawMessage(`{"layers":[],"bc":1}`)
	grant, err := b.verify(t, b.code(t))
	require.NoError(t, err)
	if grant.Player.ID != "p1" || grant.RefreshToken != "refresh1" {
		t.Errorf("logged in with %+v", grant)
	}
	assert.Equal(t, "ended", []string{earlier}, b.grants.ended)
	want := []event.Visitor{{Visit: 1, Name: "cloudstep", Level: 7, Skin: json.RawMessage(`{"layers":[],"bc":1}`)}}
	assert.Equal(t, "registered", want, b.registry.registered)
	if b.bot.lastWords != login.TextLoggedIn {
		t.Errorf("the room was closed with %q", b.bot.lastWords)
	}
}

func TestLogins_Verify_without_a_usable_skin(t *testing.T) {
	t.Parallel()
	for _, skin := range []string{`[]`, `null`, `"x"`, `{`, `{"a":"` + strings.Repeat("x", login.MaxSkin) + `"}`} {
		b := withCode(t)
		b.bot.view.Seen[0].Skin = json.RawMessage(skin)
		if _, err := b.verify(t, b.code(t)); err != nil || b.registry.registered[0].Skin != nil {
			t.Errorf("skin %.20s: error %v, registered %+v", skin, err, b.registry.registered)
		}
	}
}

func TestLogins_Verify_wrong_codes(t *testing.T) {
	t.Parallel()
	b := withCode(t)
	for want := login.MaxTries - 1; want >= 0; want-- {
		_, err := b.verify(t, b.wrongCode(t))
		if p := problem.From(err); !errors.Is(err, login.ErrCodeWrong) || p.Data["triesLeft"] != want {
			t.Errorf("error %v with %v, want %d tries left", err, p.Data, want)
		}
	}
	_, err := b.verify(t, b.code(t))
	if p := problem.From(err); !errors.Is(err, login.ErrSessionOver) ||
		p.Message != login.Sentences[login.TriesUsedUp] {
		t.Errorf("the right code after five wrong ones: %v", err)
	}
}

func TestLogins_Verify_malformed_codes(t *testing.T) {
	t.Parallel()
	b := withCode(t)
	for _, code := range []string{"", "12345", "1234567", "12345a", "١٢٣٤٥٦", " 12345", "+12345", "-12345"} {
		if _, err := b.verify(t, code); !errors.Is(err, login.ErrCodeMalformed) {
			t.Errorf("%q: error %v, want %v", code, err, login.ErrCodeMalformed)
		}
	}
	stored, err := b.sessions.Get(t.Context(), b.ticket.SessionID)
	if tries := stored.Tries; err != nil || tries != 0 {
		t.Errorf("%d tries were counted, %v", tries, err)
	}
}

func TestLogins_Verify_by_another_browser(t *testing.T) {
	t.Parallel()
	b := withCode(t)
	for range login.MaxTries {
		_, err := b.Verify(
			t.Context(),
			b.ticket.SessionID,
			b.code(t),
			login.Key{SessionID: b.ticket.SessionID, Secret: "guess"},
			"",
		)
		if !errors.Is(err, login.ErrNotThisBrowser) {
			t.Errorf("error %v, want %v", err, login.ErrNotThisBrowser)
		}
	}
	if _, err := b.verify(t, b.code(t)); err != nil {
		t.Errorf("the right code from the right browser: %v", err)
	}
}

func TestLogins_Verify_before_there_is_a_code(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	if _, err := b.verify(t, "123456"); !errors.Is(err, login.ErrNoCodeYet) {
		t.Errorf("error %v, want %v", err, login.ErrNoCodeYet)
	}
}

func TestLogins_Verify_parallel_tries(t *testing.T) {
	t.Parallel()
	b := withCode(t)
	wrong := b.wrongCode(t)
	lefts := make([]atomic.Int64, login.MaxTries)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			_, err := b.try(t, wrong)
			if left, ok := problem.From(err).Data["triesLeft"].(int); ok && left > 0 {
				lefts[left].Add(1)
			}
		})
	}
	all.Wait()
	b.Wait()
	for left := 1; left < login.MaxTries; left++ {
		if n := lefts[left].Load(); n != 1 {
			t.Errorf("%d attempts were answered that %d are left, want one", n, left)
		}
	}
	b.isAsItMustBe(t, login.Failed, login.TriesUsedUp, 1)
}

func TestLogins_Verify_two_right_codes_at_once(t *testing.T) {
	t.Parallel()
	b := withCode(t)
	code := b.code(t)
	var won, lost atomic.Int64
	var all sync.WaitGroup
	for range login.MaxTries {
		all.Go(func() {
			switch _, err := b.try(t, code); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, login.ErrSessionOver):
				lost.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	b.Wait()
	if won.Load() != 1 || lost.Load() != login.MaxTries-1 {
		t.Errorf("%d won and %d lost, want one winner", won.Load(), lost.Load())
	}
	b.isAsItMustBe(t, login.Success, login.LoggedIn, 1)
	// The refused attempt leaves no session of the site behind.
	if begun, ended := len(b.grants.started), len(b.grants.ended); begun != ended {
		t.Errorf("%d sessions of the site began and %d ended, the browser's earlier one among them: want one to go on",
			begun, ended)
	}
}

func TestLogins_Verify_does_not_wait_for_the_closing_message(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, b *bundle){
		"the right code": func(t *testing.T, b *bundle) {
			t.Helper()
			if _, err := b.try(t, b.code(t)); err != nil {
				t.Error(err)
			}
		},
		"the last wrong code": func(t *testing.T, b *bundle) {
			t.Helper()
			for range login.MaxTries {
				if _, err := b.try(t, b.wrongCode(t)); !errors.Is(err, login.ErrCodeWrong) {
					t.Error(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withCode(t)
			answered := make(chan struct{})
			b.bot.onClose = func() { <-answered }
			end(t, b)
			close(answered)
			b.Wait()
			if b.bot.lastWords == "" {
				t.Error("the room was not closed")
			}
		})
	}
}

// The bot answers with what its reports have not contained yet.
func TestLogins_Verify_with_a_late_report(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		happens func(b *bot)
		state   login.State
		why     login.Reason
	}{
		{"a second player is there", func(b *bot) { b.join("mossfoot", false) }, login.Invalid, login.SecondVisitor},
		{"a second player was there", func(b *bot) { b.join("mossfoot", false); b.leave(2) }, login.Invalid,
			login.SecondVisitor},
		{"a guest was there after the player", func(b *bot) { b.leave(1); b.join("Guest", true); b.leave(2) },
			login.Invalid,
			login.SecondVisitor},
		{"the name was changed", func(b *bot) { b.rename(1) }, login.Invalid, login.Renamed},
		{"the room is gone", func(b *bot) { b.end(event.RoomLost) }, login.Failed, login.RoomClosed},
		{"the bot knows the player by another name", func(b *bot) { b.view.Seen[0].Name = "mossfoot" }, login.Invalid,
			login.SecondVisitor},
		{"the bot knows the player as a guest", func(b *bot) { b.view.Seen[0].Guest = true }, login.Invalid,
			login.SecondVisitor},
		{"the bot has not seen the player", func(b *bot) { b.view.Seen, b.view.Present = nil, nil }, login.Invalid,
			login.SecondVisitor},
		{"somebody is there who was never seen",
			func(b *bot) { b.view.Present = []event.Visitor{{Visit: 9, Name: "x", Guest: true}} }, login.Invalid,
			login.SecondVisitor},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := withCode(t)
			tt.happens(b.bot)
			if _, err := b.verify(t, b.code(t)); !errors.Is(err, login.ErrSessionOver) {
				t.Errorf("error %v, want %v", err, login.ErrSessionOver)
			}
			if len(b.registry.registered) != 0 {
				t.Errorf("registered %+v", b.registry.registered)
			}
			b.isAsItMustBe(t, tt.state, tt.why, 1)
			b.deliver(t)
			b.isAsItMustBe(t, tt.state, tt.why, 1)
		})
	}
}

func TestLogins_Verify_refunds_a_try_in_an_outage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		outage func(b *bundle, on bool)
		want   error
	}{
		{"the bot is silent", func(b *bundle, on bool) { b.bot.silent = on }, login.ErrRoomSilent},
		{"the players are away", func(b *bundle, on bool) {
			b.registry.problem = nil
			if on {
				b.registry.problem = problem.Unavailable("service_unavailable", "Away.")
			}
		}, problem.Unavailable("service_unavailable", "")},
		{"sessions of the site cannot begin", func(b *bundle, on bool) {
			b.grants.problem = nil
			if on {
				b.grants.problem = problem.Unavailable("database_away", "Away.")
			}
		}, problem.Unavailable("database_away", "")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := withCode(t)
			tt.outage(b, true)
			for range 2 * login.MaxTries {
				if _, err := b.verify(t, b.code(t)); !errors.Is(err, tt.want) {
					t.Errorf("error %v, want %v", err, tt.want)
				}
			}
			b.isAsItMustBe(t, login.CodeProvided, login.CodeDelivered, 1)
			tt.outage(b, false)
			if _, err := b.verify(t, b.code(t)); err != nil {
				t.Errorf("after the outage: %v", err)
			}
		})
	}
}

func TestLogins_Verify_refused_player(t *testing.T) {
	t.Parallel()
	refusal := problem.Forbidden("player_banned", "This player is banned.") // who had the name formerly
	for name, refuse := range map[string]func(b *bundle){
		"by players":  func(b *bundle) { b.registry.problem = refusal },
		"by sessions": func(b *bundle) { b.grants.problem = refusal },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := withCode(t)
			refuse(b)
			if _, err := b.verify(t, b.code(t)); !errors.Is(err, refusal) {
				t.Errorf("error %v, want %v", err, refusal)
			}
			b.isAsItMustBe(t, login.Failed, login.NotAllowed, 1)
		})
	}
}

func TestCoder_New_leading_zeros(t *testing.T) {
	t.Parallel()
	zeros := 0
	for range 2000 {
		code := login.Coder{}.New()
		if !login.WellFormed(code) {
			t.Fatalf("code %q", code)
		}
		if code[0] == '0' {
			zeros++
		}
	}
	if zeros == 0 {
		t.Error("none of 2,000 codes begins with a zero")
	}
}

func TestCoder_MAC(t *testing.T) {
	t.Parallel()
	c := login.Coder{Secret: []byte("secret")}
	macs := map[string]string{}
	for name, mac := range map[string][]byte{
		"one":                      c.MAC("s1", "123456"),
		"another session":          c.MAC("s2", "123456"),
		"another code":             c.MAC("s1", "123457"),
		"another secret":           login.Coder{Secret: []byte("other")}.MAC("s1", "123456"),
		"a part of the code moved": c.MAC("s11", "23456"),
	} {
		if same, ok := macs[string(mac)]; ok {
			t.Errorf("%s and %s have the same MAC", name, same)
		}
		macs[string(mac)] = name
	}
}
