package bonkmap_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
)

// vector is a real map and what an independent decoder reads in it.
type vector struct {
	Name    string
	Encoded string
	Expect  json.RawMessage
}

func readVectors(t *testing.T, file string) []vector {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "vectors", file)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the vectors of real maps are not beside the project: no " + path)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("the vectors hold no map")
	}
	return all
}

func TestDecode_real_maps(t *testing.T) {
	for _, v := range readVectors(t, "maps.json") {
		t.Run(v.Name, func(t *testing.T) {
			m, err := bonkmap.Decode(v.Encoded)
			if err != nil {
				t.Fatal(err)
			}
			var want, got any
			if err := json.Unmarshal(v.Expect, &want); err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(describe(m))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			shortenTo(want, got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the vector (-) and the decoder (+) differ:\n%s", diff)
			}
		})
	}
}

func TestEncode_real_maps(t *testing.T) {
	for _, v := range readVectors(t, "maps.json") {
		t.Run(v.Name, func(t *testing.T) {
			m, err := bonkmap.Decode(v.Encoded)
			if err != nil {
				t.Fatal(err)
			}
			encoded, err := bonkmap.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			if m.Version == bonkmap.Version {
				if encoded != v.Encoded {
					t.Error("the string differs from the original")
				}
				return
			}
			again, err := bonkmap.Decode(encoded)
			if err != nil {
				t.Fatal(err)
			}
			m.Version = bonkmap.Version
			if diff := cmp.Diff(m, again); diff != "" {
				t.Errorf("a map of an older version changed (-before +after):\n%s", diff)
			}
		})
	}
}

type object = map[string]any

// describe puts a map into the words of the vectors.
func describe(m *bonkmap.Map) object {
	capZones, spawns := []object{}, []object{}
	for _, z := range m.CapZones {
		capZones = append(capZones, object{"name": z.Name, "seconds": z.Seconds, "fixture": z.Fixture, "type": z.Kind})
	}
	for _, s := range m.Spawns {
		spawns = append(spawns, object{"name": s.Name, "x": s.Position.X, "y": s.Position.Y})
	}
	description := object{
		"version": m.Version, "name": m.Name, "author": m.Author, "databaseId": m.ID,
		"databaseVersion": m.DatabaseVersion, "modeCode": string(m.Mode),
		"contributors": append([]string{}, m.Contributors...),
		"remix":        object{"id": m.RemixOf.ID, "name": m.RemixOf.Name, "author": m.RemixOf.Author},
		"published":    m.Published,
		"settings": object{
			"gd": m.Settings.EditorGridPixels, "nc": m.Settings.PlayersDontMeet, "re": m.Settings.RespawnOnDeath,
			"fl": m.Settings.PlayersCanFly, "pq": m.Settings.PhysicsQuality,
		},
		"ppm": m.PixelsPerMetre,
		"counts": object{
			"bodies": len(m.Bodies), "fixtures": len(m.Fixtures), "shapes": len(m.Shapes),
			"joints": len(m.Joints), "spawns": len(m.Spawns), "capZones": len(m.CapZones),
		},
		"capZones": capZones, "spawns": spawns, "firstShape": nil, "lastBodyPosition": nil,
		"bodyOrder": append([]int{}, m.DrawOrder...),
	}
	if len(m.Shapes) > 0 {
		description["firstShape"] = describeShape(m.Shapes[0])
	}
	if last := len(m.Bodies) - 1; last >= 0 {
		description["lastBodyPosition"] = []float64{m.Bodies[last].Position.X, m.Bodies[last].Position.Y}
	}
	return description
}

func describeShape(shape bonkmap.Shape) object {
	switch s := shape.(type) {
	case bonkmap.Box:
		return object{
			"type": "bx", "w": s.Width, "h": s.Height, "c": []float64{s.Centre.X, s.Centre.Y}, "a": s.Angle,
			"sk": s.Shrinks,
		}
	case bonkmap.Circle:
		return object{"type": "ci", "r": s.Radius, "c": []float64{s.Centre.X, s.Centre.Y}, "sk": s.Shrinks}
	case bonkmap.Polygon:
		vertices := [][]float64{}
		for _, v := range s.Vertices {
			vertices = append(vertices, []float64{v.X, v.Y})
		}
		return object{"type": "po", "s": s.Scale, "a": s.Angle, "c": []float64{s.Centre.X, s.Centre.Y}, "v": vertices}
	default:
		return nil
	}
}

// shortenTo cuts the lists of which the vectors hold the beginning alone.
func shortenTo(want, got any) {
	wanted, description := want.(object), got.(object)
	for _, key := range []string{"spawns", "bodyOrder"} {
		if all, held := description[key].([]any), len(wanted[key].([]any)); held == 5 && len(all) > held {
			description[key] = all[:held]
		}
	}
}
