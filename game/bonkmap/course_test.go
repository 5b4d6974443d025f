package bonkmap_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"capzone.dev/game/bonkmap"
)

func TestMap_FinishIsAmbiguous(t *testing.T) {
	zones := func(fixtureNames ...string) *bonkmap.Map {
		m := &bonkmap.Map{Shapes: []bonkmap.Shape{bonkmap.Circle{Radius: 1}}}
		for i, name := range fixtureNames {
			m.Fixtures = append(m.Fixtures, bonkmap.Fixture{Name: name})
			m.CapZones = append(m.CapZones, bonkmap.CapZone{Fixture: i, Kind: bonkmap.CapNormal})
		}
		return m
	}
	unattached := zones("cp 1")
	unattached.CapZones = append(unattached.CapZones, bonkmap.CapZone{Fixture: bonkmap.None, Kind: bonkmap.CapNormal})
	zoneNamed := zones("goal", "line")
	zoneNamed.CapZones[0].Name = "cp 1"
	areaNamed, areaAmong := zones("goal", "cp 7"), zones("cp 1", "7. NoJump")
	areaNamed.CapZones[1].Kind, areaAmong.CapZones[1].Kind = bonkmap.CapYellowWins, bonkmap.CapRedWins

	cases := []struct {
		name      string
		m         *bonkmap.Map
		ambiguous bool
	}{
		{"no zone", zones(), false},
		{"one zone of any name", zones("goal"), false},
		{"one named zone", zones("cp"), false},
		{"several zones, none named", zones("goal", "line", ""), false},
		{"all zones named", zones("cp 1", "cp2", "cp real"), false},
		{"one named among others", zones("cp 1", "goal"), true},
		{"one other among named", zones("cp 1", "cp 2", "goal"), true},
		{"name with another prefix", zones("my cp", "goal"), false},
		{"name in capitals", zones("CP 1", "goal"), false},
		{"a named zone and one without a fixture", unattached, true},
		{"name of the zone instead of the fixture", zoneNamed, false},
		{"a named area among finishes", areaNamed, false},
		{"an area among named finishes", areaAmong, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.m.FinishIsAmbiguous(); got != c.ambiguous {
				t.Errorf("FinishIsAmbiguous = %t", got)
			}
		})
	}
}

func TestMap_HasFinish(t *testing.T) {
	zone := func(fixture int, kind bonkmap.CapZoneKind) []bonkmap.CapZone {
		return []bonkmap.CapZone{{Fixture: fixture, Kind: kind}}
	}
	for name, tt := range map[string]struct {
		zones []bonkmap.CapZone
		want  bool
	}{
		"a finish": {zone(0, bonkmap.CapNormal), true}, "an area": {zone(0, bonkmap.CapRedWins), false},
		"no fixture": {zone(bonkmap.None, bonkmap.CapNormal), false}, "no zone": {nil, false},
	} {
		if got := (&bonkmap.Map{CapZones: tt.zones}).HasFinish(); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Maps as players bring them: without a mode, with areas that are no finish, and with names in other scripts.
func TestMap_finishes_of_edges(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "edges.json"))
	if err != nil {
		t.Fatal(err)
	}
	var edges []struct{ What, Expect, Encoded string }
	if err := json.Unmarshal(text, &edges); err != nil || len(edges) == 0 {
		t.Fatalf("%d maps, %v", len(edges), err)
	}
	for _, edge := range edges {
		m := decode(t, edge.Encoded)
		wanted := edge.Expect != "refused: no finish"
		if m.HasFinish() != wanted || m.FinishIsAmbiguous() {
			t.Errorf("%s: finish %t, ambiguous %t", edge.What, m.HasFinish(), m.FinishIsAmbiguous())
		}
	}
}

func TestMap_Remix(t *testing.T) {
	cases := []struct {
		name     string
		original bonkmap.Original
		want     bool
	}{
		{"no original", bonkmap.Original{DatabaseVersion: 2}, false},
		{"a map with an id", bonkmap.Original{ID: 7}, true},
		{"a map with a name alone", bonkmap.Original{Name: "Bare Room"}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			original, is := (&bonkmap.Map{RemixOf: c.original}).Remix()
			if is != c.want || original != c.original {
				t.Errorf("Remix = %v, %t", original, is)
			}
		})
	}
}

func TestMap_Bounds(t *testing.T) {
	one := func(body bonkmap.Body, shape bonkmap.Shape) *bonkmap.Map {
		body.Fixtures = []int{0}
		return &bonkmap.Map{
			Shapes: []bonkmap.Shape{shape}, Fixtures: []bonkmap.Fixture{{}}, Bodies: []bonkmap.Body{body},
		}
	}
	at := func(x, y float64) bonkmap.Body { return bonkmap.Body{Position: bonkmap.Point{X: x, Y: y}} }
	rect := func(x1, y1, x2, y2 float64) bonkmap.Rect {
		return bonkmap.Rect{Min: bonkmap.Point{X: x1, Y: y1}, Max: bonkmap.Point{X: x2, Y: y2}}
	}
	quarter := at(100, 0)
	quarter.Angle = math.Pi / 2
	unused := one(at(0, 0), bonkmap.Circle{Radius: 1})
	unused.Bodies = nil

	cases := []struct {
		name string
		m    *bonkmap.Map
		want bonkmap.Rect
	}{
		{"an empty map", &bonkmap.Map{}, bonkmap.Rect{}},
		{"fixture without a body", unused, bonkmap.Rect{}},
		{"a spawn", &bonkmap.Map{Spawns: []bonkmap.Spawn{{Position: bonkmap.Point{X: -5, Y: 7}}}}, rect(-5, 7, -5, 7)},
		{"a box", one(at(10, 20), bonkmap.Box{Width: 4, Height: 2}), rect(8, 19, 12, 21)},
		{"a box turned in its body", one(at(0, 0), bonkmap.Box{Width: 4, Height: 2, Angle: math.Pi / 2}),
			rect(-1, -2, 1, 2)},
		{"a box beside the centre of a turned body", one(quarter, bonkmap.Box{Width: 2, Height: 2,
			Centre: bonkmap.Point{X: 10}}), rect(99, 9, 101, 11)},
		{"a circle", one(at(10, 20), bonkmap.Circle{Radius: 3, Centre: bonkmap.Point{X: 1}}), rect(8, 17, 14, 23)},
		{"a scaled polygon", one(at(0, 0), bonkmap.Polygon{Scale: 2,
			Vertices: []bonkmap.Point{{X: 0, Y: 0}, {X: 3, Y: 0},
				{X: 0, Y: 5}}}), rect(0, 0, 6, 10)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, bonkmap.Bounds(c.m), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMap_Bounds_are_finite(t *testing.T) {
	const most = math.MaxFloat64
	far := bonkmap.Point{X: most, Y: -most}
	for name, shape := range map[string]bonkmap.Shape{
		"a box without an end":    bonkmap.Box{Width: most, Height: most, Centre: far, Angle: most},
		"a circle without an end": bonkmap.Circle{Radius: -most, Centre: far},
		"a polygon without an end": bonkmap.Polygon{Scale: most, Angle: 1, Centre: far,
			Vertices: []bonkmap.Point{far, {X: -most, Y: 1e-300}}},
		"a polygon scaled to a line": bonkmap.Polygon{Scale: 1e-300, Angle: most,
			Vertices: []bonkmap.Point{far, {X: -most, Y: most}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := decode(t, encode(t, &bonkmap.Map{
				Spawns:   []bonkmap.Spawn{{Position: bonkmap.Point{X: -most, Y: most}}},
				Shapes:   []bonkmap.Shape{shape},
				Fixtures: []bonkmap.Fixture{{}},
				Bodies: []bonkmap.Body{
					{Kind: bonkmap.Static, Position: far, Angle: 1, Fixtures: []int{0}},
					{Kind: bonkmap.Static, Position: bonkmap.Point{X: -most}, Angle: -most, Fixtures: []int{0}},
				},
			}))
			b := bonkmap.Bounds(m)
			for _, side := range []float64{b.Width(), b.Height()} {
				if math.IsNaN(side) || side < 0 || side > most {
					t.Errorf("Bounds = %v", b)
				}
			}
		})
	}
}
