package verification

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"

	"capzone.dev/platform/event"
)

// Reporter publishes reports.
type Reporter interface {
	// Report returns nil once the report is stored. After an error the same report is sent again.
	Report(ctx context.Context, r event.RoomReport) error
}

// The pauses between attempts to send a report: the first one, and the longest.
const firstRetry, lastRetry = 100 * time.Millisecond, 2 * time.Second

// sendReports sends the room's reports one after the other, until the last one is sent or ctx ends.
func (r *room) sendReports(ctx context.Context) {
	for {
		for _, report := range r.takePending() {
			if err := r.send(ctx, report); err != nil {
				r.bot.log.Warn("a report was not sent before the end of the room's time",
					"room", r.id, "number", report.Number, "error", err)
				return
			}
			if isLast(report.Kind) {
				return
			}
		}
		select {
		case <-r.added:
		case <-ctx.Done():
			return
		}
	}
}

// send sends a report until it is stored or ctx ends.
func (r *room) send(ctx context.Context, report event.RoomReport) error {
	pauses := &backoff.ExponentialBackOff{InitialInterval: firstRetry, MaxInterval: lastRetry, Multiplier: 2}
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		return struct{}{}, r.bot.reporter.Report(ctx, report)
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(0))
	return err
}

func (r *room) takePending() []event.RoomReport {
	r.mu.Lock()
	defer r.mu.Unlock()
	pending := r.pending
	r.pending = nil
	return pending
}

// isLast reports whether no report of a room follows one of this kind.
func isLast(kind event.RoomReportKind) bool {
	return kind == event.RoomClosed || kind == event.RoomLost || kind == event.RoomTaken
}
