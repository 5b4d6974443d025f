package lzstring_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"capzone.dev/game/lzstring"
)

const roomy = 1 << 20

// What LZ-String 1.5.0 makes of these texts.
var published = []struct{ text, packed string }{
	{"", "Q"},
	{"a", "IZA"},
	{"aaaaaaaaaa", "IY1o"},
	{"hello hello hello hello", "BYUwNmD2AEoTcq3FIA"},
	{"Skyline Run", "MoawngNglgdgpgAgEoFcZA"},
	{"ABABABABABABABABABABABABABABABABABABAB", "IIIV7SOrZ0g"},
	{"ß", "PtA"},
	{"日本語日本語", "qemhpzR5UaZA"},
	{"🏁🏁🏁 go", "jwbkH92gCBzB7I"},
}

func TestCompress_like_LZString(t *testing.T) {
	for _, c := range published {
		t.Run(c.text, func(t *testing.T) {
			if got := lzstring.Compress(c.text); got != c.packed {
				t.Errorf("Compress = %q, want %q", got, c.packed)
			}
			got, err := lzstring.Decompress(c.packed, roomy)
			if err != nil || string(got) != c.text {
				t.Errorf("Decompress = %q, %v, want %q", got, err, c.text)
			}
		})
	}
}

func TestCompress_round_trip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabets := [][]rune{[]rune("ab"), []rune("ABCDEFGHIJKLMNOPQRSTUVWXYZ+/="), []rune("xß日🏁")}
	for size := range 400 {
		letters := alphabets[size%len(alphabets)]
		text := make([]rune, size*size/10)
		for i := range text {
			text[i] = letters[random.IntN(len(letters))]
		}
		packed := lzstring.Compress(string(text))
		got, err := lzstring.Decompress(packed, roomy)
		if err != nil || string(got) != string(text) {
			t.Fatalf("%d characters came back as %d bytes, %v", len(text), len(got), err)
		}
	}
}

func TestDecompress_space_as_plus(t *testing.T) {
	text := "jump jump jump"
	packed := lzstring.Compress(text)
	if !strings.Contains(packed, "+") {
		t.Fatalf("%q has no plus sign to lose", packed)
	}
	got, err := lzstring.Decompress(strings.ReplaceAll(packed, "+", " "), roomy)
	if err != nil || string(got) != text {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestDecompress_errors(t *testing.T) {
	cases := []struct {
		name, packed string
		offset       int
		message      string
	}{
		{"nothing at all", "", 0, "ends before its end code"},
		{"a character outside the alphabet", "IY$o", 2, `'$' is not in the alphabet`},
		{"a character outside ASCII", "ÄÖ", 0, "not in the alphabet"},
		{"cut off", "BYUwNmD2AEoTcq3F", 15, "ends before its end code"},
		{"a phrase at the start", "w", 0, "starts with a phrase"},
		{"a phrase that does not exist yet", "IZ4", 2, "does not exist yet"},
		{"half of a surrogate pair", "jwbQ", 3, "surrogate"},
		{"two first halves", "B6Hg2RPI", 7, "surrogate"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := lzstring.Decompress(c.packed, roomy)
			var at *lzstring.Error
			if !errors.As(err, &at) {
				t.Fatalf("error is %v, want an *Error", err)
			}
			if at.Offset != c.offset || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %q at byte %d, want %q at byte %d", err, at.Offset, c.message, c.offset)
			}
		})
	}
}

func TestDecompress_limit(t *testing.T) {
	text := strings.Repeat("abc", 100)
	packed := lzstring.Compress(text)
	if _, err := lzstring.Decompress(packed, len(text)); err != nil {
		t.Errorf("a text as long as the limit: %v", err)
	}
	if _, err := lzstring.Decompress(packed, len(text)-1); !errors.Is(err, lzstring.ErrTooLong) {
		t.Errorf("a text one byte over the limit: %v, want ErrTooLong", err)
	}
	if _, err := lzstring.Decompress(packed, -1); err == nil {
		t.Error("a negative limit is accepted")
	}
}

// bomb packs about 20 MB of text into about 40 KB.
func bomb() (text, packed string) {
	var b strings.Builder
	for _, c := range "ABCDEFGH" {
		b.WriteString(strings.Repeat(string(c), 5<<19))
	}
	return b.String(), lzstring.Compress(b.String())
}

func TestDecompress_decompression_bomb(t *testing.T) {
	const limit = 8 << 20
	text, packed := bomb()
	if len(text) < 20<<20 || len(packed) > 45<<10 {
		t.Fatalf("%d bytes in %d are no bomb", len(text), len(packed))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := lzstring.Decompress(packed, limit)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, lzstring.ErrTooLong) {
		t.Errorf("error is %v, want ErrTooLong", err)
	}
	// Growing a slice up to the limit passes through smaller ones.
	if got := after.TotalAlloc - before.TotalAlloc; got > 6*limit {
		t.Errorf("%d bytes were allocated for a limit of %d", got, limit)
	}
	if got, err := lzstring.Decompress(packed, len(text)); err != nil || string(got) != text {
		t.Errorf("with room enough the text does not come back: %v", err)
	}
}

func FuzzDecompress(f *testing.F) {
	for _, c := range published {
		f.Add(c.packed)
	}
	f.Add("IY$o")
	f.Add("jwbQ")
	f.Fuzz(func(t *testing.T, packed string) {
		const limit = 1 << 16
		text, err := lzstring.Decompress(packed, limit)
		if err != nil {
			return
		}
		if len(text) > limit {
			t.Fatalf("%d bytes exceed the limit", len(text))
		}
		again, err := lzstring.Decompress(lzstring.Compress(string(text)), limit)
		if err != nil || string(again) != string(text) {
			t.Fatalf("%q comes back as %q, %v", text, again, err)
		}
	})
}
