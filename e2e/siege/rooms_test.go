package siege_test

import (
	"context"
	"fmt"
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

// TestRooms_of_one_school logs in thirty players of one address who come at the same moment.
func TestRooms_of_one_school(t *testing.T) {
	school := system.Site.From(newAddress())
	var group sync.WaitGroup
	began := time.Now()
	for n := range 30 {
		group.Go(func() {
			if _, err := school.Visitor().Login(t.Context(), site.Account{Name: fmt.Sprint("pupil ", n), Level: 1}); err != nil {
				t.Errorf("player %d: %v", n, err)
			}
		})
	}
	group.Wait()
	t.Logf("all had logged in after %s", time.Since(began).Round(time.Second))
}
