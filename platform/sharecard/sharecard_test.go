package sharecard_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"capzone.dev/platform/sharecard"
)

var update = flag.Bool("update", false, "write the golden pictures")

var (
	mapCard = sharecard.Card{
		Site: "Capzone", Kicker: "Parkour map by Ada", Title: "Harbour Run", Feature: "0:42.133",
		Lines: []string{"World record by Grace", "128 records"}, Picture: checkered(1200, 630),
	}
	playerCard = sharecard.Card{
		Site: "Capzone", Kicker: "Player", Title: "Grâce Ελένη Ада",
		Lines: []string{"12 maps", "345 records"}, Picture: checkered(256, 256),
	}
	hostileCard = sharecard.Card{
		Site: "Capzone", Kicker: "\x00\t<script>\n" + strings.Repeat("kick ", 40), Title: strings.Repeat("W", 5000),
		Feature: "99:59:59.999 and more", Picture: checkered(3, 900), Lines: []string{"no room", "", "third", "not drawn"},
	}
	unknownCard = sharecard.Card{
		Title: "\u6f22\u5b57 \u0627\u0644 \U0001f3c1",
		Lines: []string{"e\u0301 e\u0335\u0336 a\u200db \xff|", "2", "3", "not drawn"},
	}
)

func TestDraw(t *testing.T) {
	for name, card := range map[string]sharecard.Card{
		"map": mapCard, "player": playerCard, "hostile": hostileCard, "unknown": unknownCard,
		"title": {Title: "Only a title"}, "empty": {Picture: image.NewRGBA(image.Rectangle{})},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := sharecard.Draw(card)
			if err != nil {
				t.Fatal(err)
			}
			again, err := sharecard.Draw(card)
			if err != nil || !bytes.Equal(got, again) {
				t.Errorf("the second drawing of the card differs from the first one (%v)", err)
			}
			golden := filepath.Join("testdata", name+".png")
			if *update {
				if err := os.WriteFile(golden, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if pixels := differing(t, got, want); pixels > 0 {
				t.Errorf("%d pixels differ from %s", pixels, golden)
			}
		})
	}
}

// differing returns the number of pixels with a channel that differs by more than rounding.
func differing(t *testing.T, got, want []byte) int {
	t.Helper()
	a, b := decode(t, got), decode(t, want)
	if a.Rect != b.Rect || a.Rect.Dx() != sharecard.Width || a.Rect.Dy() != sharecard.Height {
		t.Fatalf("size %v, want %v", a.Rect, b.Rect)
	}
	count := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 4 {
			if d := int(a.Pix[i+c]) - int(b.Pix[i+c]); d < -2 || d > 2 {
				count++
				break
			}
		}
	}
	return count
}

func decode(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	rgba, ok := img.(*image.RGBA)
	if !ok {
		t.Fatalf("the picture is %T, want *image.RGBA: it has no transparent pixels", img)
	}
	return rgba
}

// checkered returns a picture of squares in two colours.
func checkered(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{0x28, 0xb3, 0xc1, 0xff}
			if (x/32+y/32)%2 == 0 {
				c = color.RGBA{0xf6, 0xf8, 0xf8, 0xff}
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func BenchmarkDraw(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sharecard.Draw(mapCard); err != nil {
			b.Fatal(err)
		}
	}
}
