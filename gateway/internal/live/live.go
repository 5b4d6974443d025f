// Package live serves the stream of live events: what services publish as facts, translated into public events
// (package publicevent). A Hub follows the stream FACTS of NATS and has the newest events in memory. Each reader goes
// through them by the sequence of the last event that it has. docs/decisions/0087-live-events.md says why.
package live

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"capzone.dev/platform/keylimit"
)

const (
	// maxRecent bounds the events in memory: those of more than a minute with 50 a second. A reader that connects again
	// within that time causes no read from NATS.
	maxRecent = 4096
	// pageSize is how many events, or facts, a reader is given at a time.
	pageSize = 256
	// maxReads bounds the concurrent reads from NATS for readers of older events.
	maxReads = 4
	// readTimeout bounds one read from NATS.
	readTimeout = 2 * time.Second
)

// Hub has the newest events, and reads older ones from NATS.
type Hub struct {
	facts   facts
	log     *slog.Logger
	metrics metrics
	reads   *semaphore.Weighted
	// readers lets one reader of a client address read from NATS at a time.
	readers *keylimit.Limit

	// started is closed when the newest events are known.
	started   chan struct{}
	startOnce sync.Once

	// The state of Run: when the stream that is read was created, the last sequence that it had when the reading began,
	// and when that was checked.
	created time.Time
	goal    uint64
	checked time.Time

	mu sync.RWMutex
	// recent are the events of the facts after floor, up to position, both sequences.
	recent          []*liveEvent
	floor, position uint64
	// changed is closed, and replaced, when position has changed.
	changed chan struct{}
	// past are the positions at earlier times.
	past pastPositions
}

// NewHub returns a hub without events. Run fills it.
func NewHub(nc *nats.Conn, js jetstream.JetStream, log *slog.Logger, registerer prometheus.Registerer) *Hub {
	return &Hub{
		facts: facts{nc, js}, log: log, metrics: newMetrics(registerer), reads: semaphore.NewWeighted(maxReads),
		readers: keylimit.New(1), started: make(chan struct{}), changed: make(chan struct{}),
	}
}

// page is a part of the events after a sequence.
type page struct {
	events []*liveEvent
	// next is the sequence after which the next page begins.
	next uint64
	// changed is closed when there is another page. It is nil where there may be one already.
	changed <-chan struct{}
}

// resetError reports that events after a sequence are not kept, or that the stream has never had so many. oldest is the
// sequence of the oldest fact that is kept, and newest that of the event to go on after.
type resetError struct{ oldest, newest uint64 }

func (e *resetError) Error() string { return fmt.Sprintf("events before %d are not kept", e.oldest) }

// newest returns the sequence of the newest fact that is known.
func (h *Hub) newest() uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.position
}

// SettledPosition returns the sequence that a page of the site goes on after: all that its data may lack comes later.
// It is some seconds old, because a gateway stores responses for a moment. ok is false for a gateway that started just
// now.
func (h *Hub) SettledPosition() (sequence uint64, ok bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.past.before(time.Now().Add(-settledAfter))
}

// pendingPage is a page that may have to be read from NATS.
type pendingPage struct {
	// done is closed when page and err are set.
	done chan struct{}
	page page
	// err is a resetError, or another error where the page cannot be read yet.
	err error
}

// next returns the page after what a reader has. One that is in memory is done. Another one is done when NATS has
// answered.
func (h *Hub) next(ctx context.Context, r *reader) *pendingPage {
	at := r.at
	p, known := h.recentAfter(at)
	next := &pendingPage{done: make(chan struct{}), page: p}
	switch {
	case !known:
		go func() {
			defer close(next.done)
			next.page, next.err = h.read(ctx, r.address, subjectOf(r.Filter), at)
		}()
	case at > p.next:
		go func() {
			defer close(next.done)
			next.err = h.checkAhead(ctx, at)
		}()
	default:
		close(next.done)
	}
	return next
}

// recentAfter returns the page after a sequence, and reports whether it is in memory.
func (h *Hub) recentAfter(sequence uint64) (p page, known bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	p = page{next: h.position, changed: h.changed}
	if sequence >= h.position {
		return p, true
	}
	if sequence < h.floor {
		return p, false
	}
	p.events = after(h.recent, sequence)
	if len(p.events) > pageSize {
		p.events, p.changed = p.events[:pageSize], nil
		p.next = p.events[pageSize-1].id
	}
	return p, true
}

// checkAhead returns a resetError for a sequence that the stream does not have, and errBehind for one that another
// gateway has given, which is ahead of this one.
func (h *Hub) checkAhead(ctx context.Context, sequence uint64) error {
	b, err := h.facts.bounds(ctx)
	if err != nil {
		return err
	}
	if sequence > b.last {
		return &resetError{b.first, h.newest()}
	}
	return errBehind
}

// read reads a page of the facts on a subject after a sequence from NATS. One reader of an address reads at a time, and
// few in all. The others wait, and each address has its turn.
func (h *Hub) read(ctx context.Context, address, subject string, sequence uint64) (page, error) {
	end, err := h.readers.Begin(ctx, address)
	if err != nil {
		return page{}, err
	}
	defer end()
	if err := h.reads.Acquire(ctx, 1); err != nil {
		return page{}, err
	}
	defer h.reads.Release(1)
	h.mu.RLock()
	floor := h.floor // all facts up to it are stored
	h.mu.RUnlock()
	messages, err := h.facts.after(ctx, subject, sequence, pageSize)
	if err != nil {
		return page{}, err
	}
	if len(messages) == 0 || messages[0].Sequence > sequence+1 {
		b, err := h.facts.bounds(ctx)
		if err != nil {
			return page{}, err
		}
		if sequence+1 < b.first {
			return page{}, &resetError{b.first, h.newest()}
		}
	}
	switch {
	case len(messages) > 0:
		sequence = messages[len(messages)-1].Sequence
	case subject == everyFact || floor <= sequence:
		return page{}, errBehind
	default: // there is nothing on the subject before the events in memory
		sequence = floor
	}
	return page{events: h.translate(messages, nil), next: sequence}, nil
}
