package verification

import (
	"errors"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

const (
	// maxQueue is the largest number of logins that wait.
	maxQueue = 32
	// pauseAfterError follows an error that names no pause.
	pauseAfterError = time.Second
)

// queue decides which login gets which room, and when rooms are created and closed. It holds the logins that wait,
// a pool of spare rooms, the rate of creations and the limit of rooms at once. It has no effects of its own: it is
// told what happens, and next returns what has to be done. It is not safe for concurrent use.
type queue struct {
	cfg   Config
	rate  *rate.Limiter // of creations
	limit concurrencyLimit

	waiting     []*waitingLogin // in their order
	creating    int             // creations under way
	pool        []GameRoom      // rooms that were created ahead
	open        int             // rooms of the game, including those of the pool and those that are closing
	pausedUntil time.Time       // when rooms are created again
	ready       bool            // the last check of the bot's own rooms succeeded
	stopped     bool
}

// waitingLogin is a login in the queue.
type waitingLogin struct {
	login    *room
	held     int       // rooms that the client's address had already
	deadline time.Time // when the login is refused if it still waits
	position int       // as it was last returned by next
}

// action is something that the bot has to do: one of the following types.
type action any

type (
	// createRoom creates a room of the game. Its result is passed to created or refused.
	createRoom struct{}
	// assignRoom gives a room of the pool to a login.
	assignRoom struct {
		login *room
		room  GameRoom
	}
	// refuseLogin refuses a login that has waited too long.
	refuseLogin struct{ login *room }
	// moveLogin tells a login that waits its new position, 0 for the next one.
	moveLogin struct {
		login    *room
		position int
	}
	// closeUnused closes rooms that no visitor has entered, at most count.
	closeUnused struct{ count int }
)

func newQueue(cfg Config) *queue {
	every := rate.Inf
	if cfg.Interval > 0 {
		every = rate.Every(cfg.Interval)
	}
	return &queue{
		cfg: cfg, rate: rate.NewLimiter(every, max(cfg.Burst, 1)), limit: newConcurrencyLimit(cfg.Capacity),
		ready: cfg.CheckEvery == 0,
	}
}

// next returns what has to be done at a moment. It is called after every change, and again after a while as long as
// dependsOnTime.
func (q *queue) next(now time.Time) []action {
	if q.stopped {
		return nil
	}
	q.limit.increase(now)
	actions := append(q.refuseOverdue(now), q.assign()...)
	for q.creating < len(q.waiting) && q.reserve(now) {
		q.creating++
		actions = append(actions, createRoom{})
	}
	if missing := len(q.waiting) - q.creating; missing > 0 && q.used() >= q.limit.current {
		actions = append(actions, closeUnused{missing})
	}
	if len(q.waiting) == 0 && q.wantsSpare(now) && q.reserve(now) {
		q.creating++
		actions = append(actions, createRoom{})
	}
	return append(actions, q.move()...)
}

// dependsOnTime reports whether next may return something at a later moment although nothing happens until then.
func (q *queue) dependsOnTime(now time.Time) bool {
	return !q.stopped && (len(q.waiting) > 0 || q.isPaused(now, 0) || !q.limit.isFull() || !q.isQuiet(now))
}

// refuseOverdue refuses the logins that have waited too long, or whose wait would end within a pause.
func (q *queue) refuseOverdue(now time.Time) []action {
	var actions []action
	q.waiting = slices.DeleteFunc(q.waiting, func(w *waitingLogin) bool {
		overdue := !now.Before(w.deadline) || !q.pausedUntil.Before(w.deadline)
		if overdue {
			actions = append(actions, refuseLogin{w.login})
		}
		return overdue
	})
	return actions
}

// assign gives the rooms of the pool to the logins that wait.
func (q *queue) assign() []action {
	count := min(len(q.waiting), len(q.pool))
	var actions []action
	for i := range count {
		actions = append(actions, assignRoom{q.waiting[i].login, q.pool[i]})
	}
	q.waiting, q.pool = slices.Delete(q.waiting, 0, count), slices.Delete(q.pool, 0, count)
	return actions
}

// move returns the positions that have changed.
func (q *queue) move() []action {
	var actions []action
	for position, w := range q.waiting {
		if w.position != position {
			w.position = position
			actions = append(actions, moveLogin{w.login, position})
		}
	}
	return actions
}

// admit returns ErrBackingOff or ErrFull for a login that is not accepted at a moment.
func (q *queue) admit(now time.Time, mayWait bool) error {
	switch {
	case !q.ready || q.isPaused(now, q.cfg.QueueTimeout):
		return ErrBackingOff
	case q.stopped || len(q.waiting) >= maxQueue || !mayWait && !q.canOpen(now):
		return ErrFull
	}
	return nil
}

// add adds a login before those whose address has more rooms already.
func (q *queue) add(login *room, held int, now time.Time) {
	position := slices.IndexFunc(q.waiting, func(other *waitingLogin) bool { return other.held > held })
	if position < 0 {
		position = len(q.waiting)
	}
	w := &waitingLogin{login: login, held: held, deadline: now.Add(q.cfg.QueueTimeout), position: position}
	q.waiting = slices.Insert(q.waiting, position, w)
}

// remove removes a login that no longer waits for a room.
func (q *queue) remove(login *room) {
	q.waiting = slices.DeleteFunc(q.waiting, func(w *waitingLogin) bool { return w.login == login })
}

// position returns the number of logins before one that waits, and -1 for one that does not wait.
func (q *queue) position(login *room) int {
	return slices.IndexFunc(q.waiting, func(w *waitingLogin) bool { return w.login == login })
}

// created ends a creation that has succeeded.
func (q *queue) created(created GameRoom) {
	q.creating--
	q.open++
	q.limit.resetPause()
	q.pool = append(q.pool, created)
}

// refused ends a creation that the game has refused with an error of Game.Open, and pauses the creations: for the
// game's pause, or after a limit of the game for the limit's.
func (q *queue) refused(err error, began, now time.Time) {
	q.creating--
	pause := pauseAfterError
	var later RetryLaterError
	switch {
	case errors.Is(err, ErrLimit):
		pause = q.limit.decrease(began, now)
	case errors.As(err, &later):
		pause = later.For
	}
	if until := now.Add(pause); until.After(q.pausedUntil) {
		q.pausedUntil = until
	}
}

// giveBack puts a room into the pool whose login has ended meanwhile.
func (q *queue) giveBack(unused GameRoom) { q.pool = append(q.pool, unused) }

// closed is told of a room of the game that has ended.
func (q *queue) closed(ended GameRoom) {
	q.open--
	q.takeSpare(ended)
}

// takeSpare removes a room from the pool and reports whether it was there.
func (q *queue) takeSpare(spare GameRoom) bool {
	before := len(q.pool)
	q.pool = slices.DeleteFunc(q.pool, func(other GameRoom) bool { return other == spare })
	return len(q.pool) < before
}

// beginCheck reports whether a check may create its room now, and counts the room if so, until endCheck.
func (q *queue) beginCheck(now time.Time) bool {
	ok := q.reserve(now)
	if ok {
		q.open++
	}
	return ok
}

func (q *queue) endCheck() { q.open-- }

// canOpen reports whether there is a room for another login at once.
func (q *queue) canOpen(now time.Time) bool {
	if !q.ready || q.stopped || len(q.waiting) > q.creating {
		return false
	}
	return len(q.pool) > 0 || (q.used() < q.limit.current && !q.isPaused(now, 0) && q.rate.TokensAt(now) >= 1)
}

// canWait reports whether another login may wait.
func (q *queue) canWait(now time.Time) bool {
	return q.ready && !q.stopped && len(q.waiting) < maxQueue && !q.isPaused(now, q.cfg.QueueTimeout)
}

// free returns the number of rooms that could be opened besides those that logins have.
func (q *queue) free(now time.Time) int {
	if !q.ready || q.stopped || q.isPaused(now, 0) {
		return 0
	}
	return max(0, q.limit.current-q.used()+len(q.pool))
}

// used returns the number of rooms of the game that exist or are being created.
func (q *queue) used() int { return q.open + q.creating }

// reserve reports whether a room may be created now, and counts it against the rate if so.
func (q *queue) reserve(now time.Time) bool {
	return q.used() < q.limit.current && !q.isPaused(now, 0) && q.rate.AllowN(now, 1)
}

// wantsSpare reports whether a room should be created ahead.
func (q *queue) wantsSpare(now time.Time) bool {
	return q.ready && len(q.pool)+q.creating < min(q.cfg.Spares, q.limit.current/2) && q.isQuiet(now)
}

// isQuiet reports whether no room was created recently: a whole burst is allowed.
func (q *queue) isQuiet(now time.Time) bool { return q.rate.TokensAt(now) >= float64(q.rate.Burst()) }

// isPaused reports whether no room is created for longer than d.
func (q *queue) isPaused(now time.Time, d time.Duration) bool { return q.pausedUntil.Sub(now) > d }
