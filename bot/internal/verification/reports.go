package verification

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"capzone.dev/platform/event"
)

// Reporter publishes reports.
type Reporter interface {
	// Report returns nil once the report is stored. After an error the same report is sent again.
	Report(ctx context.Context, r event.RoomReport) error
}

const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// reports sends the reports of one room in their order, one after the other.
type reports struct {
	mu      sync.Mutex
	waiting []event.RoomReport
	added   chan struct{} // holds a token when there may be something to send
}

func newReports() *reports { return &reports{added: make(chan struct{}, 1)} }

func (q *reports) add(r event.RoomReport) {
	q.mu.Lock()
	q.waiting = append(q.waiting, r)
	q.mu.Unlock()
	select {
	case q.added <- struct{}{}:
	default:
	}
}

// send sends what is added, until the report that ends the room is sent or ctx ends.
func (q *reports) send(ctx context.Context, reporter Reporter, log *slog.Logger) {
	for {
		r, ok := q.take()
		if !ok {
			select {
			case <-ctx.Done():
				return
			case <-q.added:
			}
			continue
		}
		if !sendOne(ctx, reporter, r, log) {
			log.Warn("report was not sent before the room's time was over", "number", r.Number, "kind", r.Kind)
			return
		}
		if isLast(r.Kind) {
			return
		}
	}
}

func (q *reports) take() (event.RoomReport, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return event.RoomReport{}, false
	}
	r := q.waiting[0]
	q.waiting = q.waiting[1:]
	return r, true
}

func sendOne(ctx context.Context, reporter Reporter, r event.RoomReport, log *slog.Logger) bool {
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		err := reporter.Report(ctx, r)
		if err == nil {
			return true
		}
		log.Debug("report is sent again", "number", r.Number, "error", err)
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
}
