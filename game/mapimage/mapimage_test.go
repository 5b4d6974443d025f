package mapimage_test

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapimage"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everything is a map with each kind of part that is drawn.
func everything() *bonkmap.Map {
	square := bonkmap.Polygon{Scale: 1, Vertices: []bonkmap.Point{{X: -30, Y: -30}, {X: 30, Y: -30}, {Y: 40}}}
	return &bonkmap.Map{
		Name: "Tom & <Jerry>", Mode: bonkmap.Classic, PixelsPerMetre: 12, Version: bonkmap.Version, ID: 7,
		Shapes: []bonkmap.Shape{
			bonkmap.Box{Width: 400, Height: 30}, bonkmap.Circle{Radius: 40}, square,
			bonkmap.Box{Width: 60, Height: 60, Angle: 0.5}, bonkmap.Box{Width: 5000, Height: 5000},
			bonkmap.Box{Width: 60, Height: 90},
		},
		Fixtures: []bonkmap.Fixture{
			{Shape: 0, Colour: 0x4CAF50}, {Shape: 1, Colour: 0xE53935, Deadly: true},
			{Shape: 2, Colour: 0x8E24AA, NoGrapple: true}, {Shape: 3, Colour: 0xFDD835, NoPhysics: true},
			{Shape: 3, Colour: 0x00ACC1}, {Shape: 4, Colour: 0x1A237E, NoPhysics: true},
			{Name: "7. NoJump", Shape: 5, Colour: 0x546E7A, NoPhysics: true},
		},
		Bodies: []bonkmap.Body{
			{Kind: bonkmap.Static, Position: bonkmap.Point{Y: 200}, Fixtures: []int{0}},
			{Kind: bonkmap.Dynamic, Position: bonkmap.Point{X: -120, Y: 40}, Fixtures: []int{1}},
			{Kind: bonkmap.Static, Position: bonkmap.Point{X: 20}, Angle: 0.3, Fixtures: []int{2}},
			{Kind: bonkmap.Static, Position: bonkmap.Point{X: 120}, Fixtures: []int{3}},
			{Kind: bonkmap.Static, Position: bonkmap.Point{X: 160, Y: 130}, Fixtures: []int{4}},
			{Kind: bonkmap.Static, Fixtures: []int{5}},
			{Kind: bonkmap.Static, Position: bonkmap.Point{X: -40, Y: 130}, Fixtures: []int{6}},
		},
		DrawOrder: []int{0, 1, 2, 3, 4, 6, 5},
		Spawns:    []bonkmap.Spawn{{Position: bonkmap.Point{X: -160, Y: 150}}},
		CapZones: []bonkmap.CapZone{
			{Name: "<script>", Fixture: 4, Kind: bonkmap.CapNormal}, {Name: "area", Fixture: 6, Seconds: 10, Kind: 2},
		},
		Joints: []bonkmap.Joint{bonkmap.Distance{
			AnchorB: bonkmap.Point{Y: -90}, Link: bonkmap.Link{BodyA: 1, BodyB: bonkmap.None, DrawLine: true},
		}},
	}
}

// extreme is a map with numbers that no drawing can hold.
func extreme() *bonkmap.Map {
	far := bonkmap.Point{X: 1e308, Y: -1e308}
	return &bonkmap.Map{
		Shapes: []bonkmap.Shape{
			bonkmap.Box{Width: 1.7e308, Height: 1.7e308, Angle: 1, Centre: far},
			bonkmap.Circle{Radius: -1e308, Centre: far},
			bonkmap.Polygon{Scale: 1e300, Angle: 1e300, Centre: far, Vertices: []bonkmap.Point{far, {}, {X: 1}, far}},
			bonkmap.Polygon{},
		},
		Fixtures: []bonkmap.Fixture{{Shape: 0}, {Shape: 1, Deadly: true}, {Shape: 2, NoPhysics: true}, {Shape: 3}},
		Bodies: []bonkmap.Body{
			{Position: far, Angle: 1e308, Fixtures: []int{0, 1, 2, 3}},
			{Position: bonkmap.Point{X: math.NaN(), Y: math.Inf(1)}, Angle: math.NaN(), Fixtures: []int{0, 1, 2, 3}},
		},
		DrawOrder: []int{0, 1},
		Spawns:    []bonkmap.Spawn{{Position: far}, {Position: bonkmap.Point{X: math.NaN()}}},
		CapZones:  []bonkmap.CapZone{{Fixture: bonkmap.None}, {Fixture: 1}, {Fixture: 3}},
	}
}

func TestSVG_golden(t *testing.T) {
	for name, m := range goldenMaps(t) {
		got, err := mapimage.SVG(m)
		if err != nil {
			t.Fatal(err)
		}
		checkSVG(t, got)
		if diff := cmp.Diff(string(golden(t, name+".svg", got)), string(got)); diff != "" {
			t.Errorf("%s: SVG (-want +got):\n%s", name, diff)
		}
	}
}

func TestImage_golden(t *testing.T) {
	for name, m := range goldenMaps(t) {
		img, err := mapimage.Image(m, 480, 320)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := png.Encode(&got, img); err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(bytes.NewReader(golden(t, name+".png", got.Bytes())))
		if err != nil {
			t.Fatal(err)
		}
		if n := differences(want, img); n > 480*320/1000 { // processors round differently
			t.Errorf("%s: %d pixels differ from testdata/%s.png", name, n, name)
		}
	}
}

func goldenMaps(tb testing.TB) map[string]*bonkmap.Map {
	tb.Helper()
	return map[string]*bonkmap.Map{"everything": everything(), "empty": {}, "classic": course(tb)}
}

// course returns the map of a whole course.
func course(tb testing.TB) *bonkmap.Map {
	tb.Helper()
	text, err := os.ReadFile("../testdata/course.txt")
	if err != nil {
		tb.Fatal(err)
	}
	m, err := bonkmap.Decode(string(text))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// golden returns the content of a file in testdata, after writing it where the flag update is set.
func golden(t *testing.T, name string, got []byte) []byte {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return want
}

// differences counts the pixels that differ visibly.
func differences(a, b image.Image) (n int) {
	if a.Bounds() != b.Bounds() {
		return 1 << 30
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if max(r1, r2)-min(r1, r2)+max(g1, g2)-min(g1, g2)+max(b1, b2)-min(b1, b2) > 0x1000 {
				n++
			}
		}
	}
	return n
}

func TestSVG_escapes_the_name(t *testing.T) {
	m := everything()
	m.Name = "\"><script>alert(1)</script>\x00\x1b\uffff<![CDATA["
	got, err := mapimage.SVG(m)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, got)
	if strings.Contains(string(got), "<script") {
		t.Error("the name of the map is part of the markup")
	}
}

func TestDrawing_of_extreme_numbers(t *testing.T) {
	for name, m := range map[string]*bonkmap.Map{"empty": {}, "extreme": extreme()} {
		t.Run(name, func(t *testing.T) {
			document, err := mapimage.SVG(m)
			if err != nil {
				t.Fatal(err)
			}
			checkSVG(t, document)
			for _, size := range []image.Point{{X: 320, Y: 180}, {X: 1, Y: 1}, {X: 0, Y: -5}} {
				if img, err := mapimage.Image(m, size.X, size.Y); err != nil || img.Bounds().Empty() {
					t.Errorf("%v: %v", size, err)
				}
			}
		})
	}
}

func TestDrawing_refuses_maps_above_its_limits(t *testing.T) {
	boxes := &bonkmap.Map{
		Shapes: []bonkmap.Shape{bonkmap.Box{Width: 1, Height: 1}}, Fixtures: []bonkmap.Fixture{{}},
		Bodies: []bonkmap.Body{{Fixtures: make([]int, 1000)}}, DrawOrder: make([]int, 100),
	}
	vertices := &bonkmap.Map{
		Shapes:   []bonkmap.Shape{bonkmap.Polygon{Vertices: make([]bonkmap.Point, mapimage.MaxVertices+1)}},
		Fixtures: []bonkmap.Fixture{{}}, Bodies: []bonkmap.Body{{Fixtures: []int{0}}}, DrawOrder: []int{0},
	}
	for _, tt := range []struct {
		m    *bonkmap.Map
		want mapimage.LimitError
	}{
		{boxes, mapimage.LimitError{Part: "shapes", Max: mapimage.MaxShapes}},
		{vertices, mapimage.LimitError{Part: "vertices", Max: mapimage.MaxVertices}},
		{
			&bonkmap.Map{Joints: make([]bonkmap.Joint, mapimage.MaxMarks+1)},
			mapimage.LimitError{Part: "joints", Max: mapimage.MaxMarks},
		},
		{
			&bonkmap.Map{Spawns: make([]bonkmap.Spawn, mapimage.MaxMarks+1)},
			mapimage.LimitError{Part: "spawns", Max: mapimage.MaxMarks},
		},
	} {
		t.Run(tt.want.Part, func(t *testing.T) {
			_, svgErr := mapimage.SVG(tt.m)
			_, imageErr := mapimage.Image(tt.m, 480, 320)
			for _, err := range []error{svgErr, imageErr} {
				var limit *mapimage.LimitError
				if !errors.As(err, &limit) || *limit != tt.want {
					t.Errorf("error: %v", err)
				}
			}
		})
	}
}

func TestImage_refuses_shapes_that_cover_each_other(t *testing.T) {
	m := &bonkmap.Map{
		Shapes: []bonkmap.Shape{bonkmap.Box{Width: 900, Height: 600}}, Fixtures: []bonkmap.Fixture{{}},
		Bodies: []bonkmap.Body{{Fixtures: make([]int, mapimage.MaxShapes)}}, DrawOrder: []int{0},
	}
	if _, err := mapimage.Image(m, 1200, 630); !errors.Is(err, mapimage.ErrOverlaps) {
		t.Errorf("error: %v", err)
	}
	if _, err := mapimage.SVG(m); err != nil {
		t.Errorf("SVG: %v", err)
	}
}
