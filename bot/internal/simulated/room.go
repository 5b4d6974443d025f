package simulated

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
)

const (
	// readableFor is how long the chat of a closed room can still be read.
	readableFor = time.Minute
	// places is how many visitors a room holds at once. The game's room has one,
	// beside the bot; with a second one a developer can make a login void.
	places = 2
	// maxChat is how many lines of its chat a room stores.
	maxChat = 100
	// botName is the sender of the bot's lines.
	botName = "Capzone"
)

// Rooms are the simulated rooms of one bot. They are a verification.Game.
type Rooms struct {
	prefix string

	mu    sync.Mutex
	rooms map[string]*room // by the secret part of the link
}

// New returns rooms whose links begin with the address at which Handler is served.
func New(publicURL string) *Rooms {
	return &Rooms{prefix: strings.TrimRight(publicURL, "/") + "/rooms/", rooms: map[string]*room{}}
}

// Open implements verification.Game. The link has a secret of its own, because the room's id is in
// reports and logs.
func (r *Rooms) Open(context.Context) (verification.GameRoom, error) {
	key := strings.ToLower(rand.Text())
	opened := &room{link: r.prefix + key, done: make(chan struct{})}
	opened.forget = func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.rooms, key)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rooms[key] = opened
	return opened, nil
}

// Check implements verification.Game. A page of this process needs no check.
func (r *Rooms) Check(context.Context) (failedStep string, err error) { return "", nil }

func (r *Rooms) find(key string) (*room, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.rooms[key]
	if !ok {
		return nil, errRoomUnknown
	}
	return found, nil
}

// message is a line of a room's chat.
type message struct {
	From string    `json:"from"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// room is a simulated room, a verification.GameRoom. It holds its lock while it calls the watcher, so
// that reports are in their order.
type room struct {
	link   string
	forget func()
	done   chan struct{} // closed with the room

	mu      sync.Mutex
	watcher verification.Watcher // nil until Watch, and when the room is closed
	inside  []int64              // visits, the newest last
	chat    []message
}

func (r *room) Link() string { return r.link }

func (r *room) Done() <-chan struct{} { return r.done }

func (r *room) Watch(watcher verification.Watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watcher = watcher
}

func (r *room) Say(_ context.Context, text string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.chat = append(r.chat, message{From: botName, Text: text, At: time.Now().UTC()})
	r.chat = r.chat[max(0, len(r.chat)-maxChat):]
	return nil
}

func (r *room) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isOpen() {
		r.watcher, r.inside = nil, nil
		close(r.done)
		time.AfterFunc(readableFor, r.forget)
	}
	return nil
}

func (r *room) isOpen() bool {
	select {
	case <-r.done:
		return false
	default:
		return true
	}
}

// enter reports a new visitor. It returns errRoomClosed or errRoomFull.
func (r *room) enter(v event.Visitor) (visit int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.watcher == nil:
		return 0, errRoomClosed
	case len(r.inside) >= places:
		return 0, errRoomFull
	}
	visit = r.watcher.Joined(v)
	if visit == 0 {
		return 0, errRoomClosed
	}
	r.inside = append(r.inside, visit)
	return visit, nil
}

// leave removes a visitor; visit 0 means the newest. It returns errNotInside.
func (r *room) leave(visit int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	visit, err := r.visitor(visit)
	if err != nil {
		return err
	}
	r.inside = slices.DeleteFunc(r.inside, func(v int64) bool { return v == visit })
	r.watcher.Left(visit)
	return nil
}

// rename gives a visitor another name; visit 0 means the newest. It returns errNotInside.
func (r *room) rename(visit int64, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	visit, err := r.visitor(visit)
	if err != nil {
		return err
	}
	r.watcher.Renamed(visit, name)
	return nil
}

func (r *room) visitor(visit int64) (int64, error) {
	if visit == 0 && len(r.inside) > 0 {
		return r.inside[len(r.inside)-1], nil
	}
	if !slices.Contains(r.inside, visit) {
		return 0, errNotInside
	}
	return visit, nil
}

// messages returns the chat so far, and whether the room is open.
func (r *room) messages() (chat []message, open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]message{}, r.chat...), r.isOpen()
}
