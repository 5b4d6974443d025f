package eventually_test

import (
	"testing"

	"capzone.dev/devstack/eventually"
)

func TestThat(t *testing.T) {
	t.Parallel()
	asked := 0
	eventually.That(t, "the third answer", func() bool {
		asked++
		return asked == 3
	})
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
}
