package verification

import (
	"context"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

const (
	// dispatchEvery is how often dispatch runs while something depends on the time.
	dispatchEvery = 100 * time.Millisecond
	// maxSpareAge is how long a spare room is kept.
	maxSpareAge = time.Hour
)

// CanOpen reports whether the bot has a room for another login at once.
func (b *Bot) CanOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue.canOpen(time.Now())
}

// CanWait reports whether the bot's queue accepts another login.
func (b *Bot) CanWait() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.queue.canWait(time.Now())
}

// Stats are numbers of rooms and logins at a moment.
type Stats struct {
	InUse   int // rooms that sessions have
	Free    int // rooms that the bot could open besides those that it has
	Limit   int // rooms at once that the bot allows itself
	Waiting int // logins in the queue
}

// Stats returns the bot's present numbers.
func (b *Bot) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	waiting := len(b.queue.waiting)
	return Stats{
		InUse: len(b.sessions) - waiting, Free: b.queue.free(time.Now()),
		Limit: b.queue.limit.current, Waiting: waiting,
	}
}

// Changed receives a value whenever the results of CanOpen or CanWait may have changed.
func (b *Bot) Changed() <-chan struct{} { return b.changed }

// dispatch does what the queue says. It is called after every change of the queue or the rooms, and every
// dispatchEvery while something depends on the time. mu is held.
func (b *Bot) dispatch() {
	for _, next := range b.queue.next(time.Now()) {
		switch do := next.(type) {
		case createRoom:
			b.creating.Go(b.create)
		case assignRoom:
			b.assign(do.login, do.room)
		case refuseLogin:
			b.refuse(do.login)
		case moveLogin:
			if do.login.queued {
				do.login.reportPosition(do.position)
			}
		case closeUnused:
			b.closeUnused(do.count)
		}
	}
	if b.tick == nil && b.queue.dependsOnTime(time.Now()) {
		b.tick = time.AfterFunc(dispatchEvery, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.tick = nil
			b.dispatch()
		})
	}
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// create creates a room of the game, which belongs to the pool first.
func (b *Bot) create() {
	began := time.Now()
	created, err := b.game.Open(b.ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.isStopping() && err == nil:
		b.creating.Go(func() { _ = created.Close(context.Background()) })
	case b.isStopping():
	case err != nil:
		b.log.Warn("no room was created", "error", err)
		b.metrics.RoomEnded(Refused)
		b.queue.refused(err, began, time.Now())
	default:
		b.queue.created(created)
		b.creating.Go(func() { b.follow(created) })
	}
	b.dispatch()
}

// follow waits until a room of the game has ended. It closes a room that was not given to a login
// within maxSpareAge or before the bot stops.
func (b *Bot) follow(created GameRoom) {
	spareTime, cancel := context.WithTimeout(b.ctx, maxSpareAge)
	defer cancel()
	select {
	case <-created.Done():
	case <-spareTime.Done():
		b.mu.Lock()
		isSpare := b.queue.takeSpare(created)
		b.mu.Unlock()
		if isSpare {
			_ = created.Close(context.Background())
		}
		<-created.Done()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.closed(created)
	b.dispatch()
}

// refuse refuses a login that has waited too long. mu is held.
func (b *Bot) refuse(r *room) {
	if _, ended := r.end(event.RoomLost, "no room could be opened in time"); ended {
		b.log.Warn("a login was refused because no room was opened in time", "room", r.id)
		b.forget(r)
		r.decide(ErrBackingOff)
	}
}

// closeUnused closes rooms without visitors, the oldest first, at most count. mu is held.
func (b *Bot) closeUnused(count int) {
	var unused []*room
	for _, r := range b.sessions {
		if r.isUnused(b.cfg.UnusedAfter) {
			unused = append(unused, r)
		}
	}
	slices.SortFunc(unused, func(a, b *room) int { return a.openedAt.Compare(b.openedAt) })
	for _, r := range unused[:min(count, len(unused))] {
		go b.end(context.Background(), r, Unused, "no visitor entered, and other logins wait")
	}
}
