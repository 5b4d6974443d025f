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
	deadline := time.After(patience)
	for !condition() {
		select {
		case <-deadline:
			tb.Fatalf("timeout while waiting for %s", what)
		case <-time.After(interval):
		}
	}
}

// Poll waits like WaitFor, and reports whether the condition became true.
func Poll(condition func() bool) bool {
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(interval) {
		if condition() {
			return true
		}
	}
	return false
}
