package kubernetes

import (
	"testing"

	"capzone.dev/e2e/internal/load"
)

// TestSite_MainJob runs black-box tests of the site through the gateway's service: logins, a map with its picture,
// records, the leaderboard, and the stream of events.
func TestSite_MainJob(t *testing.T) {
	load.RunTests(t, address, "capzone.dev/e2e", "-run", "TestSite_main_job|TestLive_examples|TestPreview")
}
