package mapgen_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapgen"
)

func colours(img image.Image) map[color.Color]int {
	count := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			count[img.At(x, y)]++
		}
	}
	return count
}

func TestPicture_size_and_opacity(t *testing.T) {
	for _, course := range courses(3) {
		img := mapgen.Picture(course.Map, 320, 180)
		if size := img.Bounds().Size(); size != image.Pt(320, 180) {
			t.Fatalf("the picture is %v", size)
		}
		for c := range colours(img) {
			if _, _, _, alpha := c.RGBA(); alpha != 0xFFFF {
				t.Fatalf("%s: the picture can be seen through", course.Map.Name)
			}
		}
	}
}

func TestPicture_shows_start_and_finish(t *testing.T) {
	m := mapgen.Draw(mapgen.Options{Mode: bonkmap.Grapple}).Map
	bare := *m
	bare.Spawns, bare.CapZones = nil, nil
	with, without := mapgen.Picture(m, 640, 360), mapgen.Picture(&bare, 640, 360)
	differences := 0
	for y := range 360 {
		for x := range 640 {
			if with.At(x, y) != without.At(x, y) {
				differences++
			}
		}
	}
	if differences < 500 {
		t.Errorf("start and finish change %d pixels", differences)
	}
}

func TestPicture_is_deterministic(t *testing.T) {
	m := mapgen.Draw(mapgen.Options{Seed: 9, Mode: bonkmap.VTOL}).Map
	var first, second bytes.Buffer
	for _, into := range []*bytes.Buffer{&first, &second} {
		if err := png.Encode(into, mapgen.Picture(m, 320, 180)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two pictures of a map differ")
	}
}

func TestPicture_of_any_map(t *testing.T) {
	far := bonkmap.Point{X: 1e308, Y: -1e308}
	extreme := &bonkmap.Map{
		Shapes: []bonkmap.Shape{
			bonkmap.Box{Width: 1.7e308, Height: 1.7e308, Angle: 1, Centre: far},
			bonkmap.Circle{Radius: -1e308, Centre: far},
			bonkmap.Polygon{Scale: 1e300, Angle: 1e300, Centre: far, Vertices: []bonkmap.Point{far, {}, {X: 1}, far}},
			bonkmap.Polygon{},
		},
		Fixtures:  []bonkmap.Fixture{{Shape: 0}, {Shape: 1, Deadly: true}, {Shape: 2, NoPhysics: true}, {Shape: 3}},
		Bodies:    []bonkmap.Body{{Position: far, Angle: 1e308, Fixtures: []int{0, 1, 2, 3}}},
		DrawOrder: []int{0},
		Spawns:    []bonkmap.Spawn{{Position: far}},
		CapZones:  []bonkmap.CapZone{{Fixture: bonkmap.None}, {Fixture: 1}, {Fixture: 3}},
	}
	for name, m := range map[string]*bonkmap.Map{"an empty map": {}, "a map out of all bounds": extreme} {
		for _, size := range []image.Point{{X: 320, Y: 180}, {X: 1, Y: 1}, {X: 0, Y: -5}} {
			t.Run(name, func(t *testing.T) {
				if img := mapgen.Picture(m, size.X, size.Y); img.Bounds().Empty() {
					t.Error("there is no picture")
				}
			})
		}
	}
}
