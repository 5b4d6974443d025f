package login_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/login"
)

func TestLogins_Report_delivers_the_code_and_then_a_warning(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	b.deliver(t)
	if want := []string{login.TextWithCode(b.code(t)), login.TextWarning}; !slices.Equal(b.bot.said, want) {
		t.Errorf("the bot wrote %q, want %q", b.bot.said, want)
	}
	stored, err := b.sessions.Get(t.Context(), b.ticket.SessionID)
	require.NoError(t, err)
	if strings.Contains(string(stored.Code.MAC), b.code(t)) {
		t.Error("the code is stored in plain text")
	}
}

func TestLogins_Report_notifies_a_guest_once(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("Guest", true)
	reports := slices.Clone(b.bot.reports)
	b.deliver(t)
	b.bot.reports = reports
	b.deliver(t)
	if want := []string{login.TextGuest}; !slices.Equal(b.bot.said, want) {
		t.Errorf("the bot wrote %q, want %q", b.bot.said, want)
	}
}

func TestLogins_Report_many_at_once_deliver_one_code(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	joined := b.bot.reports[0]
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := b.Report(t.Context(), joined); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	b.code(t)
	if got := b.state(t).State; got != login.CodeProvided {
		t.Errorf("the session is %s", got)
	}
}

func TestLogins_Report_code_not_delivered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.mute = true
	b.bot.join("cloudstep", false)
	b.deliver(t)
	b.isAsItMustBe(t, login.Failed, login.NotDelivered, 0)
}

// A slow bot must not leave a session behind of which no process knows
// the code.
func TestLogins_Report_code_not_delivered_in_time(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.mute = true
	b.bot.join("cloudstep", false)
	ctx, timeIsUp := context.WithCancel(t.Context())
	b.bot.onSay = func(string) { timeIsUp() }
	require.NoError(t, b.Report(ctx, b.bot.reports[0]))
	b.isAsItMustBe(t, login.Failed, login.NotDelivered, 0)
}

func TestLogins_Report_silent_bot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	joined := b.bot.reports[0]
	b.bot.silent = true
	if err := b.Report(t.Context(), joined); !errors.Is(err, errSilent) {
		t.Fatalf("error %v, want that the report comes again", err)
	}
	b.bot.silent = false
	b.deliver(t)
	b.isAsItMustBe(t, login.CodeProvided, login.CodeDelivered, 1)
}

// A process that ended between making and delivering the code has lost it: the login ends with its time.
func TestLogins_Report_code_of_a_dead_process(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	joined := b.bot.reports[0]
	died := errors.New("died")
	b.bot.onSay = func(string) { panic(died) }
	func() {
		defer func() {
			if p := recover(); p != died { //nolint:errorlint // the very value that was thrown
				t.Errorf("recovered %v", p)
			}
		}()
		_ = b.Report(t.Context(), joined)
	}()
	b.bot.onSay = nil

	b.deliver(t)
	b.isAsItMustBe(t, login.Pending, login.Waiting, 0)
	b.clock.Pass(login.Lifetime)
	b.isAsItMustBe(t, login.Timeout, login.TooLate, 0)
}

// A player may type the code before the bot's answer has arrived.
func TestLogins_Verify_during_the_delivery(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	b.bot.onSay = func(text string) {
		if text == login.TextWarning {
			return
		}
		if state := b.state(t).State; state != login.Pending {
			t.Errorf("the session is %s before the code was delivered", state)
		}
		if _, err := b.verify(t, digits.FindString(text)); err != nil {
			t.Error(err)
		}
		b.bot.view.Open = true // the login has closed it
	}
	b.deliver(t)
	if got := b.state(t).State; got != login.Success {
		t.Errorf("the session is %s", got)
	}
}

func TestLogins_Report_of_other_rooms(t *testing.T) {
	t.Parallel()
	visitor := event.Visitor{Visit: 1, Name: "cloudstep"}
	for _, tt := range []struct {
		name   string
		report event.RoomReport
		closed bool
	}{
		{"a report of another room with the session's id",
			event.RoomReport{Room: "other", Bot: botID, Session: "session1", Kind: event.RoomLost}, false},
		{"a report of another bot with the room's id", event.RoomReport{Room: roomID, Bot: "other", Session: "session1",
			Kind: event.RoomJoined, Visitor: &visitor}, false},
		{"a room without a session is closed", event.RoomReport{Room: roomID, Bot: botID, Session: "unknown",
			Kind: event.RoomJoined, Visitor: &visitor}, true},
		{"a report of a visitor without a visitor",
			event.RoomReport{Room: roomID, Bot: botID, Session: "session1", Kind: event.RoomJoined}, false},
		{"an unknown kind is nothing", event.RoomReport{Room: roomID, Bot: botID, Session: "session1", Kind: "danced",
			Visitor: &visitor}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.begin(t)
			require.NoError(t, b.Report(t.Context(), tt.report))
			if got := b.state(t); got.State != login.Pending || got.Reason != login.Waiting {
				t.Errorf("the session is %s (%s)", got.State, got.Reason)
			}
			if b.bot.view.Open == tt.closed {
				t.Errorf("the room is open: %t", b.bot.view.Open)
			}
		})
	}
}

func TestLogins_Report_without_the_store(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	b.sessions.unavailable.Store(true)
	if err := b.Report(t.Context(), b.bot.reports[0]); !errors.Is(err, login.ErrStoreUnavailable) {
		t.Errorf("error %v, want %v", err, login.ErrStoreUnavailable)
	}
}
