package verification

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

const (
	// maxLine bounds the logins that wait.
	maxLine = 32
	// dispatchEvery is how often the line is looked at while something is due.
	dispatchEvery = 100 * time.Millisecond
	// growEvery is how long after a limit of the game the bot tries one room more.
	growEvery = time.Minute
	// The rests after limits of the game that follow each other: the first one, and the longest.
	firstLimitPause, maxLimitPause = 2500 * time.Millisecond, 30 * time.Second
	// restAfterError is how long a game is left alone after an error that says nothing of it.
	restAfterError = time.Second
	// maxSpareAge is how long a spare room is kept.
	maxSpareAge = time.Hour
)

// CanOpen reports whether the bot has a room for another login at once.
func (b *Bot) CanOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.canOpen()
}

func (b *Bot) canOpen() bool {
	if !b.canServe() || len(b.line) > b.creations {
		return false
	}
	return len(b.spares) > 0 || (b.used() < b.limit && !b.isResting(0) && b.bucket.Tokens() >= 1)
}

// CanWait reports whether the bot's line accepts another login.
func (b *Bot) CanWait() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.canServe() && len(b.line) < maxLine && !b.isResting(b.cfg.LineTimeout)
}

// Free returns the number of rooms that the bot could open besides those that it has.
func (b *Bot) Free() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.canServe() || b.isResting(0) {
		return 0
	}
	return max(0, b.limit-b.used()+len(b.spares))
}

// Held returns the number of rooms that sessions have.
func (b *Bot) Held() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.sessions) - len(b.line)
}

// Waiting returns the number of logins in the line.
func (b *Bot) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.line)
}

// Limit returns the number of rooms at once that the bot allows itself at the moment.
func (b *Bot) Limit() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit
}

// Changed yields a token whenever CanOpen or CanWait may have changed.
func (b *Bot) Changed() <-chan struct{} { return b.changed }

func (b *Bot) canServe() bool { return b.ready && !b.isStopping() }

// used returns the number of rooms of the game that exist or are being created.
func (b *Bot) used() int { return b.open + b.creations }

// isResting reports whether the game gives no rooms for longer than d.
func (b *Bot) isResting(d time.Duration) bool { return time.Until(b.restUntil) > d }

// dispatch gives rooms to the logins that wait, and creates rooms: for them, or
// ahead. Whatever changes the line, the rooms or the pace calls it. mu is held.
func (b *Bot) dispatch() {
	if b.isStopping() {
		return
	}
	if b.limit < b.cfg.Capacity && time.Since(b.limitedAt) >= growEvery {
		b.limit, b.limitedAt = b.limit+1, time.Now()
	}
	b.refuseOverdue()
	for len(b.line) > 0 && len(b.spares) > 0 {
		spare := b.spares[0]
		b.spares = b.spares[1:]
		b.decide(b.line[0], spare, nil)
	}
	for b.creations < len(b.line) && b.mayCreate() {
		b.startCreation()
	}
	b.closeUnused(len(b.line) - b.creations)
	if len(b.line) == 0 && b.wantsSpare() && b.mayCreate() {
		b.startCreation()
	}
	b.reportPlaces()
	b.schedule()
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// mayCreate reports whether a room may be created now, and takes a token of the bucket if so.
func (b *Bot) mayCreate() bool {
	return b.used() < b.limit && !b.isResting(0) && b.bucket.Allow()
}

// wantsSpare reports whether it is quiet enough to create a room ahead: the bucket is full.
func (b *Bot) wantsSpare() bool {
	return b.ready && len(b.spares)+b.creations < min(b.cfg.Spares, b.limit/2) && b.isBucketFull()
}

func (b *Bot) isBucketFull() bool { return b.bucket.Tokens() >= float64(b.bucket.Burst()) }

// refuseOverdue refuses the logins that have waited too long, or would have to.
func (b *Bot) refuseOverdue() {
	for _, r := range slices.Clone(b.line) {
		if time.Now().Before(r.waitsUntil) && b.restUntil.Before(r.waitsUntil) {
			continue
		}
		if r.end(event.RoomLost, "no room could be opened in time") {
			b.log.Warn("a login waited for a room in vain", "room", r.id)
			b.forget(r)
			b.decide(r, nil, ErrBackingOff)
		}
	}
}

// startCreation creates a room in the background.
func (b *Bot) startCreation() {
	b.creations++
	b.creating.Go(func() {
		began := time.Now()
		created, err := b.game.Open(b.stopping)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.creations--
		switch {
		case err != nil:
			b.handleRefusal(err, began)
		case b.isStopping():
			go func() { _ = created.Close(context.Background()) }()
		default:
			b.open++
			b.limitPause = firstLimitPause
			b.spares = append(b.spares, created)
			b.creating.Go(func() { b.followSpare(created) })
		}
		b.dispatch()
	})
}

// handleRefusal notes that the game did not create a room. Creations that were under
// way together are one incident: only the first of them halves the limit.
func (b *Bot) handleRefusal(err error, began time.Time) {
	if b.isStopping() {
		return
	}
	b.log.Warn("no room was created", "error", err)
	b.metrics.RoomEnded(Refused)
	var limit LimitError
	var later RetryLaterError
	switch {
	case errors.As(err, &limit):
		if began.After(b.limitedAt) {
			b.limit, b.limitedAt = max(1, b.limit/2), time.Now()
			b.rest(b.limitPause)
			b.limitPause = min(2*b.limitPause, maxLimitPause)
		}
	case errors.As(err, &later):
		b.rest(later.For)
	default:
		b.rest(restAfterError)
	}
}

// rest creates no rooms for a while.
func (b *Bot) rest(d time.Duration) {
	if until := time.Now().Add(d); until.After(b.restUntil) {
		b.restUntil = until
	}
}

// followSpare follows a room of the game until it is over. A room that was not
// given to a login by then is closed after maxSpareAge.
func (b *Bot) followSpare(created GameRoom) {
	aged := time.NewTimer(maxSpareAge)
	defer aged.Stop()
	stopping := b.stopping.Done()
	for over := false; !over; {
		select {
		case <-created.Over():
			over = true
		case <-aged.C:
			b.closeSpare(created)
		case <-stopping:
			stopping = nil
			b.closeSpare(created)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	b.takeSpare(created)
	b.dispatch()
}

// closeSpare closes a room that was not given to a login.
func (b *Bot) closeSpare(created GameRoom) {
	b.mu.Lock()
	isSpare := b.takeSpare(created)
	b.mu.Unlock()
	if isSpare {
		_ = created.Close(context.Background()) // followSpare waits until it is over
	}
}

// takeSpare removes a room from the spares and reports whether it was one. mu is held.
func (b *Bot) takeSpare(created GameRoom) bool {
	before := len(b.spares)
	b.spares = slices.DeleteFunc(b.spares, func(spare GameRoom) bool { return spare == created })
	return len(b.spares) < before
}

// closeUnused closes rooms that nobody entered for a while, the oldest first, as many as logins wait in vain.
func (b *Bot) closeUnused(count int) {
	if count <= 0 || b.used() < b.limit {
		return
	}
	var unused []*room
	for _, r := range b.sessions {
		if r.isUnused(b.cfg.UnusedAfter) {
			unused = append(unused, r)
		}
	}
	slices.SortFunc(unused, func(a, b *room) int { return a.openedAt.Compare(b.openedAt) })
	for _, r := range unused[:min(count, len(unused))] {
		go b.end(b.running, r, Unused, "nobody entered, and other logins wait")
	}
}

// reportPlaces reports the places that have changed to those who know that they wait.
func (b *Bot) reportPlaces() {
	for place, r := range b.line {
		if r.place == place {
			continue
		}
		r.place = place
		if r.queued {
			r.write(func(l *roomLog) (event.RoomReport, bool) { return l.queued(place, time.Now()) })
		}
	}
}

// schedule calls dispatch again soon while something depends on the time.
func (b *Bot) schedule() {
	isDue := len(b.line) > 0 || b.isResting(0) || b.limit < b.cfg.Capacity || !b.isBucketFull()
	if !isDue || b.tick != nil {
		return
	}
	b.tick = time.AfterFunc(dispatchEvery, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.tick = nil
		b.dispatch()
	})
}
