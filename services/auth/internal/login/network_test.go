package login_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/services/auth/internal/login"
)

// school is the address of several browsers.
const school = "192.0.2.1"

// ask requests a room from an address, a second after what happened before.
func (b *bundle) ask(t *testing.T, address string) login.Ticket {
	t.Helper()
	b.clock.Pass(time.Second)
	ticket, err := b.Request(t.Context(), login.Key{}, address)
	require.NoError(t, err)
	return ticket
}

// poll asks for the status of a login.
func (b *bundle) poll(t *testing.T, ticket login.Ticket) login.Status {
	t.Helper()
	s, err := b.Status(t.Context(), ticket.SessionID, ticket.Key)
	require.NoError(t, err)
	return s
}

// pass lets a time pass, in which the browsers of the logins ask every three seconds.
func (b *bundle) pass(t *testing.T, d time.Duration, asking ...login.Ticket) {
	t.Helper()
	for ; d > 0; d -= 3 * time.Second {
		b.clock.Pass(min(d, 3*time.Second))
		for _, ticket := range asking {
			b.poll(t, ticket)
		}
	}
}

// enter reports that a guest has entered the room of a login.
func (b *bundle) enter(t *testing.T, ticket login.Ticket) {
	t.Helper()
	for range 2 { // a report may come twice
		require.NoError(t, b.Report(t.Context(), event.RoomReport{
			Room: roomID, Bot: botID, Session: ticket.SessionID, Number: 1, Kind: event.RoomJoined,
			Visitor: &event.Visitor{Visit: 1, Name: "Guest", Guest: true}, At: b.clock.Now(),
		}))
	}
}

// finish ends a login as successful.
func (b *bundle) finish(t *testing.T, ticket login.Ticket) {
	t.Helper()
	_, err := b.sessions.Change(t.Context(), ticket.SessionID, func(s *login.Session) error {
		s.State, s.Reason = login.Success, login.LoggedIn
		return nil
	})
	require.NoError(t, err)
}

func TestLogins_Request_third_of_an_address(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.ask(t, school), b.ask(t, school), b.ask(t, school)
	fourth := b.ask(t, school)
	if b.ask(t, "192.0.2.2").RoomLink == "" {
		t.Error("another address waits")
	}
	for ticket, want := range map[login.Ticket]string{
		third:  "Your room is being prepared. 2 before you from your network.",
		fourth: "Your room is being prepared. 3 before you from your network.",
	} {
		if s := b.poll(t, ticket); ticket.RoomLink != "" || s.Position != ticket.Position || s.Message != want ||
			s.State != login.Pending || s.RemainingLifetime < 10*time.Minute {
			t.Errorf("%+v is %+v, want %q", ticket, s, want)
		}
	}
	b.finish(t, first)
	if s := b.poll(t, fourth); s.Position != 2 {
		t.Errorf("the fourth is %+v", s)
	}
	again, err := b.Request(t.Context(), third.Key, school) // as good as asking for the status
	if err != nil || again.SessionID != third.SessionID || again.RoomLink == "" {
		t.Errorf("the third has %+v, %v", again, err)
	}
	if s := b.poll(t, third); s.Reason != login.Waiting || s.RemainingLifetime != login.Lifetime {
		t.Errorf("the third is %+v", s)
	}
	if s := b.poll(t, second); s.State != login.Pending {
		t.Errorf("the second is %+v", s)
	}
	if want := []int{0, 1, 0, 1}; !slices.Equal(b.bot.held, want) {
		t.Errorf("bots got %v rooms, want %v", b.bot.held, want)
	}
}

func TestLogins_Status_gives_up_who_asks_no_more(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.ask(t, school), b.ask(t, school), b.ask(t, school)
	b.pass(t, time.Minute, first, second, third)
	if s := b.poll(t, third); s.Position != 2 || b.rooms.counted.Load() != 0 {
		t.Errorf("while all ask the third is %+v, %d rooms were counted", s, b.rooms.counted.Load())
	}
	closed := 0
	b.bot.onClose = func() { closed++ }
	b.pass(t, 12*time.Second, second, third)
	b.Wait()
	if s := b.poll(t, first); s.State != login.Failed || s.Reason != login.GivenUp || closed != 1 {
		t.Errorf("who asks no more is %+v, %d rooms were closed", s, closed)
	}
	if s := b.poll(t, third); s.RoomLink == "" || b.rooms.counted.Load() != 1 {
		t.Errorf("the third is %+v, %d rooms were counted, want that which was given up", s, b.rooms.counted.Load())
	}
}

func TestLogins_Status_keeps_rooms_that_were_entered(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, second, third := b.ask(t, school), b.ask(t, school), b.ask(t, school)
	b.enter(t, first)
	b.enter(t, second)
	b.pass(t, time.Minute, third)
	if s := b.poll(t, third); s.Position != 2 || b.rooms.counted.Load() != 2 {
		t.Errorf("the third is %+v, %d rooms were counted", s, b.rooms.counted.Load())
	}
	b.pass(t, login.Lifetime, third)
	if s := b.poll(t, third); s.RoomLink == "" || b.rooms.counted.Load() != 2 {
		t.Errorf("once they are over, it is %+v, %d rooms were counted", s, b.rooms.counted.Load())
	}
}

// Where no bot has a room, a login that waited stays the next one.
func TestLogins_Status_asks_bots_again(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, _, third := b.ask(t, school), b.ask(t, school), b.ask(t, school)
	b.finish(t, first)
	b.bot.silent = true
	for range 2 {
		if s := b.poll(t, third); s.State != login.Pending || s.RoomLink != "" {
			t.Errorf("without a room it is %+v", s)
		}
	}
	b.bot.silent = false
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { b.poll(t, third) })
	}
	all.Wait()
	if s := b.poll(t, third); s.RoomLink == "" || b.bot.opened != 3 {
		t.Errorf("it is %+v, %d rooms were opened, want one more", s, b.bot.opened)
	}
}

// A bot may report about a room before its answer has arrived.
func TestLogins_Report_of_a_room_that_is_being_opened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, _, third := b.ask(t, school), b.ask(t, school), b.ask(t, school)
	err := b.Report(t.Context(), event.RoomReport{
		Room: roomID, Bot: botID, Session: third.SessionID, Number: 1, Kind: event.RoomReady, At: b.clock.Now(),
	})
	if !errors.Is(err, login.ErrNotYetKnown) {
		t.Errorf("got %v, want that the report comes again", err)
	}
}

func TestLogins_Request_of_a_busy_address(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 64 {
		ticket, err := b.Request(t.Context(), login.Key{}, school)
		require.NoError(t, err)
		if ticket.RoomLink == "" != strings.HasSuffix(b.poll(t, ticket).Message, "network.") {
			t.Errorf("%+v", ticket)
		}
	}
	if _, err := b.Request(t.Context(), login.Key{}, school); !errors.Is(err, login.ErrAddressBusy) {
		t.Errorf("got %v, want %v", err, login.ErrAddressBusy)
	}
	b.clock.Pass(10 * time.Second)
	if ticket := b.ask(t, school); ticket.RoomLink == "" {
		t.Errorf("when all others are given up: %+v", ticket)
	}
}
