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
	// generation counts the streams: one that replaces a lost one numbers its facts from 1.
	generation int
	// changed is closed, and replaced, when position or generation has changed.
	changed chan struct{}
	// past are the positions of this generation at earlier times.
	past pastPositions
}

// NewHub returns a hub without events. Run fills it.
func NewHub(nc *nats.Conn, js jetstream.JetStream, log *slog.Logger, registerer prometheus.Registerer) *Hub {
	return &Hub{
		facts: facts{nc, js}, log: log, metrics: newMetrics(registerer), reads: semaphore.NewWeighted(maxReads),
		readers: keylimit.New(1), started: make(chan struct{}), changed: make(chan struct{}),
	}
}

// cursor is a place in a stream: after a sequence of a generation.
type cursor struct {
	sequence   uint64
	generation int
}

// page is a part of the events after a cursor.
type page struct {
	events []*liveEvent
	// next is the cursor after the page.
	next cursor
	// changed is closed when there is another page. It is nil where there may be one already.
	changed <-chan struct{}
}

// resetError reports that events after a cursor are not kept, or that the stream has never had so many.
type resetError struct {
	// oldest is the sequence of the oldest fact that is kept. newest is the cursor to go on with.
	oldest uint64
	newest cursor
}

// Error implements error.
func (e *resetError) Error() string { return fmt.Sprintf("events before %d are not kept", e.oldest) }

// newest returns the cursor after all events.
func (h *Hub) newest() cursor {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return cursor{h.position, h.generation}
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

// next returns the page after a reader's cursor. One that is in memory is done. Another one is done when NATS has
// answered.
func (h *Hub) next(ctx context.Context, r *reader) *pendingPage {
	c := r.at
	p, known := h.recentAfter(c)
	next := &pendingPage{done: make(chan struct{}), page: p}
	switch ahead := c.generation != p.next.generation || c.sequence > p.next.sequence; {
	case !known:
		go func() {
			defer close(next.done)
			next.page, next.err = h.read(ctx, r.address, subjectOf(r.Filter), c)
		}()
	case ahead:
		go func() {
			defer close(next.done)
			next.err = h.checkAhead(ctx, c)
		}()
	default:
		close(next.done)
	}
	return next
}

// recentAfter returns the page after a cursor, and reports whether it is in memory.
func (h *Hub) recentAfter(c cursor) (p page, known bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	p = page{next: cursor{h.position, h.generation}, changed: h.changed}
	if c.generation != h.generation || c.sequence >= h.position {
		return p, true
	}
	if c.sequence < h.floor {
		return p, false
	}
	p.events = after(h.recent, c.sequence)
	if len(p.events) > pageSize {
		p.events, p.changed = p.events[:pageSize], nil
		p.next.sequence = p.events[pageSize-1].id
	}
	return p, true
}

// checkAhead returns a resetError for a cursor that the stream does not have, and errBehind for one that another
// gateway has given, which is ahead of this one.
func (h *Hub) checkAhead(ctx context.Context, c cursor) error {
	b, err := h.facts.bounds(ctx)
	if err != nil {
		return err
	}
	if newest := h.newest(); c.generation != newest.generation || c.sequence > b.last {
		return &resetError{b.first, newest}
	}
	return errBehind
}

// read reads a page of the facts on a subject from NATS. One reader of an address reads at a time, and few in all. The
// others wait, and each address has its turn.
func (h *Hub) read(ctx context.Context, address, subject string, c cursor) (page, error) {
	end, err := h.readers.Begin(ctx, address)
	if err != nil {
		return page{}, err
	}
	defer end()
	if err := h.reads.Acquire(ctx, 1); err != nil {
		return page{}, err
	}
	defer h.reads.Release(1)
	floor := h.floorOf(c.generation) // all facts up to it are stored
	messages, err := h.facts.after(ctx, subject, c.sequence, pageSize)
	if err != nil {
		return page{}, err
	}
	if len(messages) == 0 || messages[0].Sequence > c.sequence+1 {
		b, err := h.facts.bounds(ctx)
		if err != nil {
			return page{}, err
		}
		if c.sequence+1 < b.first {
			return page{}, &resetError{b.first, h.newest()}
		}
	}
	switch {
	case len(messages) > 0:
		c.sequence = messages[len(messages)-1].Sequence
	case subject == everyFact || floor <= c.sequence:
		return page{}, errBehind
	default: // there is nothing on the subject before the events in memory
		c.sequence = floor
	}
	return page{events: h.translate(messages, nil), next: c}, nil
}

// floorOf returns the floor of a generation, 0 where another one is in memory.
func (h *Hub) floorOf(generation int) uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if generation != h.generation {
		return 0
	}
	return h.floor
}
