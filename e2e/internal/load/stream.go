package load

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"capzone.dev/e2e/site"
)

// EventReader reads live events, and goes on after the last one whenever a stream ends.
type EventReader struct {
	// Last is the number up to which it has everything.
	Last atomic.Uint64
	// Events are the numbers of the events. Streams counts the streams, and Ended those that ended as complete responses.
	// They are for use after Read.
	Events         []uint64
	Streams, Ended int
}

// Read reads the events of a site until ctx ends.
func (r *EventReader) Read(ctx context.Context, client *http.Client, s *site.Site) {
	for ctx.Err() == nil {
		if r.readStream(ctx, client, s) != nil {
			Sleep(ctx, retryPause)
		}
	}
}

func (r *EventReader) readStream(ctx context.Context, client *http.Client, s *site.Site) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Address()+"/api/v1/events", http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Last-Event-ID", strconv.FormatUint(r.Last.Load(), 10))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	r.Streams++
	lines := bufio.NewScanner(response.Body)
	for id := uint64(0); lines.Scan(); {
		switch field, value, _ := strings.Cut(lines.Text(), ": "); field {
		case "id":
			if id, err = strconv.ParseUint(value, 10, 64); err != nil {
				return err
			}
			r.Last.Store(id)
		case "data":
			r.Events = append(r.Events, id)
		}
	}
	if lines.Err() == nil {
		r.Ended++
	}
	return lines.Err()
}

// Stream is a reader of a site's live events during a test.
type Stream struct {
	t       *testing.T
	site    *site.Site
	reader  EventReader
	reading sync.WaitGroup
	stop    func()
}

// OpenStream begins to read at the newest event.
func OpenStream(t *testing.T, s *site.Site) *Stream {
	t.Helper()
	newest, err := s.NewestEvent(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stream := &Stream{t: t, site: s}
	stream.reader.Last.Store(newest)
	ctx, cancel := context.WithCancel(t.Context())
	stream.stop = cancel
	stream.reading.Go(func() { stream.reader.Read(ctx, &http.Client{Transport: &http.Transport{}}, s) })
	t.Cleanup(func() { cancel(); stream.reading.Wait() })
	return stream
}

// Check waits until the newest event has arrived, ends the stream, and expects that it went on at least once, and that
// every event of the stream came once and in order.
func (s *Stream) Check() {
	s.t.Helper()
	newest, err := s.site.NewestEvent(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	Await(s.t, "the stream to have the newest event", func() bool { return s.reader.Last.Load() >= newest })
	s.stop()
	s.reading.Wait()
	if s.reader.Streams < 2 {
		s.t.Errorf("there was %d stream, want one that went on", s.reader.Streams)
	}
	events := s.reader.Events
	if len(events) == 0 || !slices.IsSorted(events) || len(slices.Compact(slices.Clone(events))) != len(events) {
		s.t.Errorf("the events are not in order, each once: %v", events)
	}
	s.t.Logf("%d events came in %d streams", len(events), s.reader.Streams)
}
