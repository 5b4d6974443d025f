package groupcommit_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"capzone.dev/platform/groupcommit"
)

// work holds each batch until it is let go, and keeps what came.
type work struct {
	group   *groupcommit.Group[string, string]
	begun   chan []string
	goOn    chan error
	outcome map[string]string
	mu      sync.Mutex
}

func newWork(most int) *work {
	w := &work{begun: make(chan []string), goOn: make(chan error), outcome: map[string]string{}}
	w.group = groupcommit.New(groupcommit.Options[string, string]{
		Max:  most,
		Keys: func(in string) []string { return []string{in[:1]} },
		Do: func(_ context.Context, in []string) ([]string, error) {
			w.begun <- slices.Clone(in)
			if err := <-w.goOn; err != nil {
				return nil, err
			}
			out := make([]string, len(in))
			for i := range in {
				out[i] = strings.ToUpper(in[i])
			}
			return out, nil
		},
	})
	return w
}

func (w *work) call(ctx context.Context, in string) {
	out, err := w.group.Do(ctx, in)
	if err != nil {
		out = err.Error()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outcome[in] = out
}

// line has calls begin in an order.
func (w *work) line(ctx context.Context, calls ...string) {
	for _, in := range calls {
		go w.call(ctx, in)
		synctest.Wait()
	}
}

// next returns the batch that has begun, and lets it end with err.
func (w *work) next(err error) []string {
	batch := <-w.begun
	w.goOn <- err
	synctest.Wait()
	return batch
}

func check(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("the batch is %q, want %q", got, want)
	}
}

func TestWhatComesMeanwhileIsTheNextBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork(10)
		w.line(t.Context(), "a", "b", "c")
		check(t, w.next(nil), "a")
		check(t, w.next(nil), "b", "c")
		w.line(t.Context(), "d")
		check(t, w.next(nil), "d")
		for in, out := range w.outcome {
			if out != strings.ToUpper(in) {
				t.Errorf("%s got %s, the outcome of another", in, out)
			}
		}
		if len(w.outcome) != 4 {
			t.Errorf("there are %d outcomes", len(w.outcome))
		}
	})
}

func TestCallsWithAKeyInCommonAreNeverTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork(10)
		w.line(t.Context(), "x", "a1", "a2", "b1", "a3", "c1")
		check(t, w.next(nil), "x")
		check(t, w.next(nil), "a1", "b1", "c1")
		check(t, w.next(nil), "a2")
		check(t, w.next(nil), "a3")
	})
}

func TestABatchHasABound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork(2)
		w.line(t.Context(), "x", "a", "b", "c")
		check(t, w.next(nil), "x")
		check(t, w.next(nil), "a", "b")
		check(t, w.next(nil), "c")
	})
}

func TestAnErrorIsEverybodysOfTheBatchAndNobodyElses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork(2)
		w.line(t.Context(), "x", "a", "b", "c")
		w.next(nil)
		w.next(errors.New("no"))
		w.next(nil)
		for in, want := range map[string]string{"x": "X", "a": "no", "b": "no", "c": "C"} {
			if w.outcome[in] != want {
				t.Errorf("%s got %q, want %q", in, w.outcome[in], want)
			}
		}
	})
}

func TestWhoGivesUpWaitingIsTakenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork(10)
		ctx, cancel := context.WithCancel(t.Context())
		w.line(t.Context(), "x")
		w.line(ctx, "a")
		w.line(t.Context(), "b")
		cancel()
		synctest.Wait()
		if w.outcome["a"] != context.Canceled.Error() {
			t.Errorf("the call that was given up got %q", w.outcome["a"])
		}
		check(t, w.next(nil), "x")
		check(t, w.next(nil), "b")
	})
}

func TestWhatHasBegunIsDoneToItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork(10)
		ctx, cancel := context.WithCancel(t.Context())
		w.line(t.Context(), "x")
		w.line(ctx, "a")
		w.line(t.Context(), "b")
		check(t, w.next(nil), "x")
		cancel() // a leads the batch of both
		synctest.Wait()
		check(t, w.next(nil), "a", "b")
		if w.outcome["a"] != "A" || w.outcome["b"] != "B" {
			t.Errorf("the outcomes are %v", w.outcome)
		}
	})
}

func TestABatchThatIsNotAnsweredEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answers := false
		group := groupcommit.New(groupcommit.Options[int, int]{
			Max: 10,
			Do: func(ctx context.Context, in []int) ([]int, error) {
				if answers {
					return in, nil
				}
				<-ctx.Done()
				return nil, ctx.Err()
			},
		})
		if _, err := group.Do(t.Context(), 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the call got %v", err)
		}
		answers = true
		if out, err := group.Do(t.Context(), 2); out != 2 || err != nil {
			t.Errorf("the group goes on with %d, %v", out, err)
		}
	})
}

func TestAPanicReachesItsCallerAndNobodyWaitsForever(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var entered = make(chan struct{})
		group := groupcommit.New(groupcommit.Options[int, int]{
			Max: 10,
			Do: func(_ context.Context, in []int) ([]int, error) {
				if in[0] == 0 {
					<-entered
					return in, nil
				}
				if len(in) > 1 {
					panic("broken")
				}
				return in, nil
			},
		})
		var errs [3]error
		var panicked [3]bool
		for i := range errs {
			go func() {
				defer func() { panicked[i] = recover() != nil }()
				_, errs[i] = group.Do(t.Context(), i)
			}()
			synctest.Wait()
		}
		close(entered)
		synctest.Wait()
		if !panicked[1] || !errors.Is(errs[2], groupcommit.ErrAbandoned) {
			t.Errorf("panicked: %v, errors: %v", panicked, errs)
		}
		if out, err := group.Do(t.Context(), 7); out != 7 || err != nil {
			t.Errorf("the group goes on with %d, %v", out, err)
		}
	})
}

func TestEveryCallIsDoneOnce(t *testing.T) {
	t.Parallel()
	seen := map[int]int{} // without a lock: one batch is done at a time
	group := groupcommit.New(groupcommit.Options[int, int]{
		Max:  5,
		Keys: func(in int) []string { return []string{string(rune('a' + in%7))} },
		Do: func(_ context.Context, in []int) ([]int, error) {
			for _, n := range in {
				seen[n]++
			}
			return in, nil
		},
	})
	var all sync.WaitGroup
	for i := range 500 {
		all.Go(func() {
			if out, err := group.Do(t.Context(), i); out != i || err != nil {
				t.Errorf("call %d got %d, %v", i, out, err)
			}
		})
	}
	all.Wait()
	for i := range 500 {
		if seen[i] != 1 {
			t.Errorf("call %d was done %d times", i, seen[i])
		}
	}
}
