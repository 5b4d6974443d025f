package gameroom_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/devstack/gametest"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
)

var account = bonkio.Credentials{Name: "capzonebot", Password: "correct horse"}

// bundle is a stand-in for the game, and rooms on it.
type bundle struct {
	t        *testing.T
	game     *gametest.Server
	rooms    *gameroom.Rooms
	log      string // the file of the log
	failures *prometheus.CounterVec
}

// setup returns rooms on a stand-in that has the bot's account. change may be nil.
func setup(t *testing.T, change func(cfg *gameroom.Config)) *bundle {
	t.Helper()
	t.Parallel()
	b := &bundle{
		t: t, game: gametest.Start(t, gametest.Options{}), log: filepath.Join(t.TempDir(), "log"),
		failures: gameroom.NewFailures(prometheus.NewRegistry()),
	}
	log, err := os.Create(b.log)
	require.NoError(t, err)
	t.Cleanup(func() { _ = log.Close() })
	b.game.Account(account.Name, string(account.Password))
	cfg := gameroom.Config{
		Account: account, Servers: []bonkio.Server{serverOf(b.game)}, SiteName: "Capzone",
		Backoff:   gameroom.BackoffLimits{Initial: time.Hour, Max: time.Hour},
		GuestStay: time.Hour, GuestReads: time.Hour,
	}
	if change != nil {
		change(&cfg)
	}
	client := bonkio.NewClient(bonkio.Config{
		LoginURL: b.game.LoginURL(), RoomsURL: b.game.RoomsURL(), SocketURL: b.game.SocketURL(),
		LinkURL: b.game.LinkURL(),
		Version: 49, ChatSpacing: 10 * time.Millisecond,
	})
	b.rooms = gameroom.New(cfg, client, b.failures,
		slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(b.rooms.Close)
	return b
}

func serverOf(game *gametest.Server) bonkio.Server {
	return bonkio.Server{Name: game.ServerName(), Location: bonkio.Location{Country: "US"}}
}

// wantFailures compares the steps at which the game refused, once each.
func (b *bundle) wantFailures(want ...gameroom.Step) {
	b.t.Helper()
	for _, step := range gameroom.Steps() {
		expected := 0.0
		if slices.Contains(want, step) {
			expected = 1
		}
		if got := testutil.ToFloat64(b.failures.WithLabelValues(string(step))); got != expected {
			b.t.Errorf("%v failures at %s, want %v", got, step, expected)
		}
	}
}

// places is how many visitors a fakeWatcher accepts unless a test changes it.
const places = 32

// open opens a room, and closes it when the test ends.
func (b *bundle) open() (verification.GameRoom, *fakeWatcher) {
	b.t.Helper()
	w := &fakeWatcher{places: places}
	room, err := b.rooms.Open(b.t.Context())
	require.NoError(b.t, err)
	room.Watch(w)
	b.t.Cleanup(func() { _ = room.Close(context.Background()) })
	return room, w
}

// fakeWatcher is a verification.Watcher that records what is reported to it.
type fakeWatcher struct {
	mu     sync.Mutex
	places int // visitors that are accepted
	seen   []event.Visitor
	gone   []int64
	names  []string
	lost   string
	host   string // why the host changed
}

func (w *fakeWatcher) accept(places int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.places = places
}

func (w *fakeWatcher) Joined(v event.Visitor) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) >= w.places {
		return 0
	}
	v.Visit = int64(len(w.seen)) + 1
	w.seen = append(w.seen, v)
	return v.Visit
}

func (w *fakeWatcher) Left(visit int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = append(w.gone, visit)
}

func (w *fakeWatcher) Renamed(_ int64, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names = append(w.names, name)
}

func (w *fakeWatcher) HostChanged(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.host = reason
}

func (w *fakeWatcher) Lost(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = reason
}

func (w *fakeWatcher) visitors() []event.Visitor {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]event.Visitor{}, w.seen...)
}

func (w *fakeWatcher) left() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]int64{}, w.gone...)
}

func (w *fakeWatcher) renamed() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.names...)
}

func (w *fakeWatcher) loss() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

func (w *fakeWatcher) hostChange() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.host
}
