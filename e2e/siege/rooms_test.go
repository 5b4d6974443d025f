package siege_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"capzone.dev/e2e/site"
)

// TestRooms_of_greedy_addresses takes all rooms of the bot without an account. A room that nobody enters is closed
// after a minute at the latest where players wait.
func TestRooms_of_greedy_addresses(t *testing.T) {
	var group sync.WaitGroup
	for _, address := range newAddresses(8) {
		for range 4 {
			group.Go(func() {
				_, _ = system.Site.From(address).Visitor().Send(t.Context(), site.Request{Path: "/auth/request-room-link"})
			})
		}
	}
	group.Wait()
	ctx, stop := context.WithTimeout(t.Context(), 75*time.Second)
	defer stop()
	began := time.Now()
	if _, err := newVisitor().RequestRoomLink(ctx); err != nil {
		t.Errorf("a player from elsewhere gets no room: %v", err)
	}
	t.Logf("a player from elsewhere had a room after %s", time.Since(began).Round(time.Second))
}
