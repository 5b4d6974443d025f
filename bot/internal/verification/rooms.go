package verification

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

// enqueue returns the session's room, which has a place in the line if it is new. It reports
// whether the room is open or is being created, so that the request waits for it. It returns
// ErrBackingOff or ErrFull.
func (b *Bot) enqueue(req event.OpenRoom, lifetime time.Duration, mayWait bool) (r *room, soon bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, known := b.sessions[req.Session]
	if !known {
		switch {
		case !b.ready || b.isPaused(b.cfg.LineTimeout):
			return nil, false, ErrBackingOff
		case b.isStopping() || len(b.line) >= maxLine || !mayWait && !b.canOpen():
			return nil, false, ErrFull
		}
		r = b.addToLine(req.Session, lifetime, req.Held)
		b.dispatch()
	}
	place := slices.Index(b.line, r)
	return r, place < 0 || place < b.creations, nil
}

// addToLine adds a session to the line, before those whose address has more rooms already.
func (b *Bot) addToLine(session string, lifetime time.Duration, held int) *room {
	place := slices.IndexFunc(b.line, func(other *room) bool { return other.held > held })
	if place < 0 {
		place = len(b.line)
	}
	ctx, cancel := context.WithCancel(b.running)
	r := &room{
		bot: b, id: newID(), session: session, lifetime: lifetime, stopReports: cancel,
		held: held, place: place, waitsUntil: time.Now().Add(b.cfg.LineTimeout), decided: make(chan struct{}),
		renamed: map[int64]bool{}, added: make(chan struct{}, 1),
	}
	b.line = slices.Insert(b.line, place, r)
	b.sessions[session], b.rooms[r.id] = r, r
	b.sending.Go(func() { r.sendReports(ctx) })
	return r
}

// decide ends a login's wait: with a room of the game, or with err. mu is held.
func (b *Bot) decide(r *room, game GameRoom, err error) {
	b.line = slices.DeleteFunc(b.line, func(other *room) bool { return other == r })
	r.err = err
	defer close(r.decided)
	if game == nil {
		return
	}
	if !r.open(game) {
		r.err = ErrNoRoom // the login has ended meanwhile
		b.spares = append(b.spares, game)
		return
	}
	b.log.Info("room opened", "room", r.id)
	time.AfterFunc(r.lifetime+reportGrace, r.stopReports)
	game.Watch(r)
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
	select {
	case <-r.decided:
	default:
		b.decide(r, nil, err)
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
