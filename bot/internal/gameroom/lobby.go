package gameroom

import (
	"fmt"

	"capzone.dev/game/bonkmap"
)

// LobbyMap is the map string that a room's settings name: one platform under
// one spawn. Nobody plays on it.
func LobbyMap(siteName string) (string, error) {
	const pixelsPerMetre = 12
	encoded, err := bonkmap.Encode(&bonkmap.Map{
		Name: siteName + " login", Author: siteName, Mode: bonkmap.Classic, ID: -1, DatabaseVersion: 2,
		PixelsPerMetre: pixelsPerMetre,
		DrawOrder:      []int{0},
		Shapes:         []bonkmap.Shape{bonkmap.Box{Width: 400, Height: 30}},
		Fixtures: []bonkmap.Fixture{{
			Shape: 0, Name: "floor", Colour: 0x0097a7,
			Friction: bonkmap.Inherit, Restitution: bonkmap.Inherit, Density: bonkmap.Inherit,
		}},
		Bodies: []bonkmap.Body{{
			Kind: bonkmap.Static, Name: "floor", Position: bonkmap.Point{X: 365, Y: 350}, Friction: 0.3, Restitution: 0.8, Density: 0.3,
			CollisionGroup: 1, Collides: bonkmap.Collisions{A: true, B: true, C: true, D: true, Players: true}, Fixtures: []int{0},
		}},
		Spawns: []bonkmap.Spawn{{Name: "spawn", Position: bonkmap.Point{X: 365, Y: 300}, Priority: 5, FreeForAll: true}},
	})
	if err != nil {
		return "", fmt.Errorf("the lobby's map: %w", err)
	}
	return encoded, nil
}
