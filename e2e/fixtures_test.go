package e2e_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/e2e/api"
	"capzone.dev/e2e/internal/mapgen"
	"capzone.dev/e2e/site"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

// mapNumbers numbers the maps that tests draw, from a start of its own.
var mapNumbers atomic.Int64

func init() { mapNumbers.Store(10_000_000 + 1000*rand.Int64N(1_000_000)) }

// newMap returns a map that the site has never seen, by an author.
func newMap(author string) *bonkmap.Map {
	id := mapNumbers.Add(1)
	mode := bonkmap.ParkourModes()[id%6]
	return mapgen.Generate(mapgen.Options{Seed: uint64(id), Mode: mode, Author: author, ID: int(id)}).Map
}

// finishDay is when the records of the tests were made, unless a test changes it.
var finishDay = time.Date(2025, 5, 11, 18, 2, 33, 120e6, time.UTC)

// attempts distinguishes records that are otherwise equal.
var attempts atomic.Int64

// replay returns the file of a validated record of ms milliseconds, with the changes of the test.
func replay(t *testing.T, m *bonkmap.Map, player string, ms int, changes ...func(*lbreplay.Replay)) []byte {
	t.Helper()
	r := &lbreplay.Replay{
		MapName: m.Name, MapAuthor: m.Author, MapID: m.ID, GameMode: m.Mode.String(), Map: m,
		FinishTime: ms, PlayerName: player, PlayerLevel: 57, PlayerSkin: `{"layers":[],"bc":9315498}`,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49",
		Timestamp: finishDay.Add(time.Duration(attempts.Add(1)) * time.Second),
	}
	for _, change := range changes {
		change(r)
	}
	file, err := lbreplay.Write(r)
	require.NoError(t, err)
	return file
}

// picture is an image file that a map or an avatar may have.
var picture = sync.OnceValue(func() []byte { return pngOf(320, 180) })

func pngOf(width, height int) []byte {
	var file bytes.Buffer
	if err := png.Encode(&file, gradient(width, height)); err != nil {
		panic(err)
	}
	return file.Bytes()
}

func gradient(width, height int) image.Image {
	m := image.NewPaletted(image.Rect(0, 0, width, height),
		color.Palette{color.RGBA{47, 158, 143, 255}, color.RGBA{20, 40, 60, 255}})
	for y := range height {
		for x := range width {
			if (x/20+y/20)%2 == 0 {
				m.SetColorIndex(x, y, 1)
			}
		}
	}
	return m
}

// submission returns a map with its author's record of 40 seconds.
func submission(t *testing.T, m *bonkmap.Map, player string) site.MapSubmission {
	t.Helper()
	return site.MapSubmission{
		Replay: replay(t, m, player, 40_000), Image: picture(),
		Metadata: api.MapMetadata{Description: new("Jump, and don't look down."), Tags: &[]string{"short"}},
	}
}

// submitted returns a map that its author, a new player, has just submitted.
func submitted(t *testing.T) (m *bonkmap.Map, entry api.ParkourMap, author *site.Visitor) {
	t.Helper()
	author = newPlayer(t)
	m = newMap(author.Player.Name)
	entry, err := author.SubmitMap(t.Context(), submission(t, m, author.Player.Name))
	require.NoError(t, err)
	return m, entry, author
}

// finished submits a record.
func finished(t *testing.T, player *site.Visitor, m *bonkmap.Map, ms int) api.Submitted {
	t.Helper()
	outcome, err := player.SubmitRecord(t.Context(), site.RecordSubmission{Replay: replay(t, m, player.Player.Name, ms)})
	require.NoError(t, err)
	return outcome
}
