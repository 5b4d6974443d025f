package sharecard_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gen2brain/webp"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/sharecard"
)

// opener opens pictures by a function of the test, and counts them.
type opener struct {
	open  func(ctx context.Context, key string) ([]byte, error)
	count atomic.Int64
}

func (o *opener) OpenFrom(ctx context.Context, bucket, key string) (io.ReadSeekCloser, error) {
	o.count.Add(1)
	data, err := o.open(ctx, bucket+"/"+key)
	if err != nil {
		return nil, err
	}
	return file{bytes.NewReader(data)}, nil
}

type file struct{ *bytes.Reader }

func (file) Close() error { return nil }

func asWebP(t *testing.T, width, height int) []byte {
	t.Helper()
	var encoded bytes.Buffer
	require.NoError(t, webp.Encode(&encoded, checkered(width, height), webp.Options{Lossless: true}))
	return encoded.Bytes()
}

func TestRenderer_Render(t *testing.T) {
	t.Parallel()
	picture := asWebP(t, 1200, 630)
	pictures := &opener{open: func(_ context.Context, key string) ([]byte, error) {
		if key != "maps/a.webp" && key != "maps/b.webp" {
			t.Errorf("opened %s", key)
		}
		return picture, nil
	}}
	renderer := sharecard.NewRenderer(pictures)
	render := func(card sharecard.Map) []byte {
		t.Helper()
		drawn, err := renderer.Render(t.Context(), card)
		if err != nil {
			t.Fatal(err)
		}
		return drawn
	}
	want, err := sharecard.Draw(mapCard, checkered(1200, 630))
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		change func(*sharecard.Map)
		same   bool // the same picture as the first
		opened int64
	}{
		{func(*sharecard.Map) {}, true, 1},
		{func(*sharecard.Map) {}, true, 1},
		{func(m *sharecard.Map) { m.Picture.Key = "b.webp" }, true, 2},
		{func(m *sharecard.Map) { m.Holder.Name += " 128" }, false, 3},
		{func(m *sharecard.Map) { m.Picture.Key = "" }, false, 3},
	} {
		card := mapCard
		tt.change(&card)
		if drawn := render(card); bytes.Equal(drawn, want) != tt.same || pictures.count.Load() != tt.opened {
			t.Errorf("%d: the same as the first: %t, with %d pictures opened, want %t and %d", i,
				!tt.same, pictures.count.Load(), tt.same, tt.opened)
		}
	}
}

func TestRenderer_Render_without_a_picture(t *testing.T) {
	t.Parallel()
	result := problem.NotFound("file_unknown", "There is no such file.")
	renderer := sharecard.NewRenderer(&opener{open: func(context.Context, string) ([]byte, error) {
		return nil, result
	}})
	card := playerCard
	card.Avatar.Key = "gone.webp"
	missing, err := renderer.Render(t.Context(), card)
	if err != nil {
		t.Fatal(err)
	}
	card.Avatar.Key = ""
	ball, err := renderer.Render(t.Context(), card)
	if err != nil || !bytes.Equal(missing, ball) {
		t.Errorf("a missing picture is not drawn as none: %v", err)
	}
	for _, color := range []string{"", "red", "#12"} {
		card.Color = color
		plain, err := sharecard.NewRenderer(nil).Render(t.Context(), card)
		if err != nil || bytes.Equal(plain, ball) {
			t.Errorf("the color %q: %v", color, err)
		}
	}
}

func TestRenderer_Render_errors(t *testing.T) {
	t.Parallel()
	unavailable := problem.Unavailable("storage_unavailable", "The storage is unavailable.")
	for _, tt := range []struct {
		data []byte
		err  error
	}{{nil, unavailable}, {[]byte("no image"), nil}} {
		err := tt.err
		renderer := sharecard.NewRenderer(&opener{open: func(context.Context, string) ([]byte, error) {
			return tt.data, err
		}})
		if _, got := renderer.Render(t.Context(), mapCard); got == nil || tt.err != nil && !errors.Is(got, tt.err) {
			t.Errorf("%q: %v", tt.data, got)
		}
		err, tt.data = nil, asWebP(t, 10, 10)
		if drawn, err := renderer.Render(t.Context(), mapCard); err != nil || len(drawn) == 0 {
			t.Errorf("after an error: %d bytes, %v", len(drawn), err)
		}
	}
}

func TestRenderer_Render_queue(t *testing.T) {
	t.Parallel()
	picture := asWebP(t, 10, 10)
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		pictures := &opener{open: func(ctx context.Context, _ string) ([]byte, error) {
			select {
			case <-release:
			case <-ctx.Done():
			}
			return picture, ctx.Err()
		}}
		renderer := sharecard.NewRenderer(pictures)
		render := func(i int) error {
			_, err := renderer.Render(t.Context(), sharecard.Map{
				Name: strconv.Itoa(i), Picture: sharecard.StoredPicture{Key: "a.webp"},
			})
			return err
		}
		// One is drawn and 7 wait, each with a second caller; the other 4 are refused at once.
		results := make(chan error, 20)
		for i := range 12 {
			go func() { results <- render(i) }()
			synctest.Wait()
			if i < 8 {
				go func() { results <- render(i) }()
				synctest.Wait()
			}
		}
		for range 4 {
			if err := <-results; !errors.Is(err, sharecard.ErrBusy) || problem.From(err).RetryAfter == 0 {
				t.Errorf("a refused preview: %v, want %v", err, sharecard.ErrBusy)
			}
		}
		if got := pictures.count.Load(); got != 1 {
			t.Errorf("%d pictures are open at once, want 1", got)
		}
		close(release)
		for range 16 {
			if err := <-results; err != nil {
				t.Errorf("a preview that has waited: %v", err)
			}
		}
		if got := pictures.count.Load(); got != 8 {
			t.Errorf("%d pictures were opened for 8 previews", got)
		}
	})
}

func TestRenderer_Render_waits_two_seconds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		renderer := sharecard.NewRenderer(&opener{open: func(context.Context, string) ([]byte, error) {
			time.Sleep(5 * time.Second) // a storage that does not heed the context
			return nil, problem.NotFound("file_unknown", "There is no such file.")
		}})
		var first sync.WaitGroup
		first.Go(func() { _, _ = renderer.Render(t.Context(), mapCard) })
		synctest.Wait()
		began := time.Now()
		_, err := renderer.Render(t.Context(), sharecard.Map{Name: "another"})
		if took := time.Since(began); !errors.Is(err, sharecard.ErrBusy) || took != 2*time.Second {
			t.Errorf("after %s: %v, want %v after 2 s", took, err, sharecard.ErrBusy)
		}
		first.Wait()
	})
}

func TestRenderer_Render_picture_that_hangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		renderer := sharecard.NewRenderer(&opener{open: func(ctx context.Context, _ string) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if _, err := renderer.Render(t.Context(), mapCard); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
		}
	})
}
