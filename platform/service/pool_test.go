package service

import (
	"strings"
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/platform/postgres"
)

// Consumers never hold all connections of a pool, so that requests go on while many messages wait.
func TestCheckPool(t *testing.T) {
	t.Parallel()
	const forRequests = 4
	for _, c := range event.Consumers() {
		name, _, _ := strings.Cut(c.Name, "-")
		if err := checkPool(name, postgres.DefaultConnections-forRequests+1); err != nil {
			t.Errorf("the usual pool has fewer than %d connections for requests: %v", forRequests, err)
		}
	}
	if err := checkPool("records", 13); err != nil {
		t.Errorf("the smallest pool: %v", err)
	}
	const want = "DATABASE_URL: pool_max_conns is 12, but records needs at least 13: " +
		"one connection for each of 12 workers of consumers, and one for requests"
	if err := checkPool("records", 12); err == nil || err.Error() != want {
		t.Errorf("a smaller pool: %v, want %q", err, want)
	}
}
