package verification

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

// reserve finds the session's room or takes a place for a new one.
func (b *Bot) reserve(session string, lifetime time.Duration) (r *room, fresh bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.sessions[session]; ok {
		return r, false, nil
	}
	switch {
	case b.leaving || len(b.sessions) >= b.capacity:
		return nil, false, ErrFull
	case b.backingOff():
		return nil, false, ErrBackingOff
	}
	id := unguessable()
	r = &room{
		id: id, session: session, deadline: time.Now().Add(lifetime),
		reports: newReports(), lost: b.lose,
		opened: make(chan struct{}), ledger: newLedger(b.id, id, session),
	}
	b.sessions[session] = r
	b.sending.Add(1)
	b.signal()
	return r, true, nil
}

// fill opens the game's side of a reserved room and starts the room's life.
func (b *Bot) fill(ctx context.Context, r *room) {
	defer close(r.opened)
	r.game, r.err = b.game.Open(ctx, r)
	if r.err != nil {
		b.log.Warn("no room was opened", "error", r.err)
		b.meter.Ended(Refused)
		b.backOff(r.err)
		b.release(r)
		b.sending.Done()
		return
	}
	b.log.Info("room opened", "room", r.id)
	b.mu.Lock()
	b.rooms[r.id] = r
	leaving := b.leaving
	b.mu.Unlock()
	go func() {
		defer b.sending.Done()
		ctx, cancel := context.WithDeadline(b.running, r.deadline.Add(reportGrace))
		defer cancel()
		r.reports.send(ctx, b.reporter, b.log.With("room", r.id))
	}()

	r.mu.Lock()
	r.lifetime = time.AfterFunc(time.Until(r.deadline), func() { b.end(b.running, r, Expired, "lifetime over") })
	r.mu.Unlock()
	time.AfterFunc(time.Until(r.deadline)+reportGrace, func() { b.forget(r) })
	if leaving {
		b.end(ctx, r, Abandoned, "the bot is shutting down")
	}
}

// backOff keeps the bot from asking the game for rooms while it gives none.
func (b *Bot) backOff(err error) {
	var later RetryLaterError
	if !errors.As(err, &later) {
		return
	}
	b.mu.Lock()
	if until := time.Now().Add(later.For); until.After(b.backOffUntil) {
		b.backOffUntil = until
	}
	b.mu.Unlock()
	time.AfterFunc(later.For, b.signal)
}

// refusal is what the one who asked for a room is told of the game's error.
func refusal(err error) error {
	if later := (RetryLaterError{}); errors.As(err, &later) {
		return ErrBackingOff.Wrap(err)
	}
	return ErrNoRoom.Wrap(err)
}

// end ends an open room: in the ledger first, so that nobody enters any more.
func (b *Bot) end(ctx context.Context, r *room, outcome Outcome, reason string) {
	kind := event.RoomClosed
	if outcome == Abandoned {
		kind = event.RoomLost
	}
	if !r.end(kind, reason) {
		return
	}
	b.log.Info("room ended", "room", r.id, "outcome", outcome, "reason", reason)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	if err := r.game.Close(ctx); err != nil {
		b.log.Warn("the game's room was not closed", "room", r.id, "error", err)
	}
	b.meter.Ended(outcome)
	b.release(r)
}

// lose takes note of a room that the game has lost.
func (b *Bot) lose(r *room, reason string) {
	b.log.Warn("room ended", "room", r.id, "outcome", Lost, "reason", reason)
	b.meter.Ended(Lost)
	b.release(r)
}

func (b *Bot) find(id string) *room {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rooms[id]
}

func (b *Bot) held() []*room {
	b.mu.Lock()
	defer b.mu.Unlock()
	var held []*room
	for _, r := range b.sessions {
		if b.rooms[r.id] != nil {
			held = append(held, r)
		}
	}
	return held
}

// release gives the room's place back.
func (b *Bot) release(r *room) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sessions[r.session] == r {
		delete(b.sessions, r.session)
	}
	b.signal()
}

func (b *Bot) forget(r *room) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.rooms, r.id)
}

func (b *Bot) signal() {
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// unguessable is 128 random bits in characters that a subject and a link may hold.
func unguessable() string { return strings.ToLower(rand.Text()) }
