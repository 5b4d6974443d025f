package imaging_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"capzone.dev/platform/imaging"
)

// Four images of the largest size, of one player, do not hold up another player's image.
func TestRenderer_Render_beside_large_images(t *testing.T) {
	t.Parallel()
	large := encoded(t, image.NewGray(image.Rect(0, 0, 4096, 4096)), func(b *bytes.Buffer, img image.Image) error {
		return png.Encode(b, img)
	})
	small := encoded(t, drawn(320, 200), asPNG)
	renderer := imaging.NewRenderer(limit, 1600, 480)
	done := make(chan string, 5)
	render := func(player string, data []byte) {
		if _, err := renderer.Render(t.Context(), player, data); err != nil {
			t.Error(err)
		}
		done <- player
	}
	for range 4 {
		go render("greedy", large)
	}
	first := <-done
	go render("other", small)
	order := []string{first, <-done, <-done}
	if order[1] != "other" && order[2] != "other" {
		t.Errorf("images were rendered in the order %v, want the other player's among them", order)
	}
	<-done
	<-done
}
