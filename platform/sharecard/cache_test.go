package sharecard_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"capzone.dev/platform/sharecard"
)

func TestCache_Draw(t *testing.T) {
	t.Parallel()
	cache, loads := sharecard.NewCache(), 0
	draw := func(card sharecard.Card, pictureKey string) []byte {
		t.Helper()
		drawn, err := cache.Draw(t.Context(), card, pictureKey, func(context.Context) (image.Image, error) {
			loads++
			return checkered(1200, 630), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return drawn
	}
	want, err := sharecard.Draw(t.Context(), mapCard)
	if err != nil {
		t.Fatal(err)
	}
	if first := draw(mapCard, "picture"); !bytes.Equal(first, want) || loads != 1 {
		t.Errorf("the first card was loaded %d times, or is not what Draw returns", loads)
	}
	if again := draw(mapCard, "picture"); !bytes.Equal(again, want) || loads != 1 {
		t.Errorf("the same card was loaded %d times, want 1", loads)
	}
	if draw(mapCard, "another picture"); loads != 2 {
		t.Errorf("a card with another picture was loaded %d times, want 2", loads)
	}
	other := mapCard
	other.Lines = []string{"World record by Grace 128 records"}
	if draw(other, "picture"); loads != 3 {
		t.Errorf("a card with other lines was loaded %d times, want 3", loads)
	}
}

func TestCache_Draw_concurrent_calls(t *testing.T) {
	t.Parallel()
	cache, loads := sharecard.NewCache(), 0
	began, release := make(chan struct{}), make(chan struct{})
	load := func(ctx context.Context) (image.Image, error) {
		loads++
		close(began)
		<-release
		return checkered(100, 100), ctx.Err()
	}
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error)
	go func() {
		_, err := cache.Draw(ctx, mapCard, "", load)
		first <- err
	}()
	<-began
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the call whose context ended returns %v, want context.Canceled", err)
	}
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			if drawn, err := cache.Draw(t.Context(), mapCard, "", load); err != nil || len(drawn) == 0 {
				t.Errorf("%d bytes, %v", len(drawn), err)
			}
		})
	}
	close(release)
	calls.Wait()
	if loads != 1 {
		t.Errorf("the card was loaded %d times, want 1", loads)
	}
}

// A card that waits for others holds no picture: a decoded one takes some MiB.
func TestCache_Draw_loads_one_picture_at_a_time(t *testing.T) {
	t.Parallel()
	cache := sharecard.NewCache()
	var loading, overlaps atomic.Int64
	load := func(context.Context) (image.Image, error) {
		if loading.Add(1) > 1 {
			overlaps.Add(1)
		}
		defer loading.Add(-1)
		runtime.Gosched()
		return checkered(100, 100), nil
	}
	var calls sync.WaitGroup
	for i := range 8 {
		calls.Go(func() {
			card := sharecard.Card{Title: strconv.Itoa(i)}
			if _, err := cache.Draw(t.Context(), card, "", load); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	if overlaps.Load() > 0 {
		t.Errorf("%d pictures were loaded while another one was", overlaps.Load())
	}
}

// It is not parallel, because a wait for another test's card does not end in a synctest bubble.
func TestCache_Draw_load_that_hangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := sharecard.NewCache().Draw(t.Context(), mapCard, "", func(ctx context.Context) (image.Image, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want context.DeadlineExceeded", err)
		}
	})
}

func TestCache_Draw_without_a_picture(t *testing.T) {
	t.Parallel()
	drawn, err := sharecard.NewCache().Draw(t.Context(), sharecard.Card{Title: "Capzone"}, "", nil)
	if err != nil || len(drawn) == 0 {
		t.Errorf("%d bytes, %v", len(drawn), err)
	}
}

func TestCache_Draw_failed_load(t *testing.T) {
	t.Parallel()
	cache, unavailable := sharecard.NewCache(), errors.New("the storage is unavailable")
	_, err := cache.Draw(t.Context(), mapCard, "", func(context.Context) (image.Image, error) {
		return nil, unavailable
	})
	if !errors.Is(err, unavailable) {
		t.Errorf("got %v, want the error of load", err)
	}
	drawn, err := cache.Draw(t.Context(), mapCard, "", func(context.Context) (image.Image, error) { return nil, nil })
	if err != nil || len(drawn) == 0 {
		t.Errorf("after a failed load: %d bytes, %v", len(drawn), err)
	}
}
