package imaging

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"capzone.dev/platform/problem"
)

// ErrBusy is returned where so many players wait that the wait would be too long.
var ErrBusy = problem.Unavailable("images_busy", "Many images are being processed. Please try again shortly.").
	WithRetryAfter(10 * time.Second)

const (
	// largeImage is the number of pixels from which an image is large. A large one takes up
	// to a second; of 4096×4096 pixels, a PNG takes 64 MiB, 128 with 16 bits a channel, and a
	// progressive JPEG 240.
	largeImage = 2048 * 2048
	// maxPlayers is the number of players who may have an image in a line.
	maxPlayers = 16
)

// line decides when an image is rendered. One large image and one small image are rendered at
// a time, so that their memory is bounded and no small image waits for a large one. Each
// player has one image in the line; further images of a player wait before it. A line is
// served in order, so that a player waits for one image of each other player at most.
type line struct {
	large, small *semaphore.Weighted

	mu      sync.Mutex
	players map[string]*turn
}

// turn belongs to a player with images in the line.
type turn struct {
	*semaphore.Weighted
	images int // in the line or before it
}

func newLine() *line {
	return &line{
		large: semaphore.NewWeighted(1), small: semaphore.NewWeighted(1),
		players: map[string]*turn{},
	}
}

// enter waits until an image of a player may be rendered. It returns ErrBusy at once where
// the line is full, or the error of ctx. The caller calls leave when the image is rendered.
func (l *line) enter(ctx context.Context, playerID string, pixels int) (leave func(), err error) {
	mine, err := l.join(playerID)
	if err != nil {
		return nil, err
	}
	queue := l.small
	if pixels > largeImage {
		queue = l.large
	}
	if err := mine.Acquire(ctx, 1); err != nil {
		l.quit(playerID)
		return nil, fmt.Errorf("wait for other images of the player: %w", err)
	}
	if err := queue.Acquire(ctx, 1); err != nil {
		mine.Release(1)
		l.quit(playerID)
		return nil, fmt.Errorf("wait for other images: %w", err)
	}
	return func() {
		if queue == l.large {
			// The runtime would keep the memory of a large image until its next collection.
			debug.FreeOSMemory()
		}
		queue.Release(1)
		mine.Release(1)
		l.quit(playerID)
	}, nil
}

func (l *line) join(playerID string) (*turn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine, ok := l.players[playerID]
	if !ok {
		if len(l.players) == maxPlayers {
			return nil, ErrBusy
		}
		mine = &turn{Weighted: semaphore.NewWeighted(1)}
		l.players[playerID] = mine
	}
	mine.images++
	return mine, nil
}

func (l *line) quit(playerID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	mine := l.players[playerID]
	if mine.images--; mine.images == 0 {
		delete(l.players, playerID)
	}
}
