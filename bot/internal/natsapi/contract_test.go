package natsapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

func TestServer_from_open_to_close(t *testing.T) {
	b := setup(t)
	b.start(t, 2)
	opened := b.open(t, "s1")
	room := b.game.room(t, opened.Link)

	room.watcher.Joined(event.Visitor{Name: "cloudstep", Level: 57,
		Skin: json.RawMessage(`{"layers":[],"bc":9315498}`)})
	if _, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot),
		event.SayInRoom{Room: opened.Room, Text: "Your code is 042917."}); err != nil {
		t.Fatalf("say: %v", err)
	}
	view, err := call[event.RoomQuery, event.RoomView](b, event.RoomStateSubject(opened.Bot),
		event.RoomQuery{Room: opened.Room})
	if err != nil {
		t.Fatalf("state: %v", err)
	}
	cloudstep := event.Visitor{Visit: 1, Name: "cloudstep", Level: 57,
		Skin: json.RawMessage(`{"layers":[],"bc":9315498}`)}
	want := event.RoomView{Room: opened.Room, Open: true, Link: opened.Link, LastReport: 1,
		Present: []event.Visitor{cloudstep}, Seen: []event.Visitor{cloudstep}}
	assert.Equal(t, "state", want, view)
	for range 2 { // the second time does nothing
		if _, err := call[event.CloseRoom, done](b, event.RoomCloseSubject(opened.Bot),
			event.CloseRoom{Room: opened.Room, Text: "Welcome aboard."}); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	assert.Equal(t, "texts", []string{"Your code is 042917.", "Welcome aboard."}, room.sent())

	reports := b.reports(t, opened.Room, 2)
	for i := range reports {
		reports[i].At = time.Time{}
	}
	from := event.RoomReport{Room: opened.Room, Bot: opened.Bot, Session: "s1"}
	joined, closed := from, from
	joined.Number, joined.Kind, joined.Visitor = 1, event.RoomJoined, &cloudstep
	closed.Number, closed.Kind, closed.Reason = 2, event.RoomClosed, "closed on request"
	assert.Equal(t, "reports", []event.RoomReport{joined, closed}, reports)
}

func TestServer_invalid_requests(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	opened := b.open(t, "s1")
	say := event.SayInRoom{Room: "unknown", Text: "Hello"}
	if _, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot), say); !errors.Is(err,
		verification.ErrRoomUnknown) {
		t.Errorf("text for an unknown room: %v", err)
	}
	query := event.RoomQuery{Room: opened.Room}
	if _, err := call[event.RoomQuery, event.RoomView](b, event.RoomStateSubject("another"), query); !errors.Is(err,
		eventbus.ErrUnavailable) {
		t.Errorf("another bot: %v", err)
	}
}

func TestServer_several_bots(t *testing.T) {
	b := setup(t)
	for range 3 {
		b.start(t, 4)
	}
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		bots  = map[string]int{}
		rooms = map[string]bool{}
	)
	for i := range 12 { // as many as there are rooms: no request may be lost
		group.Go(func() {
			opened := b.open(t, fmt.Sprint("s", i))
			mu.Lock()
			defer mu.Unlock()
			bots[opened.Bot]++
			rooms[opened.Room] = true
		})
	}
	group.Wait()
	if len(bots) != 3 || len(rooms) != 12 {
		t.Errorf("%d rooms of the bots %v, want 12 of 3", len(rooms), bots)
	}
	// A full bot leaves the queue a moment later. A request of another session would wait in it until then.
	eventually.WaitFor(t, "the full bots to leave the queue", func() bool {
		_, err := b.tryOpen("s1")
		return errors.Is(err, eventbus.ErrUnavailable)
	})
	if waits, err := b.wait("s13"); err != nil || waits.Link != "" || waits.Position != 0 {
		t.Errorf("a login that waits: %+v %v", waits, err)
	}
}

func TestServer_opens_the_room_of_a_login_that_waited(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	first := b.open(t, "s1")
	waits, err := b.wait("s2")
	if err != nil || waits.Link != "" {
		t.Fatalf("%+v %v", waits, err)
	}
	b.close(t, first)
	if kind := b.reports(t, waits.Room, 1)[0].Kind; kind != event.RoomReady {
		t.Errorf("reported %s", kind)
	}
	if again, err := b.wait("s2"); err != nil || again.Link == "" || again.Room != waits.Room {
		t.Errorf("the second answer: %+v %v", again, err)
	}
}

func TestServer_leaves_the_queues_during_a_pause(t *testing.T) {
	b := setup(t)
	b.game.refuse(verification.RetryLaterError{For: time.Hour, Cause: errors.New("refused")}, 1)
	b.start(t, 1)
	if _, err := b.tryOpen("s1"); !errors.Is(err, verification.ErrBackingOff) {
		t.Errorf("the first: %v", err)
	}
	eventually.WaitFor(t, "the bot to leave both queues", func() bool {
		_, err := b.tryOpen("s1")
		_, waitErr := b.wait("s1")
		return errors.Is(err, eventbus.ErrUnavailable) && errors.Is(waitErr, eventbus.ErrUnavailable)
	})
	b.start(t, 1)
	b.open(t, "s1")
}

func TestReports_are_sent_after_an_outage_of_NATS(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	opened := b.open(t, "s1")
	room := b.game.room(t, opened.Link)

	b.server.Stop()
	eventually.WaitFor(t, "NATS to be unavailable", func() bool { return !b.nc.IsConnected() })
	room.watcher.Left(room.watcher.Joined(event.Visitor{Name: "cloudstep"}))
	b.server.Restart()

	kinds := []event.RoomReportKind{}
	for _, r := range b.reports(t, opened.Room, 2) {
		kinds = append(kinds, r.Kind)
	}
	assert.Equal(t, "reports", []event.RoomReportKind{event.RoomJoined, event.RoomLeft}, kinds)
}

func TestReports_are_stored_once(t *testing.T) {
	b := setup(t)
	reports := NewReports(b.js)
	for range 3 {
		if err := reports.Report(t.Context(), event.RoomReport{Room: "r1", Number: 1,
			Kind: event.RoomJoined}); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := b.js.Stream(t.Context(), event.RoomsStream.Name)
	require.NoError(t, err)
	if got := stream.CachedInfo().State.Msgs; got != 1 {
		t.Errorf("%d reports are stored, want 1", got)
	}
	msg, err := stream.GetMsg(t.Context(), 1)
	require.NoError(t, err)
	if got := msg.Header.Get(nats.MsgIdHdr); got != "r1.1" {
		t.Errorf("message id %q, want r1.1", got)
	}
}

func TestServer_Run_without_NATS(t *testing.T) {
	b := setup(t)
	bot := b.startWith(t, 1, 50*time.Millisecond)
	opened := b.open(t, "s1")
	b.server.Stop()
	eventually.WaitFor(t, "the room to be closed", func() bool { return bot.Stats().InUse == 0 })
	b.server.Restart()
	if got := b.reports(t, opened.Room, 1)[0].Kind; got != event.RoomLost {
		t.Errorf("reported as %s, want %s", got, event.RoomLost)
	}
	eventually.WaitFor(t, "the bot to open rooms again", func() bool { _, err := b.tryOpen("s2"); return err == nil })
}

func TestServer_Run_reports_rooms_as_lost_when_it_stops(t *testing.T) {
	b := setup(t)
	ctx, stop := context.WithCancel(t.Context())
	_, finished := b.run(ctx, t, 1, outageTimeout)
	opened := b.open(t, "s1")
	stop()
	<-finished
	if got := b.reports(t, opened.Room, 1)[0]; got.Kind != event.RoomLost || got.Reason != "the bot is shutting down" {
		t.Errorf("reported as %s: %s", got.Kind, got.Reason)
	}
	if _, err := b.tryOpen("s2"); err == nil {
		t.Error("the stopped bot opened a room")
	}
}

func TestServer_does_not_store_or_log_codes(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	opened := b.open(t, "s1")
	room := b.game.room(t, opened.Link)
	room.watcher.Joined(event.Visitor{Name: "cloudstep"})
	say := event.SayInRoom{Room: opened.Room, Text: "Your code is 042917."}
	_, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot), say)
	require.NoError(t, err)
	b.close(t, opened)
	for _, r := range b.reports(t, opened.Room, 2) {
		body, _ := json.Marshal(r)
		if bytes.Contains(body, []byte("042917")) {
			t.Errorf("a report contains the code: %s", body)
		}
	}
	logged, err := os.ReadFile(b.file)
	require.NoError(t, err)
	for _, secret := range []string{"042917", opened.Link, "s1\""} {
		if strings.Contains(string(logged), secret) {
			t.Errorf("the log contains %s:\n%s", secret, logged)
		}
	}
}
