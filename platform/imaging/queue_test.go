package imaging

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"capzone.dev/devstack/eventually"
)

const large = 4096 * 4096

// A player with four images in the queue lets another player's image pass after the first.
func TestQueue_enter_fair_by_player(t *testing.T) {
	t.Parallel()
	q := newQueue()
	entered := make(chan string, 8)
	leave := make(chan func(), 8)
	enter := func(player string) {
		done, err := q.enter(t.Context(), player, large)
		if err != nil {
			t.Error(err)
		}
		entered <- player
		leave <- done
	}
	enter("greedy")
	<-entered
	for range 3 {
		go enter("greedy")
	}
	eventually.WaitFor(t, "three images wait for their player's turn", func() bool { return q.images("greedy") == 4 })
	go enter("other")
	eventually.WaitFor(t, "the other player joins", func() bool { return q.images("other") == 1 })
	// Joined but not queued yet, the other player lets one more image pass.
	var order []string
	for range 4 {
		(<-leave)()
		order = append(order, <-entered)
	}
	if order[0] != "other" && order[1] != "other" {
		t.Errorf("the images were rendered in the order %v, want the other player's first", order)
	}
	(<-leave)()
	if len(q.players) != 0 {
		t.Errorf("players in the empty queue: %v", q.players)
	}
}

// A small image is rendered while a large one is.
func TestQueue_enter_small_beside_large(t *testing.T) {
	t.Parallel()
	q := newQueue()
	if _, err := q.enter(t.Context(), "a", large); err != nil {
		t.Fatal(err)
	}
	if _, err := q.enter(t.Context(), "b", largeImage); err != nil {
		t.Errorf("a small image: %v", err)
	}
}

func TestQueue_enter_busy(t *testing.T) {
	t.Parallel()
	q := newQueue()
	ctx, cancel := context.WithCancel(t.Context())
	results := make(chan error, maxPlayers)
	for i := range maxPlayers {
		go func() {
			_, err := q.enter(ctx, fmt.Sprint("player ", i), large)
			results <- err
		}()
	}
	eventually.WaitFor(t, "the queue is full", func() bool {
		q.mu.Lock()
		defer q.mu.Unlock()
		return len(q.players) == maxPlayers
	})
	if _, err := q.enter(t.Context(), "one more", large); !errors.Is(err, ErrBusy) || ErrBusy.RetryAfter == 0 {
		t.Errorf("enter returned %v, want ErrBusy with a time to wait", err)
	}
	// Players who stop waiting leave the queue.
	cancel()
	for range maxPlayers {
		if err := <-results; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if len(q.players) > 1 {
		t.Errorf("%d players are in the queue, want the one whose image is rendered", len(q.players))
	}
}

// images returns the number of images of a player in the queue or before it.
func (q *queue) images(player string) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if p, ok := q.players[player]; ok {
		return p.count
	}
	return 0
}
