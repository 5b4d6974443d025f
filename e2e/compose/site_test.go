package compose

import (
	"testing"

	"capzone.dev/e2e/internal/load"
)

// TestSite_BlackBox runs the black-box tests of the whole site through the gateway's published port.
func TestSite_BlackBox(t *testing.T) {
	if passed := load.RunTests(t, running.address, "capzone.dev/e2e"); passed < 19 {
		t.Errorf("%d tests passed, want at least 19", passed)
	}
}
