package simulated

import (
	"context"
	"slices"
	"sync"
	"time"

	"capzone.dev/bot/internal/verification"
	"capzone.dev/platform/event"
)

const (
	// places is how many visitors a room holds at once. The game's room has one,
	// beside the bot; a second one here lets a developer see a login go void.
	places = 2
	// maxChat bounds what a room remembers of its chat.
	maxChat = 100
	// botName is the sender of the bot's lines.
	botName = "Capzone"
)

// message is a line of a room's chat.
type message struct {
	From string    `json:"from"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

// room is a simulated room. It holds its lock while it calls the watcher, so
// that reports are in their order.
type room struct {
	link   string
	forget func()
	over   chan struct{} // closed with the room

	mu      sync.Mutex
	watcher verification.Watcher // nil until Watch, and when the room is closed
	inside  []int64              // visits, the newest last
	chat    []message
}

// Link implements verification.GameRoom.
func (r *room) Link() string { return r.link }

// Over implements verification.GameRoom.
func (r *room) Over() <-chan struct{} { return r.over }

// Watch implements verification.GameRoom.
func (r *room) Watch(watcher verification.Watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watcher = watcher
}

// Say implements verification.GameRoom.
func (r *room) Say(_ context.Context, text string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.chat = append(r.chat, message{From: botName, Text: text, At: time.Now().UTC()})
	if len(r.chat) > maxChat {
		r.chat = slices.Delete(r.chat, 0, len(r.chat)-maxChat)
	}
	return nil
}

// Close implements verification.GameRoom.
func (r *room) Close(context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isOver() {
		r.watcher, r.inside = nil, nil
		close(r.over)
		r.forget()
	}
	return nil
}

func (r *room) isOver() bool {
	select {
	case <-r.over:
		return true
	default:
		return false
	}
}

// enter lets a visitor in. Returns ErrRoomClosed or ErrRoomFull.
func (r *room) enter(v event.Visitor) (visit int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.watcher == nil:
		return 0, ErrRoomClosed
	case len(r.inside) >= places:
		return 0, ErrRoomFull
	}
	visit = r.watcher.Joined(v)
	if visit == 0 {
		return 0, ErrRoomClosed
	}
	r.inside = append(r.inside, visit)
	return visit, nil
}

// leave removes a visitor; visit 0 means the newest. Returns ErrNotInside.
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

// rename gives a visitor another name; visit 0 means the newest. Returns ErrNotInside.
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
		return 0, ErrNotInside
	}
	return visit, nil
}

// messages returns the chat so far, and whether the room is open.
func (r *room) messages() (chat []message, open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]message{}, r.chat...), !r.isOver()
}
