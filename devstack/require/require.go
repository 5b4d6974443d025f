// Package require ends a test at its first unexpected error or value.
package require

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// NoError fails tb and ends the test where err is not nil.
func NoError(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Equal fails tb and ends the test where got is not want, and shows the difference.
func Equal[T any](tb testing.TB, what string, want, got T, opts ...cmp.Option) {
	tb.Helper()
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		tb.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}
