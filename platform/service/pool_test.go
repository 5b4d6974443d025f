package service_test

import (
	"strings"
	"testing"

	"capzone.dev/platform/event"
	"capzone.dev/platform/eventbus"
	"capzone.dev/platform/postgres"
)

// Consumers never hold all connections of a pool, so that requests go on while many messages wait.
func TestService_pool_has_connections_for_requests_beside_all_workers(t *testing.T) {
	t.Parallel()
	const forRequests = 4
	consumers := map[string]int{}
	for _, c := range event.Consumers() {
		name, _, _ := strings.Cut(c.Name, "-")
		consumers[name]++
	}
	for name, n := range consumers {
		if left := postgres.DefaultConnections - n*eventbus.Workers; left < forRequests {
			t.Errorf("%s has %d connections for requests beside %d consumers, want %d", name, left, n, forRequests)
		}
	}
}
