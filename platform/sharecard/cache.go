package sharecard

import (
	"context"
	"fmt"
	"image"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
)

const (
	// cachedCards bounds the cards that a Cache holds. One has about 100 KiB.
	cachedCards = 64
	// loadTimeout bounds the loading of a picture, for which other cards wait.
	loadTimeout = 5 * time.Second
)

// Cache draws cards and keeps the last ones by what is on them, so that a card that is asked for often is drawn again
// only when its text or its picture changes. It is safe for concurrent use.
type Cache struct {
	stored  *lru.Cache[string, []byte]
	flights singleflight.Group
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	stored, _ := lru.New[string, []byte](cachedCards) // the error is for sizes below 1
	return &Cache{stored: stored}
}

// Load returns the picture of a card, or nil for none.
type Load func(ctx context.Context) (image.Image, error)

// Draw returns the card with the picture that load returns, as PNG. PictureKey names the picture's content; a
// card with the same text and key is the same card, and load is called only where it is not in the cache. A nil load
// is for a card without a picture. Concurrent calls for one card share one drawing, which the end of one caller's ctx
// does not end. Draw returns the errors of load and of ctx; the context of load ends after five seconds.
func (c *Cache) Draw(ctx context.Context, card Card, pictureKey string, load Load) ([]byte, error) {
	card.Picture = nil
	key := fmt.Sprintf("%q %q", card, pictureKey)
	if drawn, ok := c.stored.Get(key); ok {
		return drawn, nil
	}
	done := c.flights.DoChan(key, func() (any, error) {
		drawn, err := loadAndDraw(context.WithoutCancel(ctx), card, load)
		if err != nil {
			return nil, err
		}
		c.stored.Add(key, drawn)
		return drawn, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-done:
		drawn, _ := result.Val.([]byte)
		return drawn, result.Err
	}
}

// loadAndDraw loads the picture when it is the card's turn, because a decoded picture takes some MiB.
func loadAndDraw(ctx context.Context, card Card, load Load) ([]byte, error) {
	if err := drawing.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait for other cards: %w", err)
	}
	defer drawing.Release(1)
	if load != nil {
		ctx, cancel := context.WithTimeout(ctx, loadTimeout)
		defer cancel()
		picture, err := load(ctx)
		if err != nil {
			return nil, fmt.Errorf("load the picture of a card: %w", err)
		}
		card.Picture = picture
	}
	return render(card)
}
