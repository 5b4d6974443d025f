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
	slow    time.Duration
	refuses error
	rooms   []*playedRoom
}

func (g *playedGame) Open(_ context.Context, watcher Watcher) (GameRoom, error) {
	time.Sleep(g.slow) // of a synctest bubble: no real time passes
	if g.refuses != nil {
		return nil, g.refuses
	}
	room := &playedRoom{watcher: watcher, link: "link-" + strconv.Itoa(len(g.rooms))}
	g.rooms = append(g.rooms, room)
	return room, nil
}

type playedRoom struct {
	watcher Watcher
	link    string
	said    []string
	closed  int
}

func (r *playedRoom) Link() string { return r.link }

func (r *playedRoom) Say(_ context.Context, text string) error {
	r.said = append(r.said, text)
	return nil
}

func (r *playedRoom) Close(context.Context) error {
	r.closed++
	return nil
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

func (n *notebook) kinds() []event.RoomReportKind {
	n.mu.Lock()
	defer n.mu.Unlock()
	var kinds []event.RoomReportKind
	for r := range slices.Values(n.kept) {
		kinds = append(kinds, r.Kind)
	}
	return kinds
}
