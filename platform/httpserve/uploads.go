package httpserve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"capzone.dev/platform/problem"
)

// ErrUploadsBusy is returned where the uploads in flight leave no room for another one.
var ErrUploadsBusy = problem.Unavailable("uploads_busy", "Too many uploads are in progress. Please try again shortly.").
	WithRetryAfter(5 * time.Second)

const (
	uploadsPerPlayer = 3
	// uploadWait is how long an upload waits for its player's other uploads.
	uploadWait = 10 * time.Second
	// uploadBytes is the memory for the parts of all uploads in flight, without the first
	// freePart bytes of each. It is a fifth of what a service's container has.
	uploadBytes = 96 << 20
	freePart    = 64 << 10
)

// uploads bounds the uploads of the process.
var uploads = newUploadLimit(uploadBytes)

// uploadLimit bounds the uploads in flight: from the first byte that is read of their body to
// the end of the request.
type uploadLimit struct {
	memory *semaphore.Weighted

	mu      sync.Mutex
	players map[string]*playerUploads
}

type playerUploads struct {
	*semaphore.Weighted
	count int // in flight or waiting
}

func newUploadLimit(bytes int64) *uploadLimit {
	return &uploadLimit{memory: semaphore.NewWeighted(bytes), players: map[string]*playerUploads{}}
}

// upload is an upload in flight.
type upload struct {
	limit    *uploadLimit
	playerID string
	bytes    int64 // acquired of limit.memory
	ended    bool
}

// begin waits until the player has less than uploadsPerPlayer uploads in flight. It returns
// ErrUploadsBusy after uploadWait, or the error of ctx.
func (l *uploadLimit) begin(ctx context.Context, playerID string) (*upload, error) {
	l.mu.Lock()
	player, ok := l.players[playerID]
	if !ok {
		player = &playerUploads{Weighted: semaphore.NewWeighted(uploadsPerPlayer)}
		l.players[playerID] = player
	}
	player.count++
	l.mu.Unlock()

	wait, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	if err := player.Acquire(wait, 1); err != nil {
		l.leave(playerID)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("wait for other uploads of the player: %w", err)
		}
		return nil, ErrUploadsBusy
	}
	return &upload{limit: l, playerID: playerID}, nil
}

func (l *uploadLimit) leave(playerID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	player := l.players[playerID]
	if player.count--; player.count == 0 {
		delete(l.players, playerID)
	}
}

// readAll reads r to its end, or limit bytes. It returns ErrUploadsBusy where the memory for
// uploads is used up.
func (u *upload) readAll(r io.Reader, limit int) ([]byte, error) {
	data := make([]byte, 0, min(4<<10, limit))
	for len(data) < limit {
		if len(data) == cap(data) {
			size := min(2*cap(data), limit)
			if err := u.acquire(size); err != nil {
				return nil, err
			}
			smaller := cap(data)
			data = append(make([]byte, 0, size), data...)
			u.release(smaller)
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// acquire counts a buffer of the size, unless it is one that every upload may have.
func (u *upload) acquire(size int) error {
	if size <= freePart {
		return nil
	}
	if !u.limit.memory.TryAcquire(int64(size)) {
		return ErrUploadsBusy
	}
	u.bytes += int64(size)
	return nil
}

func (u *upload) release(size int) {
	if size <= freePart {
		return
	}
	u.limit.memory.Release(int64(size))
	u.bytes -= int64(size)
}

// end ends the upload. It may be called more than once.
func (u *upload) end() {
	if u.ended {
		return
	}
	u.ended = true
	u.limit.memory.Release(u.bytes)
	u.limit.mu.Lock()
	player := u.limit.players[u.playerID]
	u.limit.mu.Unlock()
	player.Release(1)
	u.limit.leave(u.playerID)
}
