package verification

import (
	"sync"
	"time"

	"capzone.dev/platform/event"
)

// room is the room of one login session: first a place in the line, then a room of
// the game. It is the watcher of the game's room.
type room struct {
	id       string
	session  string
	lifetime time.Duration
	reports  *reports
	// stopReports gives up the reports that are not sent yet.
	stopReports func()
	// gameEnded is called once, when the game has ended the room.
	gameEnded func(r *room, reason string)

	// Of the line, guarded by Bot.mu.
	held       int       // rooms that the client's address had already
	waitsUntil time.Time // when the login is refused that still waits
	place      int       // as it was last reported
	queued     bool      // the login was told that it waits

	// decided is closed when the room is open, or was refused with err.
	decided chan struct{}
	err     error

	mu       sync.Mutex
	log      *roomLog
	game     GameRoom // nil while the login waits
	openedAt time.Time
	expiry   *time.Timer
	// unansweredSince is when a player entered who was told nothing yet; zero when there is none.
	unansweredSince time.Time
}

// Joined implements Watcher.
func (r *room) Joined(v event.Visitor) int64 {
	now := time.Now()
	report, changed := r.write(func(l *roomLog) (event.RoomReport, bool) { return l.joined(v, now) })
	if !changed {
		return 0
	}
	if !v.Guest {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.unansweredSince = now
	}
	return report.Visitor.Visit
}

// Left implements Watcher.
func (r *room) Left(visit int64) {
	r.write(func(l *roomLog) (event.RoomReport, bool) { return l.left(visit, time.Now()) })
}

// Renamed implements Watcher.
func (r *room) Renamed(visit int64, name string) {
	r.write(func(l *roomLog) (event.RoomReport, bool) { return l.changedName(visit, name, time.Now()) })
}

// Lost implements Watcher.
func (r *room) Lost(reason string) {
	if r.end(event.RoomLost, reason) {
		r.gameEnded(r, reason)
	}
}

// Taken implements Watcher.
func (r *room) Taken(reason string) {
	if r.end(event.RoomTaken, reason) {
		r.gameEnded(r, reason)
	}
}

// responseTime returns how long a player has waited to be told something, once for each player.
func (r *room) responseTime() (waited time.Duration, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unansweredSince.IsZero() {
		return 0, false
	}
	waited, r.unansweredSince = time.Since(r.unansweredSince), time.Time{}
	return waited, true
}

// open puts the room into a room of the game. It reports false when the login is over already.
func (r *room) open(game GameRoom, expire func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log.over {
		return false
	}
	r.game, r.openedAt = game, time.Now()
	r.expiry = time.AfterFunc(r.lifetime, expire)
	if r.queued {
		if report, changed := r.log.ready(time.Now()); changed {
			r.reports.add(report)
		}
	}
	return true
}

// end ends the room in the log and reports whether it was not over until now.
func (r *room) end(kind event.RoomReportKind, reason string) bool {
	_, ended := r.write(func(l *roomLog) (event.RoomReport, bool) { return l.end(kind, reason, time.Now()) })
	if ended {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.expiry != nil {
			r.expiry.Stop()
		}
	}
	return ended
}

// isUnused reports whether nobody has entered the room since it was opened, as long ago as that.
func (r *room) isUnused(after time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.game != nil && !r.log.over && len(r.log.seen) == 0 && time.Since(r.openedAt) >= after
}

func (r *room) view() event.RoomView {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := r.log.view()
	if r.game == nil {
		view.Open = false
	} else if view.Open {
		view.Link = r.game.Link()
	}
	return view
}

// openGame returns the game's room, nil where the room is not open.
func (r *room) openGame() GameRoom {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log.over {
		return nil
	}
	return r.game
}

// anyGame returns the game's room, nil where the login never got one.
func (r *room) anyGame() GameRoom {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.game
}

// write changes the log. The report is queued under the log's lock, so that
// reports are sent in the order of their numbers.
func (r *room) write(change func(*roomLog) (event.RoomReport, bool)) (event.RoomReport, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report, changed := change(r.log)
	if changed {
		r.reports.add(report)
	}
	return report, changed
}
