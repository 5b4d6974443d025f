package eventually_test

import (
	"testing"

	"capzone.dev/devstack/eventually"
)

func TestWaitFor(t *testing.T) {
	t.Parallel()
	asked := 0
	eventually.WaitFor(t, "the third answer", func() bool {
		asked++
		return asked == 3
	})
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
}
