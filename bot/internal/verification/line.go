package verification

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

const (
	// maxLine is the largest number of logins that wait.
	maxLine = 32
	// dispatchEvery is how often dispatch runs while something depends on the time.
	dispatchEvery = 100 * time.Millisecond
	// growEvery is how long after a limit of the game, or after the last growth, the limit grows by one room.
	growEvery = time.Minute
	// The pauses after limits of the game in a row: the first one, and the longest.
	firstLimitPause, maxLimitPause = 2500 * time.Millisecond, 30 * time.Second
	// pauseAfterError follows an error that names no pause.
	pauseAfterError = time.Second
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
	return len(b.spares) > 0 || (b.used() < b.limit && !b.isPaused(0) && b.pace.Tokens() >= 1)
}

// CanWait reports whether the bot's line accepts another login.
func (b *Bot) CanWait() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.canServe() && len(b.line) < maxLine && !b.isPaused(b.cfg.LineTimeout)
}

// Free returns the number of rooms that the bot could open besides those that it has.
func (b *Bot) Free() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.canServe() || b.isPaused(0) {
		return 0
	}
	return max(0, b.limit-b.used()+len(b.spares))
}

// InUse returns the number of rooms that sessions have.
func (b *Bot) InUse() int {
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

// Changed receives a value whenever the results of CanOpen or CanWait may have changed.
func (b *Bot) Changed() <-chan struct{} { return b.changed }

func (b *Bot) canServe() bool { return b.ready && !b.isStopping() }

// used returns the number of rooms of the game that exist or are being created.
func (b *Bot) used() int { return b.open + b.creations }

// isPaused reports whether the bot creates no rooms for longer than d.
func (b *Bot) isPaused(d time.Duration) bool { return time.Until(b.pausedUntil) > d }

// dispatch gives rooms to the logins that wait, and creates rooms, for them or ahead. It is called
// after every change of the line, the rooms or the pace. mu is held.
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
	for b.creations < len(b.line) && b.reserveCreation() {
		b.startCreation()
	}
	b.closeUnused(len(b.line) - b.creations)
	if len(b.line) == 0 && b.wantsSpare() && b.reserveCreation() {
		b.startCreation()
	}
	b.reportPlaces()
	b.schedule()
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// reserveCreation reports whether a room may be created now, and counts it against the pace if so.
func (b *Bot) reserveCreation() bool {
	return b.used() < b.limit && !b.isPaused(0) && b.pace.Allow()
}

// wantsSpare reports whether a room should be created ahead.
func (b *Bot) wantsSpare() bool {
	return b.ready && len(b.spares)+b.creations < min(b.cfg.Spares, b.limit/2) && b.isQuiet()
}

// isQuiet reports whether no room was created recently: a whole burst is allowed.
func (b *Bot) isQuiet() bool { return b.pace.Tokens() >= float64(b.pace.Burst()) }

// refuseOverdue refuses the logins that have waited too long, or whose wait would end within a pause.
func (b *Bot) refuseOverdue() {
	for _, r := range slices.Clone(b.line) {
		if time.Now().Before(r.waitsUntil) && b.pausedUntil.Before(r.waitsUntil) {
			continue
		}
		if _, ended := r.end(event.RoomLost, "no room could be opened in time"); ended {
			b.log.Warn("a login was refused because no room was opened in time", "room", r.id)
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
			b.creating.Go(func() { b.follow(created) })
		}
		b.dispatch()
	})
}

// handleRefusal pauses the creations after the game did not create a room. Creations that were under
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
			b.pause(b.limitPause)
			b.limitPause = min(2*b.limitPause, maxLimitPause)
		}
	case errors.As(err, &later):
		b.pause(later.For)
	default:
		b.pause(pauseAfterError)
	}
}

// pause stops the creation of rooms for a while.
func (b *Bot) pause(d time.Duration) {
	if until := time.Now().Add(d); until.After(b.pausedUntil) {
		b.pausedUntil = until
	}
}

// follow waits until a room of the game has ended. It closes a room that was not given to a login
// within maxSpareAge or before the bot stops.
func (b *Bot) follow(created GameRoom) {
	spareTime, cancel := context.WithTimeout(b.stopping, maxSpareAge)
	defer cancel()
	select {
	case <-created.Done():
	case <-spareTime.Done():
		b.mu.Lock()
		isSpare := b.takeSpare(created)
		b.mu.Unlock()
		if isSpare {
			_ = created.Close(context.Background())
		}
		<-created.Done()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	b.takeSpare(created)
	b.dispatch()
}

// takeSpare removes a room from the spares and reports whether it was one. mu is held.
func (b *Bot) takeSpare(created GameRoom) bool {
	before := len(b.spares)
	b.spares = slices.DeleteFunc(b.spares, func(spare GameRoom) bool { return spare == created })
	return len(b.spares) < before
}

// closeUnused closes rooms without visitors, the oldest first, one for each of count logins that
// cannot get another room.
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
		go b.end(b.running, r, Unused, "no visitor entered, and other logins wait")
	}
}

// reportPlaces reports the places that have changed of logins that auth knows to wait.
func (b *Bot) reportPlaces() {
	for place, r := range b.line {
		if r.place == place {
			continue
		}
		r.place = place
		if r.queued {
			r.reportPlace(place)
		}
	}
}

// schedule runs dispatch again after dispatchEvery while something depends on the time.
func (b *Bot) schedule() {
	isDue := len(b.line) > 0 || b.isPaused(0) || b.limit < b.cfg.Capacity || !b.isQuiet()
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
