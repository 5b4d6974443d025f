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

// Thirty players of one school log in: five at once, and then another every three seconds. Meanwhile another address
// asks for rooms as often as it can.
func TestRooms_of_a_school(t *testing.T) {
	const players, atOnce = 30, 5
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	hostile, end := context.WithCancel(ctx)
	var attack, logins sync.WaitGroup
	attack.Go(func() {
		from := system.Site.From(newAddress())
		for again := time.NewTicker(readEvery); hostile.Err() == nil; <-again.C {
			_, _ = from.Visitor().Send(hostile, site.Request{Path: "/auth/request-room-link"})
		}
	})
	school, began := system.Site.From(newAddress()), time.Now()
	arrival := time.NewTicker(3 * time.Second)
	for n := range players {
		if n >= atOnce {
			<-arrival.C
		}
		logins.Go(func() {
			account := site.Account{Name: fmt.Sprintf("of a school %d", n), Level: 30}
			if _, err := school.Visitor().Login(ctx, account); err != nil {
				t.Errorf("after %s: %v", time.Since(began).Round(time.Second), err)
			}
		})
	}
	logins.Wait()
	t.Logf("%d logins took %s", players, time.Since(began).Round(time.Second))
	end()
	attack.Wait()
}
