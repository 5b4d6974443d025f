package siege_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"capzone.dev/e2e/site"
)

// TestRooms_of_greedy_addresses takes all rooms of the bot without an account. While players wait, a room that no
// player enters is closed after a minute at most.
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
		t.Errorf("a player from another address gets no room: %v", err)
	}
	t.Logf("a player from another address had a room after %s", time.Since(began).Round(time.Second))
}
