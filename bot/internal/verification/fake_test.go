package verification

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"capzone.dev/platform/event"
)

// fakeGame is a Game whose visitors are controlled by the test.
type fakeGame struct {
	mu      sync.Mutex
	delay   time.Duration // of Open
	refuses error
	// failedStep and checkErr are the results of Check.
	failedStep string
	checkErr   error
	checks     int
	allows     int // rooms at once; 0 is any number
	rooms      []*fakeRoom
}

func (g *fakeGame) Open(context.Context) (GameRoom, error) {
	time.Sleep(g.delay) // within synctest: no real time passes
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuses != nil {
		return nil, g.refuses
	}
	if g.allows > 0 && g.openRooms() >= g.allows {
		return nil, ErrLimit
	}
	room := &fakeRoom{
		link: "link-" + strconv.Itoa(len(g.rooms)), done: make(chan struct{}), watched: make(chan struct{}),
		openedAt: time.Now(),
	}
	g.rooms = append(g.rooms, room)
	return room, nil
}

func (g *fakeGame) Check(context.Context) (failedStep string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.checks++
	return g.failedStep, g.checkErr
}

// count returns how many rooms were created.
func (g *fakeGame) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.rooms)
}

func (g *fakeGame) openRooms() int {
	open := 0
	for _, room := range g.rooms {
		if !room.hasEnded() {
			open++
		}
	}
	return open
}

func (g *fakeGame) set(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
}

// first returns the first room after it was given to a session.
func (g *fakeGame) first() *fakeRoom {
	g.mu.Lock()
	room := g.rooms[0]
	g.mu.Unlock()
	<-room.watched
	return room
}

type fakeRoom struct {
	link     string
	openedAt time.Time
	watched  chan struct{}
	watcher  Watcher
	texts    []string // of the chat

	mu     sync.Mutex
	closed int
	done   chan struct{}
}

func (r *fakeRoom) Link() string { return r.link }

func (r *fakeRoom) Watch(watcher Watcher) {
	r.watcher = watcher
	close(r.watched)
}

func (r *fakeRoom) Done() <-chan struct{} { return r.done }

func (r *fakeRoom) hasEnded() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

func (r *fakeRoom) Say(_ context.Context, text string) error {
	r.texts = append(r.texts, text)
	return nil
}

func (r *fakeRoom) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed++
	if !r.hasEnded() {
		close(r.done)
	}
	return nil
}

// lose makes the game end the room.
func (r *fakeRoom) lose(reason string) {
	r.endInGame()
	r.watcher.Lost(reason)
}

// changeHost makes the game hand the room to another host.
func (r *fakeRoom) changeHost(reason string) {
	r.endInGame()
	r.watcher.HostChanged(reason)
}

func (r *fakeRoom) endInGame() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.hasEnded() {
		close(r.done)
	}
}

// fakeMetrics is a Metrics that records.
type fakeMetrics struct {
	mu     sync.Mutex
	ended  []Outcome
	times  []time.Duration // until a code was sent
	failed string          // the step of the last check
}

func (m *fakeMetrics) RoomEnded(outcome Outcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = append(m.ended, outcome)
}

func (m *fakeMetrics) CodeSent(responseTime time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.times = append(m.times, responseTime)
}

func (m *fakeMetrics) Checked(failedStep string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed = failedStep
}

// metricsOf returns the metrics of a bot that setup made.
func metricsOf(bot *Bot) *fakeMetrics { return bot.metrics.(*fakeMetrics) }

// fakeReporter is a Reporter that stores reports, except while it is unavailable.
type fakeReporter struct {
	mu          sync.Mutex
	unavailable bool
	stored      []event.RoomReport
}

func (f *fakeReporter) Report(_ context.Context, r event.RoomReport) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unavailable {
		return errors.New("unavailable")
	}
	f.stored = append(f.stored, r)
	return nil
}

func (f *fakeReporter) recover() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unavailable = false
}

func (f *fakeReporter) reports() []event.RoomReport {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.stored)
}

func (f *fakeReporter) kinds() []event.RoomReportKind {
	f.mu.Lock()
	defer f.mu.Unlock()
	var kinds []event.RoomReportKind
	for r := range slices.Values(f.stored) {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}
