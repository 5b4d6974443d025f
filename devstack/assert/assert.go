// Package assert reports unexpected values in tests, which go on. Package require ends them.
package assert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal fails tb where got is not want, and shows the difference.
func Equal[T any](tb testing.TB, what string, want, got T, opts ...cmp.Option) {
	tb.Helper()
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
