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

// That waits until holds returns true, and fails tb after 20 seconds. what names the
// condition in the failure: "the first message".
func That(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	deadline := time.After(timeout)
	for !holds() {
		select {
		case <-deadline:
			tb.Fatalf("timeout while waiting for %s", what)
		case <-time.After(interval):
		}
	}
}

// Holds waits like That, and reports whether the condition became true.
func Holds(holds func() bool) bool {
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(interval) {
		if holds() {
			return true
		}
	}
	return false
}
