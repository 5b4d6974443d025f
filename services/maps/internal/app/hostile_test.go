package app_test

import (
	"bytes"
	"image"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gen2brain/webp"
	"github.com/google/go-cmp/cmp"

	"capzone.dev/devstack/servicetest"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/game/mapimage/mapimagetest"
)

// Maps that are made to harm a page, a drawing or the service are either drawn safely everywhere
// where the service shows them, or refused by a sentence that names the limit.
func TestAPI_hostileMaps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	cloudstep := b.Players.player("cloudstep")
	huge := bonkmap.Polygon{Scale: 1e300, Vertices: []bonkmap.Point{
		{X: 1e308, Y: -1e308}, {X: math.MaxFloat64}, {Y: 1e308}, {X: math.SmallestNonzeroFloat64},
	}}
	add := func(m *bonkmap.Map, shape bonkmap.Shape, count int) {
		m.Shapes = append(m.Shapes, shape)
		m.Fixtures = append(m.Fixtures, bonkmap.Fixture{Shape: len(m.Shapes) - 1})
		body := m.Bodies[0]
		body.Fixtures = slices.Repeat([]int{len(m.Fixtures) - 1}, count)
		m.Bodies = append(m.Bodies, body)
		m.DrawOrder = append(m.DrawOrder, len(m.Bodies)-1)
	}
	for i, tt := range []struct {
		name     string
		alter    func(*bonkmap.Map)
		code     string // or the drawing is checked
		sentence string
	}{
		{"markup in every text", func(m *bonkmap.Map) {
			m.Name = `"><img src=x onerror=alert(1)>]]><!--`
			m.Contributors = []string{"<script>"}
			m.RemixOf = bonkmap.Original{ID: 1, Name: "<svg onload=alert(1)>", Author: "<b>"}
			m.Bodies[0].Name, m.Fixtures[0].Name, m.Spawns[0].Name = "<a>", "<i>", `"'><script>`
		}, "", ""},
		{"huge polygons", func(m *bonkmap.Map) { add(m, huge, 1) }, "", ""},
		{"huge places", func(m *bonkmap.Map) {
			m.Bodies[0].Position = bonkmap.Point{X: 1e308, Y: -1e308}
			m.Spawns[0].Position = bonkmap.Point{X: -math.MaxFloat64, Y: math.MaxFloat64}
		}, "", ""},
		{"a circle as large as numbers", func(m *bonkmap.Map) {
			add(m, bonkmap.Circle{Radius: math.MaxFloat64}, 1)
		}, "", ""},
		{"100,000 shapes", func(m *bonkmap.Map) {
			for range 4 {
				add(m, bonkmap.Box{Width: 10, Height: 10}, 25_000)
			}
		}, "map_too_complex", "10000 shapes"},
		{"1,000,000 vertices", func(m *bonkmap.Map) {
			add(m, bonkmap.Polygon{Scale: 1, Vertices: make([]bonkmap.Point, 1000)}, 1000)
		}, "map_too_complex", "50000 vertices"},
		{"9,000 large shapes", func(m *bonkmap.Map) {
			add(m, bonkmap.Box{Width: 700, Height: 400}, 9_000)
		}, "map_too_complex", "cover each other"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := b.traces()
			s := b.submissionOf(cloudstep, 2000+i, "Hostile", "cloudstep",
				func(m *bonkmap.Map, replay *lbreplay.Replay) {
					tt.alter(m)
					replay.MapName = m.Name
				})
			s.image, s.useDrawing = nil, "true"
			a := b.submit(s)
			if tt.code != "" {
				if a.Code != tt.code || !strings.Contains(a.Message, tt.sentence) {
					t.Errorf("got %d %s, want %s with %q", a.Status, a.Raw, tt.code, tt.sentence)
				}
				if diff := cmp.Diff(before, b.traces()); diff != "" {
					t.Errorf("rows were left behind (-before +after):\n%s", diff)
				}
				return
			}
			if a.Status != http.StatusCreated {
				t.Fatalf("got %d %s", a.Status, a.Raw)
			}
			m := servicetest.Data[wireMap](t, a)
			mapimagetest.CheckSVG(t, b.get(m.DrawingURL).Raw)
			if img, err := webp.Decode(bytes.NewReader(b.get(m.PictureURL).Raw)); err != nil ||
				img.Bounds().Size() != image.Pt(1200, 630) {
				t.Errorf("the picture: %v", err)
			}
			if a := b.get("/api/v1/maps/" + m.ID + "/preview.png"); a.Status != http.StatusOK {
				t.Errorf("the preview: %d %s", a.Status, a.Raw)
			}
		})
	}
}
