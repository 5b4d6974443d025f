package semaphore_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"capzone.dev/platform/semaphore"
)

func TestNoMoreThanMayWorkAtOnce(t *testing.T) {
	t.Parallel()
	places := semaphore.New(2)
	var working, most atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			done, err := places.Acquire(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer done()
			now := working.Add(1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			working.Add(-1)
		})
	}
	all.Wait()
	if most.Load() > 2 {
		t.Errorf("%d worked at once", most.Load())
	}
}

func TestWhoeverGivesUpWaitingIsLetGo(t *testing.T) {
	t.Parallel()
	places := semaphore.New(1)
	done, err := places.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := places.Acquire(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	done()
	if _, err := places.Acquire(t.Context()); err != nil {
		t.Errorf("a turn that was given back: %v", err)
	}
}
