package parkourmaptest

import (
	"testing"
	"time"

	"capzone.dev/devstack/require"
	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
)

// FinishedAt is the time stamp of the replays.
var FinishedAt = time.Date(2026, time.May, 11, 18, 2, 33, 120_000_000, time.UTC)

// Drawing returns a small map that can be finished: a floor with the finish at its end. The id is the game map id.
func Drawing(id int, name, author string) *bonkmap.Map {
	box := func(width, height float64) bonkmap.Shape { return bonkmap.Box{Width: width, Height: height} }
	surface := func(shape int, name string) bonkmap.Fixture {
		return bonkmap.Fixture{
			Shape:       shape,
			Name:        name,
			Friction:    bonkmap.Inherit,
			Restitution: bonkmap.Inherit,
			Density:     bonkmap.Inherit,
			Colour:      0x4f7cac,
		}
	}
	return &bonkmap.Map{
		Version: bonkmap.Version,
		Settings: bonkmap.Settings{PlayersDontMeet: true, RespawnOnDeath: true, PhysicsQuality: 2,
			EditorGridPixels: 25},
		Name:           name,
		Author:         author,
		Mode:           bonkmap.Classic,
		ID:             id,
		Published:      true,
		PixelsPerMetre: 12,
		DrawOrder:      []int{0},
		Shapes:         []bonkmap.Shape{box(600, 20), box(20, 60)},
		Fixtures:       []bonkmap.Fixture{surface(0, "floor"), surface(1, "finish")},
		Bodies: []bonkmap.Body{{
			Kind: bonkmap.Static, Name: "course", Friction: 0.3, Restitution: 0.8, Density: 0.3,
			Collides: bonkmap.Collisions{A: true, B: true, C: true, D: true, Players: true}, Fixtures: []int{0, 1},
		}},
		Spawns:   []bonkmap.Spawn{{Name: "start", Position: bonkmap.Point{X: -280, Y: -40}, FreeForAll: true}},
		CapZones: []bonkmap.CapZone{{Name: "finish", Seconds: 0.1, Fixture: 1, Kind: bonkmap.CapNormal}},
	}
}

// Replay returns a validated replay of the named player on the map, in 41.267 seconds.
func Replay(m *bonkmap.Map, player string) *lbreplay.Replay {
	return &lbreplay.Replay{
		MapName: m.Name, MapAuthor: m.Author, MapID: m.ID, GameMode: m.Mode.String(),
		FinishTime: 41_267, PlayerName: player, PlayerLevel: 57, PlayerSkin: `{"layers":[],"bc":9315498}`,
		Validated: true, ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: FinishedAt, Map: m,
	}
}

// File returns a replay as the game's mod writes it.
func File(tb testing.TB, replay *lbreplay.Replay) []byte {
	tb.Helper()
	file, err := lbreplay.Write(replay)
	require.NoError(tb, err)
	return file
}
