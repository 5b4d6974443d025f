package simulated

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"

	"capzone.dev/bot/internal/verification"
)

// readableFor is how long the chat of a closed room can still be read.
const readableFor = time.Minute

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

// Open implements verification.Game. The link holds a secret of its own: the
// room's id is in reports and logs and lets nobody in.
func (r *Rooms) Open(context.Context) (verification.GameRoom, error) {
	key := strings.ToLower(rand.Text())
	opened := &room{link: r.prefix + key, over: make(chan struct{})}
	opened.forget = func() { time.AfterFunc(readableFor, func() { r.forget(key) }) }
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rooms[key] = opened
	return opened, nil
}

// Check implements verification.Game. A page of this process needs no check.
func (r *Rooms) Check(context.Context) error { return nil }

func (r *Rooms) find(key string) (*room, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found, ok := r.rooms[key]
	if !ok {
		return nil, ErrRoomUnknown
	}
	return found, nil
}

func (r *Rooms) forget(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.rooms, key)
}
