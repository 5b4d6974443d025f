package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/bot/internal/logtest"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/await"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/natstest"
)

const patience = 30 * time.Second

func TestARoomFromOpenToClose(t *testing.T) {
	b := setup(t)
	b.start(t, 2)
	opened := b.open(t, "s1")
	room := b.game.room(t, opened.Link)

	room.watcher.Joined(event.Visitor{Name: "cloudstep", Level: 57, Skin: json.RawMessage(`{"layers":[],"bc":9315498}`)})
	if _, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot), event.SayInRoom{Room: opened.Room, Text: "Your code is 042917."}); err != nil {
		t.Fatalf("say: %v", err)
	}
	view, err := call[event.RoomQuery, event.RoomView](b, event.RoomStateSubject(opened.Bot), event.RoomQuery{Room: opened.Room})
	if err != nil {
		t.Fatalf("state: %v", err)
	}
	cloudstep := event.Visitor{Visit: 1, Name: "cloudstep", Level: 57, Skin: json.RawMessage(`{"layers":[],"bc":9315498}`)}
	want := event.RoomView{Room: opened.Room, Open: true, LastReport: 1, Present: []event.Visitor{cloudstep}, Seen: []event.Visitor{cloudstep}}
	if diff := cmp.Diff(want, view); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	for range 2 { // closing twice is as well as once
		if _, err := call[event.CloseRoom, done](b, event.RoomCloseSubject(opened.Bot), event.CloseRoom{Room: opened.Room, Text: "Welcome aboard."}); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	if diff := cmp.Diff([]string{"Your code is 042917.", "Welcome aboard."}, room.said()); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}

	reports := b.reports(t, opened.Room, 2)
	for i := range reports {
		reports[i].At = time.Time{}
	}
	from := event.RoomReport{Room: opened.Room, Bot: opened.Bot, Session: "s1"}
	joined, closed := from, from
	joined.Number, joined.Kind, joined.Visitor = 1, event.RoomJoined, &cloudstep
	closed.Number, closed.Kind, closed.Reason = 2, event.RoomClosed, "closed on request"
	if diff := cmp.Diff([]event.RoomReport{joined, closed}, reports); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
}

func TestCommandsThatCannotBeDone(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	opened := b.open(t, "s1")
	cases := []struct {
		name string
		call func() error
		want error
	}{
		{"saying nothing", func() error {
			_, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot), event.SayInRoom{Room: opened.Room})
			return err
		}, verification.ErrSayRefused},
		{"speaking in an unknown room", func() error {
			_, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot), event.SayInRoom{Room: "unknown", Text: "Hello"})
			return err
		}, verification.ErrRoomUnknown},
		{"asking another bot", func() error {
			_, err := call[event.RoomQuery, event.RoomView](b, event.RoomStateSubject("another"), event.RoomQuery{Room: opened.Room})
			return err
		}, eventbus.ErrUnavailable},
		{"asking for a room without a lifetime", func() error {
			_, err := call[event.OpenRoom, event.RoomOpened](b, event.RoomOpenSubject, event.OpenRoom{Session: "s1"})
			return err
		}, errors.New("any")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.call()
			if err == nil || (c.want.Error() != "any" && !errors.Is(err, c.want)) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestSeveralBotsShareTheLoad(t *testing.T) {
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
	for i := range 12 { // as many as there are places: not one request may be lost
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
	if _, err := b.tryOpen("one too many"); !errors.Is(err, eventbus.ErrUnavailable) && !errors.Is(err, verification.ErrFull) {
		t.Errorf("with all bots full: %v", err)
	}
}

func TestAFullBotLeavesTheQueueUntilARoomIsFree(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	first := b.open(t, "s1")
	await.That(t, "the full bot to leave the queue", func() bool {
		_, err := b.tryOpen("s2")
		return errors.Is(err, eventbus.ErrUnavailable)
	})
	b.close(t, first)
	await.That(t, "the bot to come back to the queue", func() bool {
		_, err := b.tryOpen("s2")
		return err == nil
	})
}

func TestABotThatRestsHandsOn(t *testing.T) {
	b := setup(t)
	b.game.refuse(verification.RetryLaterError{For: time.Hour, Cause: errors.New("refused")}, 1)
	b.start(t, 1)
	if _, err := b.tryOpen("s1"); !errors.Is(err, verification.ErrBackingOff) {
		t.Errorf("with nobody else: %v", err)
	}
	if _, err := b.tryOpen("s1"); !errors.Is(err, eventbus.ErrUnavailable) {
		t.Errorf("the bot that rests is in the queue: %v", err)
	}
	b.start(t, 1)
	b.open(t, "s1")
}

func TestTheSameSessionGetsTheSameRoom(t *testing.T) {
	b := setup(t)
	b.start(t, 2)
	if first, again := b.open(t, "s1"), b.open(t, "s1"); first != again {
		t.Errorf("got %+v, then %+v", first, again)
	}
}

func TestReportsOutliveNATSBeingAway(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	opened := b.open(t, "s1")
	room := b.game.room(t, opened.Link)

	b.server.Stop()
	await.That(t, "NATS to be away", func() bool { return !b.nc.IsConnected() })
	room.watcher.Left(room.watcher.Joined(event.Visitor{Name: "cloudstep"}))
	b.server.Restart()

	kinds := []event.RoomReportKind{}
	for _, r := range b.reports(t, opened.Room, 2) {
		kinds = append(kinds, r.Kind)
	}
	if diff := cmp.Diff([]event.RoomReportKind{event.RoomJoined, event.RoomLeft}, kinds); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
}

func TestAReportSentAgainIsKeptOnce(t *testing.T) {
	b := setup(t)
	reports := NewReports(b.js)
	for range 3 {
		if err := reports.Report(t.Context(), event.RoomReport{Room: "r1", Number: 1, Kind: event.RoomJoined}); err != nil {
			t.Fatal(err)
		}
	}
	stream, err := b.js.Stream(t.Context(), event.RoomsStream.Name)
	if err != nil {
		t.Fatal(err)
	}
	if got := stream.CachedInfo().State.Msgs; got != 1 {
		t.Errorf("%d reports are kept, want 1", got)
	}
	msg, err := stream.GetMsg(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := msg.Header.Get(nats.MsgIdHdr); got != "r1.1" {
		t.Errorf("message id %q, want r1.1", got)
	}
}

func TestABotWithoutNATSGivesItsRoomsUp(t *testing.T) {
	b := setup(t)
	bot := b.startPatient(t, 1, 50*time.Millisecond)
	opened := b.open(t, "s1")
	b.server.Stop()
	await.That(t, "the room to be given up", func() bool { return bot.Held() == 0 })
	b.server.Restart()
	if got := b.reports(t, opened.Room, 1)[0].Kind; got != event.RoomLost {
		t.Errorf("reported as %s, want %s", got, event.RoomLost)
	}
	await.That(t, "the bot to open rooms again", func() bool { _, err := b.tryOpen("s2"); return err == nil })
}

func TestAStoppingBotReportsItsRoomsAsLost(t *testing.T) {
	b := setup(t)
	ctx, stop := context.WithCancel(t.Context())
	_, finished := b.run(ctx, t, 1, patience)
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

func TestCodesAreNeitherStoredNorLogged(t *testing.T) {
	b := setup(t)
	b.start(t, 1)
	opened := b.open(t, "s1")
	room := b.game.room(t, opened.Link)
	room.watcher.Joined(event.Visitor{Name: "cloudstep"})
	say := event.SayInRoom{Room: opened.Room, Text: "Your code is 042917."}
	if _, err := call[event.SayInRoom, done](b, event.RoomSaySubject(opened.Bot), say); err != nil {
		t.Fatal(err)
	}
	b.close(t, opened)
	for _, r := range b.reports(t, opened.Room, 2) {
		body, _ := json.Marshal(r)
		if bytes.Contains(body, []byte("042917")) {
			t.Errorf("a report holds the code: %s", body)
		}
	}
	for _, secret := range []string{"042917", opened.Link, "s1\""} {
		if strings.Contains(b.logged.String(), secret) {
			t.Errorf("the log holds %s:\n%s", secret, b.logged)
		}
	}
}

// bundle is a NATS server with the streams, a game, and auth's connection.
type bundle struct {
	server *natstest.Server
	nc     *nats.Conn
	js     jetstream.JetStream
	game   *game
	logged *logtest.Lines
	log    *slog.Logger
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{server: natstest.Start(t), game: &game{}, logged: &logtest.Lines{}}
	b.log = b.logged.Logger()
	b.nc, b.js = b.server.Provision()
	return b
}

func (b *bundle) start(t *testing.T, capacity int) {
	t.Helper()
	b.startPatient(t, capacity, patience)
}

// startPatient runs a bot until the test ends.
func (b *bundle) startPatient(t *testing.T, capacity int, patience time.Duration) *verification.Bot {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	bot, finished := b.run(ctx, t, capacity, patience)
	t.Cleanup(func() {
		stop()
		<-finished
	})
	return bot
}

// run runs a bot on a connection of its own and returns when it takes commands.
func (b *bundle) run(ctx context.Context, t *testing.T, capacity int, patience time.Duration) (*verification.Bot, <-chan struct{}) {
	t.Helper()
	nc, js := b.server.Connect()
	bot := verification.NewBot(capacity, b.game, NewReports(js), verification.NoopMeter, b.log)
	commands, err := Listen(nc, bot, b.log)
	if err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		commands.Run(ctx, patience)
	}()
	return bot, finished
}

func (b *bundle) open(t *testing.T, session string) event.RoomOpened {
	t.Helper()
	opened, err := b.tryOpen(session)
	if err != nil {
		t.Errorf("open for %s: %v", session, err)
	}
	return opened
}

func (b *bundle) tryOpen(session string) (event.RoomOpened, error) {
	return call[event.OpenRoom, event.RoomOpened](b, event.RoomOpenSubject, event.OpenRoom{Session: session, Lifetime: 60_000})
}

func (b *bundle) close(t *testing.T, opened event.RoomOpened) {
	t.Helper()
	if _, err := call[event.CloseRoom, done](b, event.RoomCloseSubject(opened.Bot), event.CloseRoom{Room: opened.Room}); err != nil {
		t.Fatalf("close: %v", err)
	}
}

// reports waits for so many reports of a room and returns them in the stream's order.
func (b *bundle) reports(t *testing.T, room string, count int) []event.RoomReport {
	t.Helper()
	await.That(t, "NATS to be back", b.nc.IsConnected)
	consumer, err := b.js.OrderedConsumer(t.Context(), event.RoomsStream.Name, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{event.RoomEventSubject(room)},
	})
	if err != nil {
		t.Fatal(err)
	}
	var reports []event.RoomReport
	for len(reports) < count {
		msg, err := consumer.Next(jetstream.FetchMaxWait(10 * time.Second))
		if err != nil {
			t.Fatalf("after %d of %d reports: %v", len(reports), count, err)
		}
		var r event.RoomReport
		if err := json.Unmarshal(msg.Data(), &r); err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	return reports
}

func call[Req, Resp any](b *bundle, subject string, req Req) (Resp, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return eventbus.Call[Req, Resp](ctx, b.nc, subject, req)
}

// game is a verification.Game in which the test plays the visitors.
type game struct {
	mu       sync.Mutex
	rooms    []*gameRoom
	refusal  error
	refusals int // still to come
}

// refuse has the next rooms refused.
func (g *game) refuse(err error, times int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refusal, g.refusals = err, times
}

func (g *game) Open(_ context.Context, watcher verification.Watcher) (verification.GameRoom, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refusals > 0 {
		g.refusals--
		return nil, g.refusal
	}
	room := &gameRoom{watcher: watcher, link: fmt.Sprintf("http://rooms.test/%d", len(g.rooms))}
	g.rooms = append(g.rooms, room)
	return room, nil
}

func (g *game) room(t *testing.T, link string) *gameRoom {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.IndexFunc(g.rooms, func(r *gameRoom) bool { return r.link == link })
	if i < 0 {
		t.Fatalf("no room has the link %q", link)
	}
	return g.rooms[i]
}

type gameRoom struct {
	watcher verification.Watcher
	link    string

	mu    sync.Mutex
	texts []string
}

func (r *gameRoom) Link() string { return r.link }

func (r *gameRoom) Say(_ context.Context, text string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, text)
	return nil
}

func (r *gameRoom) Close(context.Context) error { return nil }

func (r *gameRoom) said() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.texts)
}
