package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"capzone.dev/devstack/assert"
	"capzone.dev/devstack/require"
	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/httpserve"
	"capzone.dev/platform/publicevent"
)

// pieces is an output that keeps what is sent, until it fails.
type pieces struct {
	mu   sync.Mutex
	sent []string
	more sync.Cond
	err  error
}

func newPieces(err error) *pieces {
	p := &pieces{err: err}
	p.more.L = &p.mu
	return p
}

func (p *pieces) Send(piece []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, string(piece))
	p.more.Broadcast()
	return p.err
}

// await waits until so many pieces were sent since the last call, and returns them.
func (p *pieces) await(count int) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.sent) < count {
		p.more.Wait()
	}
	sent := p.sent
	p.sent = nil
	return sent
}

// take returns what was sent since the last call.
func (p *pieces) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	sent := p.sent
	p.sent = nil
	return sent
}

// newMemoryHub returns a hub that has read the stream up to a sequence, and is not connected to it.
func newMemoryHub(position uint64) *Hub {
	h := NewHub(nil, nil, slog.New(slog.DiscardHandler), nil)
	h.floor, h.position = position, position
	close(h.started)
	return h
}

// serveAsync serves a reader until ctx ends. The channel gets the result.
func serveAsync(ctx context.Context, h *Hub, out output, asked request, expires time.Time) <-chan error {
	asked.validUntil = expires
	result := make(chan error, 1)
	go func() { result <- h.serve(ctx, out, asked, h.newest()) }()
	return result
}

func everything() request { return request{Filter: publicevent.Filter{Types: publicevent.AllTypes}} }

func TestHub_serve(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, out := newMemoryHub(40), newPieces(nil)
		began := time.Now()
		ctx, leave := context.WithCancel(t.Context())
		result := serveAsync(ctx, h, out, everything(), time.Time{})
		synctest.Wait()
		assert.Equal(t, "at the beginning", []string{": keep-alive\nid: 40\n\n"}, out.take())
		removed := stored(t, 41, event.MapRemovedSubject, event.MapRemoved{MapID: id(1)})
		secret := stored(t, 42, event.PlayerBannedSubject, event.PlayerBanned{PlayerID: id(1), Reason: "secret"})
		unreadable := eventbus.StoredMsg{Sequence: 43, Subject: event.MapRemovedSubject, Data: []byte("{")}
		h.add([]eventbus.StoredMsg{removed, secret, unreadable})
		synctest.Wait()
		want := []string{"id: 41\nevent: map.removed\ndata: " +
			`{"at":"2026-05-11T18:02:33.120Z","mapId":"01970000-0000-7000-8000-000000000001"}` + "\n\n"}
		assert.Equal(t, "after three facts", want, out.take())
		assert.Equal(t, "in silence", slices.Repeat([]string{": keep-alive\nid: 43\n\n"}, 2), out.await(2))
		if silence := time.Since(began); silence != 2*keepAliveEvery {
			t.Errorf("two lines took %s", silence)
		}
		for outcome, want := range map[string]float64{outcomePublic: 1, outcomePrivate: 1, outcomeUnreadable: 1} {
			if got := testutil.ToFloat64(h.metrics.facts.WithLabelValues(outcome)); got != want {
				t.Errorf("%v facts are counted as %s, want %v", got, outcome, want)
			}
		}
		leave()
		if err := <-result; err != nil {
			t.Error(err)
		}
		sent := out.take()
		if len(sent) != 1 {
			t.Fatalf("at the end: %q", sent)
		}
		retry := regexp.MustCompile(`^retry: (\d+)\n\n$`).FindStringSubmatch(sent[0])
		if retry == nil {
			t.Fatalf("at the end: %q", sent)
		}
		if ms, err := strconv.Atoi(retry[1]); err != nil || ms < 2000 || ms > 5000 {
			t.Errorf("readers connect again after %s ms, %v", retry[1], err)
		}
	})
}

// A reader that waits for a read from NATS is told that the connection works.
func TestHub_serve_waits_for_a_read(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, out := newMemoryHub(40), newPieces(nil)
		require.NoError(t, h.reads.Acquire(t.Context(), maxReads))
		ctx, leave := context.WithCancel(t.Context())
		asked, last, began := everything(), uint64(7), time.Now()
		asked.after = &last
		result := serveAsync(ctx, h, out, asked, time.Time{})
		assert.Equal(t, "lines", slices.Repeat([]string{": keep-alive\nid: 7\n\n"}, 3), out.await(3))
		if waited := time.Since(began); waited != 3*keepAliveEvery {
			t.Errorf("three lines took %s", waited)
		}
		leave()
		if err := <-result; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		h.reads.Release(maxReads)
		if !h.reads.TryAcquire(maxReads) {
			t.Error("the reader that has left holds a read")
		}
	})
}

// Readers of one address take turns: while one reads, the others of it hold none of the few reads that all share.
func TestHub_serve_one_read_of_an_address(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newMemoryHub(40)
		end, err := h.readers.Begin(t.Context(), "a")
		require.NoError(t, err)
		defer end()
		ctx, leave := context.WithCancel(t.Context())
		asked, last := everything(), uint64(7)
		asked.after, asked.address = &last, "a"
		var results []<-chan error
		for range 2 * maxReads {
			results = append(results, serveAsync(ctx, h, newPieces(nil), asked, time.Time{}))
		}
		synctest.Wait()
		if !h.reads.TryAcquire(maxReads) {
			t.Error("readers that wait for their turn hold reads")
		}
		leave()
		for _, result := range results {
			if err := <-result; err != nil {
				t.Error(err)
			}
		}
	})
}

// A reader that catches up is told how far it has come, also where none of the events is for it.
func TestHub_serve_catches_up(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newMemoryHub(0)
		// Each of the first two pages has one event for the reader, which takes 8 seconds. The others have none.
		for first := uint64(1); first <= 4*pageSize; first += pageSize {
			var facts []eventbus.StoredMsg
			for n := first; n < first+pageSize; n++ {
				of := id(2)
				if n == 1 || n == 2*pageSize {
					of = id(1)
				}
				facts = append(facts, stored(t, n, event.MapRemovedSubject, event.MapRemoved{MapID: of}))
			}
			h.add(facts)
		}
		out := &slowPieces{pieces: newPieces(nil), delay: 8 * time.Second}
		ctx, leave := context.WithCancel(t.Context())
		asked, last := everything(), uint64(0)
		asked.after, asked.MapID = &last, id(1)
		result := serveAsync(ctx, h, out, asked, time.Time{})
		sent := out.await(3)
		leave()
		if err := <-result; err != nil {
			t.Error(err)
		}
		if want := fmt.Sprintf(": keep-alive\nid: %d\n\n", 2*pageSize); sent[2] != want {
			t.Errorf("after %d events %q was sent, want %q", 2*pageSize, sent[2], want)
		}
	})
}

// slowPieces is a client that takes a piece in some time.
type slowPieces struct {
	*pieces
	delay time.Duration
}

func (p *slowPieces) Send(piece []byte) error {
	<-time.After(p.delay)
	return p.pieces.Send(piece)
}

// A stream of a player's own events ends with the token, so that a banned player does not go on reading.
func TestHub_serve_token_that_expires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, out := newMemoryHub(40), newPieces(nil)
		began := time.Now()
		result := serveAsync(t.Context(), h, out, everything(), began.Add(time.Minute))
		if err := <-result; err != nil {
			t.Error(err)
		}
		if lasted := time.Since(began); lasted != time.Minute {
			t.Errorf("the stream lasted %s", lasted)
		}
		if sent := out.take(); slices.ContainsFunc(sent, regexp.MustCompile("retry").MatchString) {
			t.Errorf("it ended like that of a gateway that stops: %q", sent)
		}
	})
}

func TestHub_serve_slow_reader(t *testing.T) {
	t.Parallel()
	h, out := newMemoryHub(40), newPieces(httpserve.ErrSlowReader)
	err := h.serve(t.Context(), out, everything(), h.newest())
	if !errors.Is(err, httpserve.ErrSlowReader) {
		t.Errorf("got %v", err)
	}
	asked, last := everything(), uint64(40)
	asked.after = &last
	h.add([]eventbus.StoredMsg{stored(t, 41, event.MapRemovedSubject, event.MapRemoved{MapID: id(1)})})
	if err := h.serve(t.Context(), out, asked, h.newest()); !errors.Is(err, httpserve.ErrSlowReader) {
		t.Errorf("got %v", err)
	}
	if got := testutil.ToFloat64(h.metrics.lagged); got != 2 {
		t.Errorf("%v slow readers are counted, want 2", got)
	}
}

func TestHub_awaitStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(nil, nil, slog.New(slog.DiscardHandler), nil)
		if err := h.awaitStart(t.Context()); !errors.Is(err, errEventsUnavailable) {
			t.Errorf("before the start: %v", err)
		}
		time.AfterFunc(time.Second, func() { close(h.started) })
		if err := h.awaitStart(t.Context()); err != nil {
			t.Errorf("a second before the start: %v", err)
		}
	})
}

// Memory has the newest events, also where a page of them is larger than what a reader gets at a time.
func TestHub_recentAfter(t *testing.T) {
	t.Parallel()
	h := newMemoryHub(0)
	const facts = maxRecent + 1000
	for first := uint64(1); first <= facts; first += pageSize {
		var page []eventbus.StoredMsg
		for n := first; n < first+pageSize && n <= facts; n++ {
			page = append(page, stored(t, n, event.MapRemovedSubject, event.MapRemoved{MapID: id(1)}))
		}
		h.add(page)
	}
	if _, known := h.recentAfter(facts - maxRecent - 1); known {
		t.Error("an event that was forgotten is known")
	}
	got := uint64(facts - maxRecent)
	for {
		p, known := h.recentAfter(got)
		if !known || len(p.events) > pageSize {
			t.Fatalf("after %d: %d events, known: %t", got, len(p.events), known)
		}
		for _, e := range p.events {
			if got++; e.id != got {
				t.Fatalf("event %d is in the place of %d", e.id, got)
			}
		}
		if p.changed != nil {
			break
		}
	}
	if got != facts {
		t.Errorf("the last event is %d", got)
	}
	if len(h.recent) != maxRecent {
		t.Errorf("%d events are in memory", len(h.recent))
	}
}
