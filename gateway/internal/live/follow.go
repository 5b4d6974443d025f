package live

import (
	"context"
	"fmt"
	"sort"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
)

const (
	// pollEvery is how often the stream is read though no message has announced a fact.
	pollEvery = time.Second
	// firstRetry is the time after which a fact that was announced and is not stored yet is read again. It doubles each
	// time.
	firstRetry = 10 * time.Millisecond
	// followSize is how many facts are read at a time.
	followSize = 1024
	// collectFor is how long facts are collected, so that many of them wake the readers a few times a second only.
	collectFor = 50 * time.Millisecond
)

// Run follows the stream until ctx ends. Messages on the subjects of facts announce that there is something to read.
func (h *Hub) Run(ctx context.Context) error {
	announced := make(chan struct{}, 1)
	subscription, err := h.facts.nc.Subscribe(event.FactsStream.Subjects[0], func(*nats.Msg) {
		select {
		case announced <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return fmt.Errorf("subscribe to facts: %w", err)
	}
	defer func() { _ = subscription.Unsubscribe() }()

	failing := false
	for pause := firstRetry; ; {
		n, err := h.advance(ctx)
		failing = h.countFailure(ctx, err, failing)
		if n == followSize {
			continue
		}
		if n > 0 {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(collectFor):
			}
			continue
		}
		pause = min(2*pause, pollEvery)
		select {
		case <-ctx.Done():
			return nil
		case <-announced:
			pause = firstRetry
		case <-time.After(pause):
		}
	}
}

// countFailure counts a read of facts that has failed, and logs the first of several in a row. It reports whether the
// read has failed.
func (h *Hub) countFailure(ctx context.Context, err error, failing bool) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	h.metrics.failures.Inc()
	if !failing {
		h.log.WarnContext(ctx, "facts cannot be read", "error", err)
	}
	return true
}

// advance reads the facts after position and returns their number.
func (h *Hub) advance(ctx context.Context) (int, error) {
	if time.Since(h.checked) >= pollEvery {
		if err := h.check(ctx); err != nil {
			return 0, err
		}
		h.mu.Lock()
		h.past.add(h.checked, h.position)
		h.mu.Unlock()
	}
	messages, err := h.facts.after(ctx, everyFact, h.newest(), followSize)
	if err != nil {
		return 0, err
	}
	if len(messages) > 0 {
		h.add(messages)
	}
	if h.newest() >= h.goal {
		h.startOnce.Do(func() { close(h.started) })
	}
	return len(messages), nil
}

// check begins where the stream has not been read yet, or was replaced by another one: with as many of the newest facts
// as there may be events in memory. Where facts after position are not kept any more, it goes on with the oldest one.
func (h *Hub) check(ctx context.Context) error {
	b, err := h.facts.bounds(ctx)
	if err != nil {
		return err
	}
	h.checked = time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	from := b.first - 1
	switch {
	case !b.created.Equal(h.created):
		h.created, h.goal = b.created, b.last
		from = max(from, b.last-min(b.last, maxRecent))
	case from <= h.position:
		return nil
	}
	h.recent, h.floor, h.position, h.past = nil, from, from, nil
	h.wakeReaders()
	return nil
}

// add adds the events of the facts after position.
func (h *Hub) add(messages []eventbus.StoredMsg) {
	events := h.translate(messages, h.metrics.facts)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent = append(h.recent, events...)
	if forgotten := len(h.recent) - maxRecent; forgotten > 0 {
		h.floor = h.recent[forgotten-1].id
		h.recent = h.recent[forgotten:]
	}
	h.position = messages[len(messages)-1].Sequence
	h.wakeReaders()
}

// translate returns the public events of facts, and counts the facts unless counter is nil. It leaves out a fact that
// cannot be read.
func (h *Hub) translate(messages []eventbus.StoredMsg, counter *prometheus.CounterVec) []*liveEvent {
	var events []*liveEvent
	for _, msg := range messages {
		e, err := translate(msg)
		outcome := outcomePublic
		switch {
		case err != nil:
			outcome = outcomeUnreadable
			h.log.Warn("fact cannot be read", "subject", msg.Subject, "sequence", msg.Sequence, "error", err)
		case e == nil:
			outcome = outcomePrivate
		default:
			events = append(events, e)
		}
		if counter != nil {
			counter.WithLabelValues(outcome).Inc()
		}
	}
	return events
}

// wakeReaders wakes the readers that have all events. The caller holds mu.
func (h *Hub) wakeReaders() {
	close(h.changed)
	h.changed = make(chan struct{})
}

// after returns those of events, in order, that come after a sequence.
func after(events []*liveEvent, sequence uint64) []*liveEvent {
	return events[sort.Search(len(events), func(i int) bool { return events[i].id > sequence }):]
}

// settledAfter is longer than any response with live data is stored, its making included.
const settledAfter = 15 * time.Second

// pastPositions are positions at earlier times, the oldest first. One of them is older than settledAfter, or none.
type pastPositions []pastPosition

type pastPosition struct {
	at       time.Time
	sequence uint64
}

// add adds the position at a time, and removes those that are no longer needed.
func (p *pastPositions) add(at time.Time, sequence uint64) {
	*p = append(*p, pastPosition{at, sequence})
	for len(*p) > 1 && !(*p)[1].at.After(at.Add(-settledAfter)) {
		*p = (*p)[1:]
	}
}

// before returns the newest position that is not younger than a time.
func (p pastPositions) before(t time.Time) (sequence uint64, ok bool) {
	for _, past := range p {
		if past.at.After(t) {
			break
		}
		sequence, ok = past.sequence, true
	}
	return sequence, ok
}
