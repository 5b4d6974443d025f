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

// playedGame is a Game in which the test plays the visitors.
type playedGame struct {
	mu       sync.Mutex
	slow     time.Duration
	refuses  error
	checkErr error
	checks   int
	allows   int // rooms at once; 0 is any number
	rooms    []*playedRoom
}

func (g *playedGame) Open(context.Context) (GameRoom, error) {
	time.Sleep(g.slow) // of a synctest bubble: no real time passes
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refuses != nil {
		return nil, g.refuses
	}
	if g.allows > 0 && g.openRooms() >= g.allows {
		return nil, LimitError{errors.New("too many rooms")}
	}
	room := &playedRoom{
		link: "link-" + strconv.Itoa(len(g.rooms)), over: make(chan struct{}), watched: make(chan struct{}), openedAt: time.Now(),
	}
	g.rooms = append(g.rooms, room)
	return room, nil
}

func (g *playedGame) Check(context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.checks++
	return g.checkErr
}

// count returns how many rooms were created.
func (g *playedGame) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.rooms)
}

func (g *playedGame) openRooms() int {
	open := 0
	for _, room := range g.rooms {
		if !room.isOver() {
			open++
		}
	}
	return open
}

func (g *playedGame) set(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
}

// first returns the first room once it is given to a session.
func (g *playedGame) first() *playedRoom {
	g.mu.Lock()
	room := g.rooms[0]
	g.mu.Unlock()
	<-room.watched
	return room
}

type playedRoom struct {
	link     string
	openedAt time.Time
	watched  chan struct{}
	watcher  Watcher
	said     []string

	mu     sync.Mutex
	closed int
	over   chan struct{}
}

func (r *playedRoom) Link() string { return r.link }

func (r *playedRoom) Watch(watcher Watcher) {
	r.watcher = watcher
	close(r.watched)
}

func (r *playedRoom) Over() <-chan struct{} { return r.over }

func (r *playedRoom) isOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

func (r *playedRoom) Say(_ context.Context, text string) error {
	r.said = append(r.said, text)
	return nil
}

func (r *playedRoom) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed++
	if !r.isOver() {
		close(r.over)
	}
	return nil
}

// lose makes the game end the room.
func (r *playedRoom) lose(reason string) {
	r.endInGame()
	r.watcher.Lost(reason)
}

// take makes the game hand the room to another host.
func (r *playedRoom) take(reason string) {
	r.endInGame()
	r.watcher.Taken(reason)
}

func (r *playedRoom) endInGame() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isOver() {
		close(r.over)
	}
}

// notebook is a Reporter that keeps reports, except while it is away.
type notebook struct {
	mu   sync.Mutex
	away bool
	kept []event.RoomReport
}

func (n *notebook) Report(_ context.Context, r event.RoomReport) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.away {
		return errors.New("away")
	}
	n.kept = append(n.kept, r)
	return nil
}

func (n *notebook) comeBack() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.away = false
}

func (n *notebook) reports() []event.RoomReport {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.kept)
}

func (n *notebook) kinds() []event.RoomReportKind {
	n.mu.Lock()
	defer n.mu.Unlock()
	var kinds []event.RoomReportKind
	for r := range slices.Values(n.kept) {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}
