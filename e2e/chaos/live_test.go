package chaos

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/devstack/require"
)

// liveReader reads the live events, and connects again whenever its stream ends.
type liveReader struct {
	events []uint64
	// last is the number up to which it has everything.
	last atomic.Uint64
	// streams counts its streams, ended those that ended as complete responses.
	streams, ended atomic.Int32
}

// read reads until ctx ends.
func (r *liveReader) read(ctx context.Context, client *http.Client) {
	for ctx.Err() == nil {
		if err := r.readStream(ctx, client); err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryPause):
		}
	}
}

func (r *liveReader) readStream(ctx context.Context, client *http.Client) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, capzone.Address()+"/api/v1/events", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Last-Event-ID", strconv.FormatUint(r.last.Load(), 10))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %s", response.Status)
	}
	r.streams.Add(1)
	lines := bufio.NewScanner(response.Body)
	for id := uint64(0); lines.Scan(); {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "id":
			if id, err = strconv.ParseUint(value, 10, 64); err != nil {
				return err
			}
			r.last.Store(id)
		case "data":
			r.events = append(r.events, id)
		}
	}
	if lines.Err() == nil {
		r.ended.Add(1)
	}
	return lines.Err()
}

// TestRestart_gateway_under_streams restarts the gateway under the load and a thousand readers of live events. They all
// get every event once.
func TestRestart_gateway_under_streams(t *testing.T) {
	const count = 1000
	newest := func() uint64 {
		t.Helper()
		id, err := capzone.NewestEvent(t.Context())
		require.NoError(t, err)
		return id
	}
	began := newest()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var reading sync.WaitGroup
	readers := make([]*liveReader, count)
	for i := range readers {
		readers[i] = &liveReader{}
		readers[i].last.Store(began)
		reading.Go(func() { readers[i].read(ctx, client) })
	}
	// await waits until all readers have everything up to a number.
	await := func(number uint64) {
		t.Helper()
		if !soon(t, func() bool {
			return !slices.ContainsFunc(readers, func(r *liveReader) bool { return r.last.Load() < number })
		}) {
			t.Errorf("some readers do not get everything up to %d", number)
		}
	}
	l := begin(t)
	await(began + 1)
	_, err := running.Restart(t.Context(), "gateway")
	require.NoError(t, err)
	await(newest() + 1) // what happens after the restart
	l.end()
	end := newest() // what happens later may reach some of the readers
	await(end)
	stop()
	reading.Wait()

	isLater := func(id uint64) bool { return id > end }
	for _, r := range readers {
		r.events = slices.DeleteFunc(r.events, isLater)
	}
	want := readers[0].events
	if len(want) == 0 {
		t.Fatal("nothing has happened")
	}
	for i, r := range readers {
		if !slices.Equal(r.events, want) {
			t.Fatalf("reader %d got other events:\n%v\nwant\n%v", i, r.events, want)
		}
		if streams, ended := r.streams.Load(), r.ended.Load(); streams < 2 || ended == 0 {
			t.Errorf("reader %d had %d streams, of which %d ended as complete", i, streams, ended)
		}
	}
	if !slices.IsSorted(want) || len(slices.Compact(slices.Clone(want))) != len(want) {
		t.Errorf("the events are not in order, each once: %v", want)
	}
	t.Logf("%d readers got %d events each", count, len(want))
}
