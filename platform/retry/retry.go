// Package retry does again what fails for now: it waits for a server that is
// starting, for instance.
package retry

import (
	"context"
	"errors"
	"time"
)

// Until calls try, every so often, until it succeeds, fails for good (see Final)
// or ctx ends. It returns the last error of try that is not only that ctx has
// ended, where there is one.
func Until(ctx context.Context, every time.Duration, try func(ctx context.Context) error) error {
	var last error
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		if final := (finalError{}); errors.As(err, &final) {
			return final.error
		}
		if last == nil || ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return last
		case <-time.After(every):
		}
	}
}

// Final returns an error with which Until ends: trying again would not help.
func Final(err error) error { return finalError{err} }

type finalError struct{ error }
