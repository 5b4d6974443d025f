// Package require ends a test at its first unexpected error.
package require

import "testing"

// NoError fails tb and ends the test where err is not nil.
func NoError(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
