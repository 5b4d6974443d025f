package flight_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"capzone.dev/platform/flight"
)

func TestGroup_Do(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var group flight.Group[int]
		var runs, joined atomic.Int64
		finish := make(chan struct{})
		var callers sync.WaitGroup
		for range 5 {
			callers.Go(func() {
				value, shared, err := group.Do(t.Context(), "key", func(context.Context) (int, error) {
					<-finish
					return int(runs.Add(1)), nil
				})
				if value != 1 || err != nil {
					t.Errorf("%d, %v", value, err)
				}
				if shared {
					joined.Add(1)
				}
			})
		}
		other, shared, err := group.Do(t.Context(), "other key", func(context.Context) (int, error) { return 7, nil })
		if other != 7 || shared || err != nil {
			t.Errorf("another key: %d, %t, %v", other, shared, err)
		}
		synctest.Wait()
		close(finish)
		callers.Wait()
		if runs.Load() != 1 || joined.Load() != 4 {
			t.Errorf("%d runs and %d who joined, want 1 and 4", runs.Load(), joined.Load())
		}
		next, shared, _ := group.Do(t.Context(), "key", func(context.Context) (int, error) { return 8, nil })
		if next != 8 || shared {
			t.Errorf("after the end: %d, %t", next, shared)
		}
	})
}

func TestGroup_Do_abandoned(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var group flight.Group[int]
		ended := make(chan error, 2)
		work := func(ctx context.Context) (int, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return 0, ctx.Err()
		}
		var leave [2]context.CancelFunc
		results := make(chan error, 2)
		for i := range leave {
			ctx, cancel := context.WithCancel(t.Context())
			leave[i] = cancel
			go func() {
				_, _, err := group.Do(ctx, "key", work)
				results <- err
			}()
		}
		synctest.Wait()
		leave[0]()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("the first to leave gets %v", err)
		}
		synctest.Wait()
		if len(ended) > 0 {
			t.Error("the work ended although somebody waits")
		}
		leave[1]()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the work ended with %v", err)
		}
		value, joined, err := group.Do(t.Context(), "key", func(context.Context) (int, error) { return 9, nil })
		if value != 9 || joined || err != nil {
			t.Errorf("the next caller gets %d, %t, %v", value, joined, err)
		}
	})
}

func TestGroup_Do_panic(t *testing.T) {
	t.Parallel()
	var group flight.Group[int]
	_, _, err := group.Do(t.Context(), "key", func(context.Context) (int, error) { panic("a fault") })
	if err == nil || !strings.Contains(err.Error(), "a fault") {
		t.Errorf("got %v", err)
	}
}
