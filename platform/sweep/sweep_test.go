package sweep_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"capzone.dev/platform/sweep"
)

func TestBatchesGoOnUntilOneIsNotFull(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		found   []int
		err     error
		removed int
		batches int
	}{
		"nothing is due":                {found: []int{0}, removed: 0, batches: 1},
		"less than a batch":             {found: []int{3}, removed: 3, batches: 1},
		"exactly a batch":               {found: []int{5, 0}, removed: 5, batches: 2},
		"several":                       {found: []int{5, 5, 2}, removed: 12, batches: 3},
		"one fails after it did a part": {found: []int{5, 5}, err: broken, removed: 10, batches: 2},
	} {
		batches := 0
		removed, err := sweep.Batches(5, func(context.Context) (int, error) {
			batches++
			if batches == len(c.found) {
				return c.found[batches-1], c.err
			}
			return c.found[batches-1], nil
		})(t.Context())
		if removed != c.removed || batches != c.batches || !errors.Is(err, c.err) {
			t.Errorf("%s: removed %d in %d batches (%v), want %d in %d (%v)", name, removed, batches, err, c.removed, c.batches, c.err)
		}
	}
}

func TestRoundsComeAgainAlsoAfterOneThatFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		var at []time.Duration
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), 25*time.Minute)
		defer stop()
		err := sweep.Run(ctx, slog.New(slog.NewTextHandler(&said, nil)), "crumbs", 10*time.Minute, func(context.Context) (int, error) {
			at = append(at, time.Since(began))
			if len(at) == 2 {
				return 0, errors.New("the broom is away")
			}
			return len(at), nil
		})
		if err != nil {
			t.Error(err)
		}
		if len(at) != 3 || at[0] != 0 || at[1] != 10*time.Minute || at[2] != 20*time.Minute {
			t.Errorf("rounds at %v", at)
		}
		for _, part := range []string{"msg=swept what=crumbs count=1\n", `msg="sweeping failed" what=crumbs error="the broom is away"`, "count=3\n"} {
			if !strings.Contains(said.String(), part) {
				t.Errorf("the log lacks %q:\n%s", part, said.String())
			}
		}
	})
}

func TestAnEndInTheMiddleOfARoundIsNoFailure(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	err := sweep.Run(ctx, slog.New(slog.NewTextHandler(&said, nil)), "crumbs", time.Hour, func(ctx context.Context) (int, error) {
		stop()
		return 0, ctx.Err()
	})
	if err != nil || said.Len() > 0 {
		t.Errorf("%v, and the log says %q", err, said.String())
	}
}
