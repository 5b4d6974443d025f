package verification

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

// enqueue returns the session's room, which waits in the queue if it is new. It reports
// whether the room is open or is being created, so that the request waits for it. It returns
// ErrBackingOff or ErrFull.
func (b *Bot) enqueue(req event.OpenRoom, lifetime time.Duration, mayWait bool) (r *room, soon bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, known := b.sessions[req.Session]
	if !known {
		now := time.Now()
		if err := b.queue.admit(now, mayWait); err != nil {
			return nil, false, err
		}
		r = b.newRoom(req.Session, lifetime)
		b.queue.add(r, req.Held, now)
		b.dispatch()
	}
	return r, b.queue.position(r) < b.queue.creating, nil
}

// newRoom returns the room of a session, which is not open yet.
func (b *Bot) newRoom(session string, lifetime time.Duration) *room {
	ctx, cancel := context.WithCancel(context.Background())
	r := &room{
		bot: b, id: newID(), session: session, lifetime: lifetime, stopReports: cancel,
		decided: make(chan struct{}), renamed: map[int64]bool{}, added: make(chan struct{}, 1),
	}
	b.sessions[session], b.rooms[r.id] = r, r
	b.sending.Go(func() { r.sendReports(ctx) })
	return r
}

// assign gives a login a room of the game. mu is held.
func (b *Bot) assign(r *room, created GameRoom) {
	if !r.open(created) {
		b.queue.giveBack(created) // the login has ended meanwhile
		return
	}
	r.decide(nil)
	b.log.Info("room opened", "room", r.id)
	time.AfterFunc(r.lifetime+reportGrace, r.stopReports)
	created.Watch(r)
}

// end ends a room, unless it has ended: first its state, so that no visitor can enter, then the game's room.
func (b *Bot) end(ctx context.Context, r *room, outcome Outcome, reason string) {
	kind := event.RoomClosed
	if outcome == Abandoned {
		kind = event.RoomLost
	}
	game, ended := r.end(kind, reason)
	if !ended {
		return
	}
	b.log.Info("room ended", "room", r.id, "outcome", outcome, "reason", reason)
	b.release(r, ErrNoRoom)
	if game == nil {
		return
	}
	b.metrics.RoomEnded(outcome)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := game.Close(ctx); err != nil {
		b.log.Warn("the game's room was not closed", "room", r.id, "error", err)
	}
}

// gameEnded is called when the game has ended a room.
func (b *Bot) gameEnded(r *room, reason string) {
	b.log.Warn("room ended", "room", r.id, "outcome", Lost, "reason", reason)
	b.metrics.RoomEnded(Lost)
	b.release(r, nil)
}

// release forgets a room that has ended. A login that still waits gets err.
func (b *Bot) release(r *room, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget(r)
	b.queue.remove(r)
	select {
	case <-r.decided:
	default:
		r.decide(err)
	}
	b.dispatch()
}

// forget forgets a session at once, and its room reportGrace after the lifetime. mu is held.
func (b *Bot) forget(r *room) {
	if b.sessions[r.session] == r {
		delete(b.sessions, r.session)
	}
	time.AfterFunc(r.lifetime+reportGrace, func() {
		r.stopReports()
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.rooms, r.id)
	})
}

// newID returns 128 random bits as lower-case letters and digits.
func newID() string { return strings.ToLower(rand.Text()) }
