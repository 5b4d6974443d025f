package natsapi

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/eventually"
	"capzone.dev/devstack/natstest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

const outageTimeout = 30 * time.Second

// bundle is a NATS server with the streams, a game, and auth's connection.
type bundle struct {
	server *natstest.Server
	nc     *nats.Conn
	js     jetstream.JetStream
	game   *game
	log    *slog.Logger
	file   string // of the log
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{server: natstest.Start(t), game: &game{}, file: filepath.Join(t.TempDir(), "log")}
	log, err := os.Create(b.file)
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	b.log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b.nc, b.js = b.server.Provision()
	return b
}

func (b *bundle) start(t *testing.T, capacity int) {
	t.Helper()
	b.startWith(t, capacity, outageTimeout)
}

// startWith runs a bot until the test ends.
func (b *bundle) startWith(t *testing.T, capacity int, outageTimeout time.Duration) *verification.Bot {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	bot, finished := b.run(ctx, t, capacity, outageTimeout)
	t.Cleanup(func() {
		stop()
		<-finished
	})
	return bot
}

// run runs a bot on a connection of its own and returns when it takes commands.
func (b *bundle) run(
	ctx context.Context, t *testing.T, capacity int, outageTimeout time.Duration,
) (*verification.Bot, <-chan struct{}) {
	t.Helper()
	nc, js := b.server.Connect()
	cfg := verification.Config{Capacity: capacity, QueueTimeout: time.Minute, UnusedAfter: time.Minute}
	bot := verification.NewBot(cfg, b.game, NewReports(js), noMetrics{}, b.log)
	server, err := NewServer(nc, bot, b.log)
	require.NoError(t, err)
	require.NoError(t, nc.Flush())
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		server.Run(ctx, outageTimeout)
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
	return call[event.OpenRoom, event.RoomOpened](b, event.RoomOpenSubject,
		event.OpenRoom{Session: session, Lifetime: 60_000})
}

// wait asks for a room or a position in a queue.
func (b *bundle) wait(session string) (event.RoomOpened, error) {
	return call[event.OpenRoom, event.RoomOpened](b, event.RoomWaitSubject,
		event.OpenRoom{Session: session, Lifetime: 60_000})
}

func (b *bundle) close(t *testing.T, opened event.RoomOpened) {
	t.Helper()
	if _, err := call[event.CloseRoom, done](b, event.RoomCloseSubject(opened.Bot),
		event.CloseRoom{Room: opened.Room}); err != nil {
		t.Fatalf("close: %v", err)
	}
}

// reports waits for so many reports of a room and returns them in the stream's order.
func (b *bundle) reports(t *testing.T, room string, count int) []event.RoomReport {
	t.Helper()
	eventually.WaitFor(t, "NATS to be back", b.nc.IsConnected)
	consumer, err := b.js.OrderedConsumer(t.Context(), event.RoomsStream.Name, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{event.RoomEventSubject(room)},
	})
	require.NoError(t, err)
	var reports []event.RoomReport
	for len(reports) < count {
		msg, err := consumer.Next(jetstream.FetchMaxWait(10 * time.Second))
		if err != nil {
			t.Fatalf("after %d of %d reports: %v", len(reports), count, err)
		}
		var r event.RoomReport
		require.NoError(t, json.Unmarshal(msg.Data(), &r))
		reports = append(reports, r)
	}
	return reports
}

func call[Req, Resp any](b *bundle, subject string, req Req) (Resp, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return eventbus.Call[Resp](ctx, b.nc, subject, req)
}

// noMetrics is a verification.Metrics that records nothing.
type noMetrics struct{}

func (noMetrics) RoomEnded(verification.Outcome) {}
func (noMetrics) CodeSent(time.Duration)         {}
func (noMetrics) Checked(string)                 {}

// game is a verification.Game whose visitors are controlled by the test.
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

func (g *game) Open(context.Context) (verification.GameRoom, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refusals > 0 {
		g.refusals--
		return nil, g.refusal
	}
	room := &gameRoom{link: fmt.Sprintf("http://rooms.test/%d", len(g.rooms)), done: make(chan struct{})}
	g.rooms = append(g.rooms, room)
	return room, nil
}

func (g *game) Check(context.Context) (failedStep string, err error) { return "", nil }

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
	done    chan struct{}
	once    sync.Once

	mu    sync.Mutex
	texts []string
}

func (r *gameRoom) Watch(watcher verification.Watcher) { r.watcher = watcher }

func (r *gameRoom) Done() <-chan struct{} { return r.done }

func (r *gameRoom) Link() string { return r.link }

func (r *gameRoom) Say(_ context.Context, text string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, text)
	return nil
}

func (r *gameRoom) Close(context.Context) error {
	r.once.Do(func() { close(r.done) })
	return nil
}

func (r *gameRoom) sent() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.texts)
}
