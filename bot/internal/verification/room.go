package verification

import (
	"sync"
	"time"

	"capzone.dev/platform/event"
)

// room is one room of the bot: its ledger, its reports and the game's side of it.
type room struct {
	id       string
	session  string
	deadline time.Time
	reports  *reports
	// lost is called once, when the game has lost the room.
	lost func(r *room, reason string)

	// opened is closed when game or err is set.
	opened chan struct{}
	game   GameRoom
	err    error

	mu       sync.Mutex
	ledger   *ledger
	lifetime *time.Timer
	// waits is when a player came who was told nothing yet; zero when nobody waits.
	waits time.Time
}

// Joined implements Watcher.
func (r *room) Joined(v event.Visitor) int64 {
	now := time.Now()
	report, changed := r.write(func(l *ledger) (event.RoomReport, bool) { return l.joined(v, now) })
	if !changed {
		return 0
	}
	if !v.Guest {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.waits = now
	}
	return report.Visitor.Visit
}

// told tells how long a player has waited to be told something, once for each player.
func (r *room) told() (waited time.Duration, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waits.IsZero() {
		return 0, false
	}
	waited, r.waits = time.Since(r.waits), time.Time{}
	return waited, true
}

// Left implements Watcher.
func (r *room) Left(visit int64) {
	r.write(func(l *ledger) (event.RoomReport, bool) { return l.left(visit, time.Now()) })
}

// Renamed implements Watcher.
func (r *room) Renamed(visit int64, name string) {
	r.write(func(l *ledger) (event.RoomReport, bool) { return l.changedName(visit, name, time.Now()) })
}

// Lost implements Watcher.
func (r *room) Lost(reason string) {
	if r.end(event.RoomLost, reason) {
		r.lost(r, reason)
	}
}

// end ends the room in the ledger and says whether it was open until now.
func (r *room) end(kind event.RoomReportKind, reason string) bool {
	_, ended := r.write(func(l *ledger) (event.RoomReport, bool) { return l.end(kind, reason, time.Now()) })
	if ended {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.lifetime != nil {
			r.lifetime.Stop()
		}
	}
	return ended
}

func (r *room) view() event.RoomView {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ledger.view()
}

func (r *room) open() bool { return r.view().Open }

// write changes the ledger. The report goes into the queue under the ledger's
// lock, so that reports are sent in the order of their numbers.
func (r *room) write(change func(*ledger) (event.RoomReport, bool)) (event.RoomReport, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	report, changed := change(r.ledger)
	if changed {
		r.reports.add(report)
	}
	return report, changed
}
