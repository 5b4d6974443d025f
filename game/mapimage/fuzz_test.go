package mapimage_test

import (
	"errors"
	"testing"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapimage"
)

func FuzzSVG(f *testing.F) {
	for _, m := range []*bonkmap.Map{everything(), course(f)} {
		encoded, err := bonkmap.Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encoded)
	}
	f.Fuzz(func(t *testing.T, encoded string) {
		m, err := bonkmap.Decode(encoded)
		if err != nil {
			return
		}
		document, err := mapimage.SVG(m)
		if err != nil {
			var limit *mapimage.LimitError
			if !errors.As(err, &limit) {
				t.Fatal(err)
			}
			return
		}
		checkSVG(t, document)
		if _, err := mapimage.Image(m, 60, 40); err != nil && !errors.Is(err, mapimage.ErrOverlaps) {
			t.Fatal(err)
		}
	})
}

func BenchmarkSVG(b *testing.B) {
	m := course(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mapimage.SVG(m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkImage(b *testing.B) {
	m := course(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mapimage.Image(m, 1200, 630); err != nil {
			b.Fatal(err)
		}
	}
}
