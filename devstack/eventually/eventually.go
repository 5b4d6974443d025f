// Package eventually waits for conditions in tests.
package eventually

import (
	"testing"
	"time"
)

const (
	timeout  = 20 * time.Second
	interval = 10 * time.Millisecond
)

// WaitFor waits until condition returns true, and fails tb after 20 seconds. what names the
// condition in the failure: "the first message".
func WaitFor(tb testing.TB, what string, condition func() bool) {
	tb.Helper()
	Within(tb, timeout, what, condition)
}

// Within is WaitFor with another patience than 20 seconds.
func Within(tb testing.TB, patience time.Duration, what string, condition func() bool) {
	tb.Helper()
	if !poll(patience, condition) {
		tb.Fatalf("timeout while waiting for %s", what)
	}
}

// Poll waits like WaitFor, and reports whether the condition became true.
func Poll(condition func() bool) bool { return poll(timeout, condition) }

func poll(patience time.Duration, condition func() bool) bool {
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(interval) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
