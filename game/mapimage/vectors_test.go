package mapimage_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/mapimage"
)

func TestDrawing_of_real_maps(t *testing.T) {
	for name, encoded := range realMaps(t) {
		t.Run(name, func(t *testing.T) {
			m, err := bonkmap.Decode(encoded)
			if err != nil {
				t.Fatal(err)
			}
			document, err := mapimage.SVG(m)
			if err != nil {
				t.Fatal(err)
			}
			checkSVG(t, document)
			if _, err := mapimage.Image(m, 1200, 630); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// realMaps returns maps of the game by name.
func realMaps(t *testing.T) map[string]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", "maps.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("there are no maps of the game beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Name, Encoded string }
	if err := json.Unmarshal(content, &vectors); err != nil {
		t.Fatal(err)
	}
	maps := map[string]string{}
	for _, v := range vectors {
		maps[v.Name] = v.Encoded
	}
	return maps
}
