package sharecard

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"capzone.dev/platform/problem"
)

// Opener opens stored pictures.
type Opener interface {
	// OpenFrom opens a file, which the caller closes. It returns a problem of the kind not found.
	OpenFrom(ctx context.Context, bucket, key string) (io.ReadSeekCloser, error)
}

const (
	// storedCards bounds the cards that a Renderer keeps. One has 60 to 260 KiB.
	storedCards = 64
	// maxQueued bounds the cards that are drawn or wait for it, and maxWait the time that one waits.
	maxQueued = 8
	maxWait   = 2 * time.Second
	// openTimeout bounds the opening of a picture, for which other cards wait.
	openTimeout = 2 * time.Second
	// maxPicture bounds the bytes of a stored picture.
	maxPicture = 4 << 20
)

// ErrBusy is returned where the queue is full or too slow.
var ErrBusy = problem.Overloaded("previews_busy", "Too many pictures are asked for. Please try again shortly.").
	WithRetryAfter(2 * time.Second)

// Renderer draws previews one at a time, and keeps the last ones by what is on them. It is safe for concurrent use.
type Renderer struct {
	open   Opener
	stored *lru.Cache[string, []byte]
	shared singleflight.Group
	queue  *semaphore.Weighted
	// drawing admits one card, because each takes a processor for tens of milliseconds and its picture some MiB.
	drawing *semaphore.Weighted
}

// NewRenderer returns a renderer. Open may be nil where no card has a picture.
func NewRenderer(open Opener) *Renderer {
	stored, _ := lru.New[string, []byte](storedCards) // the error is for sizes below 1
	return &Renderer{
		open: open, stored: stored,
		queue: semaphore.NewWeighted(maxQueued), drawing: semaphore.NewWeighted(1),
	}
}

// Render returns the preview as PNG, without its picture where that does not exist any more. Concurrent calls for the
// same preview share one drawing, which the end of ctx does not end. It returns ErrBusy at once where too many others
// wait, or after maxWait, and the errors of the opener.
func (r *Renderer) Render(ctx context.Context, card Card) ([]byte, error) {
	key := fmt.Sprintf("%#v", card)
	if drawn, ok := r.stored.Get(key); ok {
		return drawn, nil
	}
	shared, err, _ := r.shared.Do(key, func() (any, error) {
		drawn, err := r.render(context.WithoutCancel(ctx), card)
		if err == nil {
			r.stored.Add(key, drawn)
		}
		return drawn, err
	})
	drawn, _ := shared.([]byte)
	return drawn, err
}

func (r *Renderer) render(ctx context.Context, card Card) ([]byte, error) {
	if !r.queue.TryAcquire(1) {
		return nil, ErrBusy
	}
	defer r.queue.Release(1)
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	if err := r.drawing.Acquire(waiting, 1); err != nil {
		return nil, ErrBusy.Wrap(err)
	}
	defer r.drawing.Release(1)
	picture, err := r.picture(ctx, card.stored())
	if err != nil {
		return nil, err
	}
	return Draw(card, picture)
}

// picture returns a stored picture, or nil where there is none.
func (r *Renderer) picture(ctx context.Context, stored StoredPicture) (image.Image, error) {
	if stored.Key == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	file, err := r.open.OpenFrom(ctx, stored.Bucket, stored.Key)
	missing, ok := errors.AsType[*problem.Problem](err)
	if ok && missing.Kind == problem.KindNotFound { // replaced just now
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the picture of a preview: %w", err)
	}
	defer file.Close()
	picture, err := webp.Decode(io.LimitReader(file, maxPicture))
	if err != nil {
		return nil, fmt.Errorf("decode the picture %s: %w", stored.Key, err)
	}
	return picture, nil
}
