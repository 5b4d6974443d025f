package verification

import (
	"context"
	"slices"
	"sync"
	"time"

	"capzone.dev/platform/event"
)

// maxVisits bounds what the bot stores and reports of one room. A second visit makes the login
// void anyway.
const maxVisits = 32

// room is the room of one login session: first it waits in the queue, then it is a room of the game, whose
// Watcher it is. Every change yields exactly one report.
type room struct {
	bot      *Bot
	id       string
	session  string
	lifetime time.Duration
	// stopReports gives up the reports that are not sent yet.
	stopReports func()

	queued bool // auth knows that the login waits; guarded by Bot.mu

	// decided is closed when the room is open, or was refused with err.
	decided chan struct{}
	err     error

	mu       sync.Mutex
	game     GameRoom // nil while the login waits
	openedAt time.Time
	expiry   *time.Timer // nil while the login waits
	ended    bool
	present  []event.Visitor // empty when the room has ended
	seen     []event.Visitor // all visitors so far
	renamed  map[int64]bool  // by visit
	// enteredAt is when a player entered to whom no text was sent yet; zero when there is none.
	enteredAt time.Time
	number    int64 // of the last report
	pending   []event.RoomReport
	added     chan struct{} // holds a token when there may be pending reports
}

func (r *room) Joined(v event.Visitor) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || len(r.seen) >= maxVisits {
		return 0
	}
	v.Visit = int64(len(r.seen)) + 1
	r.present = append(r.present, v)
	r.seen = append(r.seen, v)
	r.report(event.RoomReport{Kind: event.RoomJoined, Visitor: &v})
	if !v.Guest {
		r.enteredAt = time.Now()
	}
	return v.Visit
}

func (r *room) Left(visit int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.visitor(visit); v != nil {
		r.present = slices.DeleteFunc(r.present, func(p event.Visitor) bool { return p.Visit == visit })
		r.report(event.RoomReport{Kind: event.RoomLeft, Visitor: v})
	}
}

// Renamed implements Watcher. The name at the entry stays the one that counts. Only the first
// change of a visit is reported, with the new name as the reason.
func (r *room) Renamed(visit int64, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.visitor(visit); v != nil && !r.renamed[visit] {
		r.renamed[visit] = true
		r.report(event.RoomReport{Kind: event.RoomRenamed, Visitor: v, Reason: name})
	}
}

func (r *room) Lost(reason string) {
	if _, ended := r.end(event.RoomLost, reason); ended {
		r.bot.gameEnded(r, reason)
	}
}

func (r *room) HostChanged(reason string) {
	if _, ended := r.end(event.RoomTaken, reason); ended {
		r.bot.gameEnded(r, reason)
	}
}

// open gives the login a room of the game. It reports false when the login has ended already.
func (r *room) open(game GameRoom) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return false
	}
	r.game, r.openedAt = game, time.Now()
	r.expiry = time.AfterFunc(r.lifetime, func() {
		r.bot.end(context.Background(), r, Expired, "end of the lifetime")
	})
	if r.queued {
		r.report(event.RoomReport{Kind: event.RoomReady})
	}
	return true
}

// decide ends the wait of the requests for the room: it is open, or refused with err. It is called once.
func (r *room) decide(err error) {
	r.err = err
	close(r.decided)
}

// reportPosition reports another position in the queue.
func (r *room) reportPosition(position int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.report(event.RoomReport{Kind: event.RoomQueued, Position: position})
	}
}

// end ends the room as RoomClosed, RoomLost or RoomTaken. It returns the game's room, nil where the
// login still waited, and reports whether the room had not ended before.
func (r *room) end(kind event.RoomReportKind, reason string) (game GameRoom, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil, false
	}
	r.ended, r.present = true, nil
	r.report(event.RoomReport{Kind: kind, Reason: reason})
	if r.expiry != nil {
		r.expiry.Stop()
	}
	return r.game, true
}

// report numbers a report and queues it. mu is held, so that reports are sent in the order of their numbers.
func (r *room) report(report event.RoomReport) {
	r.number++
	report.Room, report.Bot, report.Session = r.id, r.bot.id, r.session
	report.Number, report.At = r.number, time.Now().UTC()
	r.pending = append(r.pending, report)
	select {
	case r.added <- struct{}{}:
	default:
	}
}

// visitor returns a copy of a visitor who is present, nil where there is none. mu is held.
func (r *room) visitor(visit int64) *event.Visitor {
	for _, v := range r.present {
		if v.Visit == visit {
			return &v
		}
	}
	return nil
}

// responseTime returns how long a player waited for the first text, once for each player.
func (r *room) responseTime() (waited time.Duration, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.enteredAt.IsZero() {
		return 0, false
	}
	waited, r.enteredAt = time.Since(r.enteredAt), time.Time{}
	return waited, true
}

// isUnused reports whether no visitor has entered the room for so long since it was opened.
func (r *room) isUnused(after time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.game != nil && !r.ended && len(r.seen) == 0 && time.Since(r.openedAt) >= after
}

// view returns the room as the contract shows it.
func (r *room) view() event.RoomView {
	r.mu.Lock()
	defer r.mu.Unlock()
	view := event.RoomView{
		Room: r.id, Open: r.game != nil && !r.ended, LastReport: r.number, Renamed: len(r.renamed) > 0,
		Present: append([]event.Visitor{}, r.present...), Seen: append([]event.Visitor{}, r.seen...),
	}
	if view.Open {
		view.Link = r.game.Link()
	}
	return view
}

// openGame returns the game's room, nil where the room is not open.
func (r *room) openGame() GameRoom {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	return r.game
}
