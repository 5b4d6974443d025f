package recordtest

import (
	"testing"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lbreplay"
	"capzone.dev/services/records/internal/record"
)

// Course returns a small map with a floor and a finish. Its id is the game's;
// the width of the floor makes its physics.
func Course(id int, name string, width float64) *bonkmap.Map {
	surface := func(shape int) bonkmap.Fixture {
		return bonkmap.Fixture{Shape: shape, Friction: bonkmap.Inherit, Restitution: bonkmap.Inherit, Density: bonkmap.Inherit, Colour: 0x5b8c5a}
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
		Bodies:         []bonkmap.Body{{Kind: bonkmap.Static, Friction: 0.3, Density: 0.3, Collides: bonkmap.Collisions{Players: true}, Fixtures: []int{0, 1}}},
		Spawns:         []bonkmap.Spawn{{Position: bonkmap.Point{X: -width / 2, Y: -30}, FreeForAll: true}},
		CapZones:       []bonkmap.CapZone{{Name: "finish", Seconds: 0.1, Fixture: 1, Kind: bonkmap.CapNormal}},
	}
}

// Copy returns the copy of a course that this service would keep.
func Copy(id string, course *bonkmap.Map) record.Map {
	return record.Map{
		ID: id, Version: 1, Name: course.Name, BonkDBID: int64(course.ID), Fingerprint: course.PhysicsFingerprint().String(),
	}
}

// Replay returns a validated run on the course by the named player.
func Replay(course *bonkmap.Map, player string, finishTime int, at time.Time) *lbreplay.Replay {
	return &lbreplay.Replay{
		MapName: course.Name, MapAuthor: course.Author, MapID: course.ID, GameMode: course.Mode.String(),
		FinishTime: finishTime, PlayerName: player, PlayerLevel: 12, Validated: true,
		ReplayVersion: "1.3.0", GameVersion: "49", Timestamp: at, Map: course,
	}
}

// File writes a replay as the mod does.
func File(tb testing.TB, replay *lbreplay.Replay) []byte {
	tb.Helper()
	file, err := lbreplay.Write(replay)
	if err != nil {
		tb.Fatal(err)
	}
	return file
}
