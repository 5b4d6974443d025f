package login_test

import (
	"errors"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/login"
)

// beginQueued asks for a room that is not open yet.
func (b *bundle) beginQueued(t *testing.T) {
	t.Helper()
	b.bot.queues = true
	b.begin(t)
}

func TestLogins_Request_of_a_login_that_waits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.beginQueued(t)
	if b.ticket.RoomLink != "" || b.ticket.Position != 2 || b.ticket.RemainingLifetime != login.QueueTimeout {
		t.Errorf("the ticket is %+v", b.ticket)
	}
	if s := b.state(t); s.State != login.Pending || s.Reason != login.Queued || s.Position != 2 || s.Message == "" {
		t.Errorf("the session is %+v", s)
	}

	moved := event.RoomReport{Room: roomID, Bot: botID, Session: b.bot.session, Number: 2, Kind: event.RoomQueued,
		At: noon}
	late := moved
	late.Number, late.Position = 1, 1
	for _, r := range []event.RoomReport{moved, late} { // in any order
		require.NoError(t, b.Report(t.Context(), r))
	}
	if s := b.state(t); s.Reason != login.Queued || s.Position != 0 {
		t.Errorf("at the head of the queue the session is %+v", s)
	}

	b.clock.Pass(time.Minute)
	b.bot.view.Open, b.bot.view.Link = true, "https://game.test/1"
	ready := event.RoomReport{Room: roomID, Bot: botID, Session: b.bot.session, Number: 3, Kind: event.RoomReady,
		At: noon}
	for range 2 {
		require.NoError(t, b.Report(t.Context(), ready))
	}
	if s := b.state(t); s.State != login.Pending || s.Reason != login.Waiting || s.RoomLink != "https://game.test/1" ||
		s.RemainingLifetime != login.Lifetime {
		t.Errorf("with the room the session is %+v", s)
	}
	again, err := b.Request(t.Context(), b.ticket.Key, "192.0.2.1")
	if err != nil || again.SessionID != b.ticket.SessionID || again.RoomLink != "https://game.test/1" {
		t.Errorf("asked again: %+v %v", again, err)
	}
	b.bot.join("cloudstep", false)
	b.deliver(t)
	if _, err := b.verify(t, b.code(t)); err != nil {
		t.Error(err)
	}
}

func TestLogins_Report_of_a_login_without_a_room(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.beginQueued(t)
	b.bot.report(event.RoomLost, nil)
	b.deliver(t)
	if s := b.state(t); s.State != login.Failed || s.Reason != login.NoRoom || s.RoomLink != "" {
		t.Errorf("the session is %+v", s)
	}

	b = setup(t)
	b.beginQueued(t)
	b.clock.Pass(login.QueueTimeout) // no report came
	if s := b.state(t); s.State != login.Failed || s.Reason != login.NoRoom {
		t.Errorf("without a report the session is %+v", s)
	}
}

func TestLogins_Report_of_a_room_with_another_host(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t)
	b.bot.join("cloudstep", false)
	b.deliver(t)
	b.bot.end(event.RoomTaken)
	b.deliver(t)
	if s := b.state(t); s.State != login.Invalid || s.Reason != login.HostChanged {
		t.Errorf("the session is %+v", s)
	}
}

// A room may be lost before its session is stored.
func TestLogins_Report_before_its_session(t *testing.T) {
	t.Parallel()
	b := setup(t)
	report := event.RoomReport{Room: roomID, Bot: botID, Session: "session1", Number: 1, Kind: event.RoomLost, At: noon}
	if err := b.Report(t.Context(), report); !errors.Is(err, login.ErrNotYetKnown) {
		t.Fatalf("got %v, want that the report comes again", err)
	}
	b.begin(t)
	require.NoError(t, b.Report(t.Context(), report))
	if s := b.state(t); s.State != login.Failed || s.Reason != login.RoomLost {
		t.Errorf("the session is %+v", s)
	}

	b.clock.Pass(login.UnknownSessionRetry)
	report.Session = "never made"
	if err := b.Report(t.Context(), report); err != nil {
		t.Errorf("a report of no session: %v", err)
	}
}
