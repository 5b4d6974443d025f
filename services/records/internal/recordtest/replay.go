// Package recordtest has fixtures for tests: a small map, its copy, and replays on it.
package recordtest

import (
	"testing"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/services/records/internal/record"
)

// Map returns a small map with a floor and a finish. Its id is the game's; the width of the
// floor determines its physics.
func Map(id int, name string, width float64) *bonkmap.Map {
	surface := func(shape int) bonkmap.Fixture {
		return bonkmap.Fixture{
			Shape: shape, Friction: bonkmap.Inherit, Restitution: bonkmap.Inherit, Density: bonkmap.Inherit, Colour: 0x5b8c5a,
		}
	}
	return &bonkmap.Map{
		Version:        bonkmap.Version,
		Settings:       bonkmap.Settings{PlayersDontMeet: true, RespawnOnDeath: true, PhysicsQuality: 2},
		Name:           name,
		Author:         "ferngully",
		Mode:           bonkmap.Classic,
		ID:             id,
		Published:      true,
		PixelsPerMetre: 12,
		Shapes:         []bonkmap.Shape{bonkmap.Box{Width: width, Height: 20}, bonkmap.Circle{Radius: 15}},
		Fixtures:       []bonkmap.Fixture{surface(0), surface(1)},
		Bodies: []bonkmap.Body{{
			Kind: bonkmap.Static, Friction: 0.3, Density: 0.3,
			Collides: bonkmap.Collisions{Players: true}, Fixtures: []int{0, 1},
		}},
		Spawns:   []bonkmap.Spawn{{Position: bonkmap.Point{X: -width / 2, Y: -30}, FreeForAll: true}},
		CapZones: []bonkmap.CapZone{{Name: "finish", Seconds: 0.1, Fixture: 1, Kind: bonkmap.CapNormal}},
	}
}

// Copy returns the copy of a map that the records service would store.
func Copy(id string, m *bonkmap.Map) record.Map {
	return record.Map{
		ID: id, Version: 1, Name: m.Name, Mode: m.Mode.String(), GameMapID: int64(m.ID), MapVersion: 1,
		Fingerprint: m.PhysicsFingerprint().String(),
	}
}

// Replay returns a validated replay on the map by the named player.
func Replay(m *bonkmap.Map, player string, finishTime int, at time.Time) *lbreplay.Replay {
	return &lbreplay.Replay{
		MapName: m.Name, MapAuthor: m.Author, MapID: m.ID, GameMode: m.Mode.String(),
		FinishTime: finishTime, PlayerName: player, PlayerLevel: 12, Validated: true,
		ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, Map: m,
	}
}

// File returns the file of a replay as the game's mod writes it.
func File(tb testing.TB, replay *lbreplay.Replay) []byte {
	tb.Helper()
	file, err := lbreplay.Write(replay)
	if err != nil {
		tb.Fatal(err)
	}
	return file
}
