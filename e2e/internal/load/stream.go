package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"capzone.dev/e2e/site"
)

// Stream reads a site's live events, and goes on after the last one whenever a stream ends.
type Stream struct {
	t      *testing.T
	site   *site.Site
	began  uint64
	last   atomic.Uint64
	events []uint64
	// streams counts the streams.
	streams int
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
	stream := &Stream{t: t, site: s, began: newest}
	stream.last.Store(newest)
	ctx, cancel := context.WithCancel(t.Context())
	stream.stop = cancel
	client := &http.Client{Transport: &http.Transport{}}
	stream.reading.Go(func() {
		for ctx.Err() == nil {
			if err := stream.read(ctx, client); err != nil && ctx.Err() == nil {
				t.Log("the stream of events:", err)
			}
			Sleep(ctx, retryPause)
		}
	})
	t.Cleanup(func() { cancel(); stream.reading.Wait() })
	return stream
}

func (s *Stream) read(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.site.Address()+"/api/v1/events", http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Last-Event-ID", strconv.FormatUint(s.last.Load(), 10))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	s.streams++
	lines := bufio.NewScanner(response.Body)
	for id := uint64(0); lines.Scan(); {
		switch field, value, _ := strings.Cut(lines.Text(), ": "); field {
		case "id":
			if id, err = strconv.ParseUint(value, 10, 64); err != nil {
				return fmt.Errorf("the number of an event: %w", err)
			}
			s.last.Store(id)
		case "data":
			s.events = append(s.events, id)
		}
	}
	return lines.Err()
}

// Check waits until the newest event has arrived, ends the stream, and expects that it went on at least once, and that
// every event of the stream came once and in order.
func (s *Stream) Check() {
	s.t.Helper()
	newest, err := s.site.NewestEvent(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	Await(s.t, "the stream to have the newest event", func() bool { return s.last.Load() >= newest })
	s.stop()
	s.reading.Wait()
	if s.streams < 2 {
		s.t.Errorf("there was %d stream, want one that went on", s.streams)
	}
	if len(s.events) == 0 || !slices.IsSorted(s.events) || len(slices.Compact(slices.Clone(s.events))) != len(s.events) {
		s.t.Errorf("the events are not in order, each once: %v", s.events)
	}
	s.t.Logf("%d events came in %d streams", len(s.events), s.streams)
}
