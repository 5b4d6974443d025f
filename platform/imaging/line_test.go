package imaging

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"capzone.dev/devstack/eventually"
)

const large = 4096 * 4096

// A player with four images in the line lets another player's image pass after the first.
func TestLine_enter_fair_by_player(t *testing.T) {
	t.Parallel()
	l := newLine()
	entered := make(chan string, 8)
	leave := make(chan func(), 8)
	enter := func(player string) {
		done, err := l.enter(t.Context(), player, large)
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
	eventually.WaitFor(t, "three images wait for their player's turn", func() bool { return l.images("greedy") == 4 })
	go enter("other")
	eventually.WaitFor(t, "the other player joins", func() bool { return l.images("other") == 1 })
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
	if len(l.players) != 0 {
		t.Errorf("players in the empty line: %v", l.players)
	}
}

// A small image is rendered while a large one is.
func TestLine_enter_small_beside_large(t *testing.T) {
	t.Parallel()
	l := newLine()
	if _, err := l.enter(t.Context(), "a", large); err != nil {
		t.Fatal(err)
	}
	if _, err := l.enter(t.Context(), "b", largeImage); err != nil {
		t.Errorf("a small image: %v", err)
	}
}

func TestLine_enter_busy(t *testing.T) {
	t.Parallel()
	l := newLine()
	ctx, cancel := context.WithCancel(t.Context())
	results := make(chan error, maxPlayers)
	for i := range maxPlayers {
		go func() {
			_, err := l.enter(ctx, fmt.Sprint("player ", i), large)
			results <- err
		}()
	}
	eventually.WaitFor(t, "the line is full", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.players) == maxPlayers
	})
	if _, err := l.enter(t.Context(), "one more", large); !errors.Is(err, ErrBusy) || ErrBusy.RetryAfter == 0 {
		t.Errorf("enter returned %v, want ErrBusy with a time to wait", err)
	}
	// Players who stop waiting leave the line.
	cancel()
	for range maxPlayers {
		if err := <-results; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if len(l.players) > 1 {
		t.Errorf("%d players are in the line, want the one whose image is rendered", len(l.players))
	}
}

// images returns the number of images of a player in the line or before it.
func (l *line) images(player string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if turn, ok := l.players[player]; ok {
		return turn.images
	}
	return 0
}
