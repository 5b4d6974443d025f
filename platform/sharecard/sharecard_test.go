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

	"golang.org/x/image/draw"

	"capzone.dev/devstack/require"
	"capzone.dev/platform/sharecard"
)

var update = flag.Bool("update", false, "write the golden pictures")

// maxBytes is what previews of chats may have.
const maxBytes = 300_000

const name64 = "The Extraordinarily Long Journey Of Wolfgang Amadeus Mozart 1791"

var (
	ann = sharecard.Ball{Name: "Ann", Color: "#8e24aa"}
	bob = sharecard.Ball{Name: "Wolfgang Schmidt Barcelon", Color: "#fdd835"}

	mapCard = sharecard.Map{
		Name: "Harbour Run", Author: "Ada", Mode: "Classic", Version: 2, Time: "00:42.13", Holder: ann,
		Picture: sharecard.StoredPicture{Bucket: "maps", Key: "a.webp"},
	}
	recordCard = sharecard.Record{
		Kind: "World record", World: true, Player: ann, Map: "Harbour Run", Time: "00:42.13", Before: "00:43.20",
		Medal: "gold", Earned: "Rank 1 · Gold medal",
	}
	playerCard = sharecard.Player{
		Ball: ann, Title: "Level 12 · moderator", Numbers: []sharecard.Number{
			{"9", "rank"}, {"1925.4", "points"}, {"345", "records"}, {"12", "maps"},
		},
	}
	comparison = sharecard.Comparison{
		First: ann, Second: bob, Wins: 12, Losses: 7, Line: "20 maps in common · 1 tie",
	}
	home = sharecard.Home{
		Description: "Parkour maps, leaderboards and the fastest records of Bonk.io, kept by its community.",
		Totals:      "412 maps · 18342 records · 1024 players",
	}
	longMap = sharecard.Map{
		Name: name64, Author: name64, Mode: "Death Arrows", Time: "119:42.13",
		Holder: sharecard.Ball{Name: name64, Color: "#43a047"},
	}
	longRecord = sharecard.Record{
		Kind: "Personal best", Player: sharecard.Ball{Name: name64}, Map: name64, Time: "119:42.13",
		Before: "1000:42.13", Medal: "author", Earned: "Rank 10482 · Author medal",
	}
	longPlayer = sharecard.Player{
		Ball: sharecard.Ball{Name: name64, Color: "#ffffff"}, Title: "Level 1200 · moderator · validator · admin",
		Numbers: []sharecard.Number{{"10482", "rank"}, {"192500.4", "points"}, {"345000", "records"}, {"1200", "maps"}},
	}
	longComparison = sharecard.Comparison{
		First: sharecard.Ball{Name: name64, Color: "#000000"}, Second: sharecard.Ball{Name: name64, Color: "#ffffff"},
		Wins: 10_000, Losses: 10_000, Line: "20001 maps in common · 1 tie",
	}
	foreign = sharecard.Record{
		Kind: "Record", Player: sharecard.Ball{Name: "🏁 Ελένη Ада Šťáva", Color: "red"},
		Map:  "\u6f22\u5b57 \u0627\u0644 \U0001f3c1",
		Time: "00:42.13", Medal: "wood", Earned: "e\u0301 e\u0335\u0336 a\u200db \xff|",
	}
	hostile = sharecard.Map{
		Name: strings.Repeat("W", 5000), Author: "\x00\t<script>\n" + strings.Repeat("kick ", 40),
		Mode: strings.Repeat("W", 5000), Version: -1, Time: "99:59:59.999 and more and more",
		Holder: sharecard.Ball{Name: "\x00"},
	}
)

func TestDraw(t *testing.T) {
	drawing := readPicture(t, "testdata/drawing.png")
	for name, tt := range map[string]struct {
		card    sharecard.Card
		picture image.Image
	}{
		"home": {home, nil}, "map": {mapCard, drawing}, "map-plain": {longMap, nil}, "record": {recordCard, drawing},
		"record-long": {longRecord, drawing}, "player": {playerCard, nil}, "player-avatar": {longPlayer, checkered(256, 256)},
		"comparison": {comparison, nil}, "comparison-long": {longComparison, nil}, "foreign": {foreign, nil},
		"hostile": {hostile, checkered(3, 900)}, "empty": {sharecard.Map{}, image.NewRGBA(image.Rectangle{})},
		"empty-player": {sharecard.Player{}, nil},
		"new-map":      {sharecard.Map{Name: "New", Author: "Ada", Mode: "Arrows"}, drawing},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := sharecard.Draw(tt.card, tt.picture)
			require.NoError(t, err)
			if len(got) > maxBytes {
				t.Errorf("%d bytes, want %d at most", len(got), maxBytes)
			}
			small := asShown(t, got)
			golden := filepath.Join("testdata", name+".png")
			if *update {
				writePicture(t, golden, small)
			}
			if pixels := differing(small, readPicture(t, golden)); pixels > 0 {
				t.Errorf("%d pixels differ from %s", pixels, golden)
			}
		})
	}
}

// asShown returns a card in the size in which a chat shows it.
func asShown(t *testing.T, data []byte) *image.RGBA {
	t.Helper()
	card, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	if size := card.Bounds().Size(); size != image.Pt(sharecard.Width, sharecard.Height) {
		t.Fatalf("the size is %v", size)
	}
	if _, ok := card.(*image.RGBA); !ok {
		t.Errorf("the picture is %T, want *image.RGBA: it has no transparent pixels", card)
	}
	small := image.NewRGBA(image.Rect(0, 0, sharecard.Width/4, sharecard.Height/4))
	draw.BiLinear.Scale(small, small.Rect, card, card.Bounds(), draw.Src, nil)
	return small
}

// differing returns the number of pixels with a channel that differs by more than rounding.
func differing(got *image.RGBA, want image.Image) int {
	count := 0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			r, g, b, _ := want.At(x, y).RGBA()
			pixel := got.RGBAAt(x, y)
			for _, d := range []int{int(pixel.R) - int(r>>8), int(pixel.G) - int(g>>8), int(pixel.B) - int(b>>8)} {
				if d < -2 || d > 2 {
					count++
					break
				}
			}
		}
	}
	return count
}

func writePicture(t *testing.T, path string, picture image.Image) {
	t.Helper()
	var encoded bytes.Buffer
	require.NoError(t, png.Encode(&encoded, picture))
	require.NoError(t, os.WriteFile(path, encoded.Bytes(), 0o600))
}

func readPicture(t *testing.T, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return picture
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
	drawing := checkered(1200, 630)
	for name, card := range map[string]sharecard.Card{
		"map": mapCard, "record": recordCard, "player": playerCard, "comparison": comparison, "home": home,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := sharecard.Draw(card, drawing)
				require.NoError(b, err)
			}
		})
	}
}
