// Package eventually lets a test wait for a condition.
package eventually

import (
	"testing"
	"time"
)

const (
	patience = 20 * time.Second
	interval = 10 * time.Millisecond
)

// That returns when the condition holds, and fails tb when it has not held for
// 20 seconds. What says what was waited for: "the first message".
func That(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	deadline := time.After(patience)
	for !holds() {
		select {
		case <-deadline:
			tb.Fatalf("waited in vain for %s", what)
		case <-time.After(interval):
		}
	}
}

// Holds waits as That does, and tells whether the condition came to hold.
func Holds(holds func() bool) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(interval) {
		if holds() {
			return true
		}
	}
	return false
}
