package gameroom_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"capzone.dev/bot/gametest"
	"capzone.dev/bot/internal/bonkio"
	"capzone.dev/bot/internal/gameroom"
	"capzone.dev/bot/internal/logtest"
	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
)

var account = bonkio.Credentials{Name: "capzonebot", Password: "correct horse"}

// bundle is a stand-in for the game, and rooms on it.
type bundle struct {
	t      *testing.T
	game   *gametest.Server
	rooms  *gameroom.Rooms
	logged *logtest.Lines

	mu       sync.Mutex
	failures []gameroom.Step
}

// setup returns rooms on a stand-in that has the bot's account. Change may alter how they treat the game.
func setup(t *testing.T, change func(cfg *gameroom.Config)) *bundle {
	t.Helper()
	t.Parallel()
	b := &bundle{t: t, game: gametest.Start(t, gametest.Options{}), logged: &logtest.Lines{}}
	b.game.Account(account.Name, string(account.Password))
	cfg := gameroom.Config{
		Account: account, Servers: []bonkio.Server{serverOf(b.game)}, SiteName: "Capzone",
		Backoff:   gameroom.BackoffLimits{Initial: time.Hour, Max: time.Hour},
		GuestStay: time.Hour, GuestReads: time.Hour, Failed: b.failed,
	}
	if change != nil {
		change(&cfg)
	}
	client := bonkio.NewClient(bonkio.Config{
		LoginURL: b.game.LoginURL(), RoomsURL: b.game.RoomsURL(), SocketURL: b.game.SocketURL(), LinkURL: b.game.LinkURL(),
		Version: 49, ChatSpacing: 10 * time.Millisecond,
	})
	b.rooms = gameroom.New(cfg, client, b.logged.Logger())
	t.Cleanup(b.rooms.Close)
	return b
}

func serverOf(game *gametest.Server) bonkio.Server {
	return bonkio.Server{Name: game.ServerName(), Location: bonkio.Location{Country: "US"}}
}

func (b *bundle) failed(step gameroom.Step) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures = append(b.failures, step)
}

func (b *bundle) failedSteps() []gameroom.Step {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]gameroom.Step{}, b.failures...)
}

// places is how many a witness lets in where a test says nothing else.
const places = 32

// open opens a room, and closes it when the test ends.
func (b *bundle) open() (verification.GameRoom, *witness) {
	b.t.Helper()
	w := &witness{places: places}
	room, err := b.rooms.Open(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	room.Watch(w)
	b.t.Cleanup(func() { _ = room.Close(context.Background()) })
	return room, w
}

// witness is a verification.Watcher that notes what is reported to it.
type witness struct {
	mu     sync.Mutex
	places int // how many may come in
	seen   []event.Visitor
	gone   []int64
	names  []string
	lost   string
	taken  string
}

func (w *witness) letIn(places int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.places = places
}

func (w *witness) Joined(v event.Visitor) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) >= w.places {
		return 0
	}
	v.Visit = int64(len(w.seen)) + 1
	w.seen = append(w.seen, v)
	return v.Visit
}

func (w *witness) Left(visit int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = append(w.gone, visit)
}

func (w *witness) Renamed(_ int64, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names = append(w.names, name)
}

func (w *witness) Taken(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taken = reason
}

func (w *witness) Lost(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost = reason
}

func (w *witness) visitors() []event.Visitor {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]event.Visitor{}, w.seen...)
}

func (w *witness) left() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]int64{}, w.gone...)
}

func (w *witness) renamed() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.names...)
}

func (w *witness) lostBecause() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lost
}

func (w *witness) takenBecause() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.taken
}
