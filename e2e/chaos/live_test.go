package chaos

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/internal/load"
)

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
	readers := make([]*load.EventReader, count)
	for i := range readers {
		readers[i] = &load.EventReader{}
		readers[i].Last.Store(began)
		reading.Go(func() { readers[i].Read(ctx, client, capzone) })
	}
	// await waits until all readers have everything up to a number.
	await := func(number uint64) {
		t.Helper()
		if !soon(t, func() bool {
			return !slices.ContainsFunc(readers, func(r *load.EventReader) bool { return r.Last.Load() < number })
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
		r.Events = slices.DeleteFunc(r.Events, isLater)
	}
	want := readers[0].Events
	if len(want) == 0 {
		t.Fatal("nothing has happened")
	}
	for i, r := range readers {
		if !slices.Equal(r.Events, want) {
			t.Fatalf("reader %d got other events:\n%v\nwant\n%v", i, r.Events, want)
		}
		if r.Streams < 2 || r.Ended == 0 {
			t.Errorf("reader %d had %d streams, of which %d ended as complete", i, r.Streams, r.Ended)
		}
	}
	if !slices.IsSorted(want) || len(slices.Compact(slices.Clone(want))) != len(want) {
		t.Errorf("the events are not in order, each once: %v", want)
	}
	t.Logf("%d readers got %d events each", count, len(want))
}
