package retry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"capzone.dev/platform/retry"
)

var (
	errStarting = errors.New("the server starts")
	errRefused  = errors.New("the password is wrong")
)

func TestUntil(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		tries []error // of which the last comes again and again
		want  error
		calls int
	}{
		{"what succeeds is done once", []error{nil}, nil, 1},
		{"what fails for now is done again", []error{errStarting, errStarting, nil}, nil, 3},
		{"what fails for good is not", []error{errStarting, retry.Final(errRefused)}, errRefused, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			err := retry.Until(t.Context(), time.Millisecond, func(context.Context) error {
				calls++
				return tt.tries[calls-1]
			})
			if !errors.Is(err, tt.want) || calls != tt.calls {
				t.Errorf("got %v after %d tries, want %v after %d", err, calls, tt.want, tt.calls)
			}
		})
	}
}

func TestTheEndOfTheTimeIsNotToldInsteadOfWhatWentWrong(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	err := retry.Until(ctx, time.Millisecond, func(ctx context.Context) error {
		if calls++; calls == 1 {
			return errStarting
		}
		cancel()
		return ctx.Err()
	})
	if !errors.Is(err, errStarting) || calls != 2 {
		t.Errorf("got %v after %d tries", err, calls)
	}
}

func TestTheFirstTryIsMadeInAnyCase(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := retry.Until(ctx, time.Hour, func(ctx context.Context) error { return ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
