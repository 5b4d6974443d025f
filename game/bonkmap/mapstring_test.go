package bonkmap_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lzstring"
)

func TestDecode_errors(t *testing.T) {
	whole := bytesOf(t, workshop())
	nameAt := bytes.Index(whole, []byte("Workshop"))
	spikeAt := bytes.Index(whole, []byte("spike"))
	changed := func(at int, with ...byte) string {
		data := bytes.Clone(whole)
		copy(data[at:], with)
		return stringOf(data)
	}

	cases := []struct {
		name, encoded string
		layer         bonkmap.Layer
		offset        int
		message       string
	}{
		{"nothing", "", bonkmap.LayerPacked, 0, "ends before its end code"},
		{"a character that cannot be packed data", "IY$o", bonkmap.LayerPacked, 2, "not in the alphabet"},
		{"packed text that is not base64", lzstring.Compress("AAA!"), bonkmap.LayerBase64, 3, "base64"},
		{"a line break in the base64", lzstring.Compress("AA\n8="), bonkmap.LayerBase64, 2, "base64"},
		{"too much padding", lzstring.Compress("AA8=="), bonkmap.LayerBase64, 3, "base64"},
		{"no bytes", lzstring.Compress(""), bonkmap.LayerBytes, 0, "version: the data ends here"},
		{"a version from the future", changed(0, 0, 16), bonkmap.LayerBytes, 0, "version: 16 is not between 1 and 15"},
		{"version zero", changed(0, 0, 0), bonkmap.LayerBytes, 0, "version: 0 is not between"},
		{"a negative version", changed(0, 0xFF, 0xFF), bonkmap.LayerBytes, 0, "version: -1 is not between"},
		{"a text longer than the data", changed(nameAt-2, 0xFF, 0xFF), bonkmap.LayerBytes, nameAt - 2,
			"name: 65535 bytes of text are announced"},
		{"a text that is not UTF-8", changed(nameAt, 0xFF), bonkmap.LayerBytes, nameAt, "name: not UTF-8 text"},
		{"a shape that does not exist", changed(spikeAt-4, 0x7F, 0xFF), bonkmap.LayerBytes, spikeAt - 4,
			"fixture 2, shape: the index 32767 is out of range (there are 3)"},
		{"a number that is none", changed(spikeAt+5, 0x7F, 0xF8), bonkmap.LayerBytes, spikeAt + 5,
			"fixture 2, friction: not a finite number"},
		{"cut off", stringOf(whole[:len(whole)-1]), bonkmap.LayerBytes, len(whole) - 8,
			"joint 5, ratio: the data ends here"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m, err := bonkmap.Decode(c.encoded)
			var at *bonkmap.Error
			if m != nil || !errors.As(err, &at) {
				t.Fatalf("Decode = %v, %v, want an *Error", m, err)
			}
			if at.Layer != c.layer || at.Offset != c.offset || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %q (%s, byte %d), want %q (%s, byte %d)", err, at.Layer, at.Offset, c.message, c.layer,
					c.offset)
			}
		})
	}
}

func TestDecode_truncated(t *testing.T) {
	whole := bytesOf(t, workshop())
	for size := range whole {
		if _, err := bonkmap.Decode(stringOf(whole[:size])); err == nil {
			t.Fatalf("the first %d of %d bytes decode", size, len(whole))
		}
	}
}

func TestDecode_counts_beyond_the_end(t *testing.T) {
	empty := bytesOf(t, &bonkmap.Map{})
	// The last seven shorts of an empty map count what it lacks.
	lists := []string{"drawn body", "shape", "fixture", "body", "spawn", "capture zone", "joint"}
	for i, list := range lists {
		at := len(empty) - 2*(len(lists)-i)
		for _, c := range []struct {
			count   uint16
			message string
		}{
			{0x7FFF, list + " count: 32767 are announced"},
			{0xFFFF, list + " count: the count is negative (-1)"},
		} {
			data := bytes.Clone(empty)
			binary.BigEndian.PutUint16(data[at:], c.count)
			if _, err := bonkmap.Decode(stringOf(data)); err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("error is %v, want %q", err, c.message)
			}
		}
	}
}

func TestDecode_ignores_trailing_bytes(t *testing.T) {
	longer := append(bytesOf(t, workshop()), 1, 2, 3)
	if diff := cmp.Diff(workshop(), decode(t, stringOf(longer))); diff != "" {
		t.Errorf("the map changed:\n%s", diff)
	}
}

func TestDecode_without_padding(t *testing.T) {
	packed, err := lzstring.Decompress(encode(t, workshop()), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(packed, []byte("=")) {
		t.Fatal("the workshop needs no padding; the test needs another map")
	}
	unpadded := lzstring.Compress(strings.TrimRight(string(packed), "="))
	if diff := cmp.Diff(workshop(), decode(t, unpadded)); diff != "" {
		t.Errorf("the map changed:\n%s", diff)
	}
}

func TestDecode_decompression_bomb(t *testing.T) {
	bomb := lzstring.Compress(strings.Repeat("A", 20<<20))
	if len(bomb) > 40<<10 {
		t.Fatalf("%d characters are no bomb", len(bomb))
	}
	var at *bonkmap.Error
	_, err := bonkmap.Decode(bomb)
	if !errors.Is(err, bonkmap.ErrTooLarge) || !errors.As(err, &at) || at.Layer != bonkmap.LayerPacked {
		t.Errorf("error is %v, want ErrTooLarge", err)
	}
}
