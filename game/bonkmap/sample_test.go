package bonkmap_test

import (
	"encoding/base64"
	"testing"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lzstring"
)

// workshop is a map with one of everything that the format knows.
func workshop() *bonkmap.Map {
	link := bonkmap.Link{BodyA: 1, BodyB: bonkmap.None, BodiesCollide: true, BreakForce: 12.5, DrawLine: true}
	return &bonkmap.Map{
		Version: bonkmap.Version,
		Settings: bonkmap.Settings{
			RespawnOnDeath: true, PlayersDontMeet: true, PlayersCanFly: true, PhysicsQuality: 2, EditorGridPixels: 12.5,
		},
		Name: "Workshop", Author: "cloudstep",
		RemixOf: bonkmap.Original{Name: "Bare Room", Author: "riverfox", ID: 4_000_000_000, DatabaseVersion: 1},
		VotesUp: 40, VotesDown: 2, Contributors: []string{"cloudstep", "örni 🏁"},
		Mode: bonkmap.DeathArrows, ID: 123_456, Published: true, DatabaseVersion: 2,

		PixelsPerMetre: 12, DrawOrder: []int{2, 1, 0},
		Shapes: []bonkmap.Shape{
			bonkmap.Box{Width: 200, Height: 20, Centre: bonkmap.Point{X: 3, Y: -4}, Angle: 0.25, Shrinks: true},
			bonkmap.Circle{Radius: 25, Centre: bonkmap.Point{X: 1, Y: 2}, Shrinks: true},
			bonkmap.Polygon{
				Scale: 2, Angle: -0.5, Centre: bonkmap.Point{X: 5, Y: 6},
				Vertices: []bonkmap.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 5, Y: 8}},
			},
		},
		Fixtures: []bonkmap.Fixture{
			{Shape: 0, Name: "floor", Friction: bonkmap.Inherit, Restitution: bonkmap.Inherit, Density: bonkmap.Inherit,
				Colour: 0x336699},
			{Shape: 1, Name: "cp goal", Friction: 0.5, FrictionPlayers: bonkmap.FrictionPlayersYes, Restitution: 1.25,
				Density: 2, Colour: 0xFFFFFF, NoPhysics: true, InnerGrapple: true},
			{Shape: 2, Name: "spike", Friction: 1, FrictionPlayers: bonkmap.FrictionPlayersNo, Restitution: -1,
				Density: 0.125,
				Deadly:  true, NoGrapple: true},
		},
		Bodies: []bonkmap.Body{
			{Kind: bonkmap.Static, Name: "ground", Friction: 0.3, Restitution: 0.8, Density: 0.3,
				Collides: bonkmap.Collisions{A: true, B: true, C: true, D: true, Players: true}, Fixtures: []int{0}},
			{
				Kind: bonkmap.Dynamic, Name: "lift", Position: bonkmap.Point{X: 100,
					Y: -50}, Angle: 1.5, Friction: 0.1, FrictionPlayers: true,
				Restitution: 0.2, Density: 0.3, Velocity: bonkmap.Point{X: 1,
					Y: 2}, AngularVelocity: 3, LinearDamping: 4, AngularDamping: 5,
				FixedRotation: true, AntiTunnel: true, Force: bonkmap.Point{X: 6, Y: 7}, Torque: 8,
				ForceIsAbsolute: true,
				CollisionGroup:  3, Collides: bonkmap.Collisions{A: true, C: true},
				ForceZone: &bonkmap.ForceZone{
					Force: bonkmap.Point{X: -9, Y: 10}, OnPlayers: true, OnArrow: true, Kind: 2, CentreForce: 11,
				},
				Fixtures: []int{1, 2},
			},
			{Kind: bonkmap.Kinematic, Name: "empty"},
		},
		Spawns: []bonkmap.Spawn{
			{Name: "Start", Position: bonkmap.Point{X: -300, Y: 10}, Velocity: bonkmap.Point{X: 1, Y: -1}, Priority: 5,
				FreeForAll: true, Red: true, Green: true},
		},
		CapZones: []bonkmap.CapZone{
			{Name: "Finish", Seconds: 0.01, Fixture: 1, Kind: bonkmap.CapNormal},
			{Name: "Loose", Seconds: 10, Fixture: bonkmap.None, Kind: bonkmap.CapYellowWins},
		},
		Joints: []bonkmap.Joint{
			bonkmap.Revolute{LowerAngle: -1, UpperAngle: 1, MotorTorque: 2, MotorSpeed: 3, LimitOn: true, MotorOn: true,
				Anchor: bonkmap.Point{X: 4, Y: 5}, Link: link},
			bonkmap.Distance{Frequency: 1, Damping: 2, AnchorA: bonkmap.Point{X: 3, Y: 4},
				AnchorB: bonkmap.Point{X: 5, Y: 6},
				Link:    link},
			bonkmap.Path{Position: bonkmap.Point{X: 1, Y: 2}, Angle: 3, Force: 4, Lower: 5, Upper: 6, Length: 7,
				MotorSpeed: 8,
				Link:       link},
			bonkmap.Spring{Position: bonkmap.Point{X: 1, Y: 2}, Force: 3, Length: 4, Link: link},
			bonkmap.Gear{Name: "pair", JointA: 0, JointB: 5, Ratio: -2},
			bonkmap.Gear{Name: "half made", JointA: bonkmap.None, JointB: bonkmap.None, Ratio: 1},
		},
	}
}

func encode(tb testing.TB, m *bonkmap.Map) string {
	tb.Helper()
	encoded, err := bonkmap.Encode(m)
	if err != nil {
		tb.Fatal(err)
	}
	return encoded
}

func decode(tb testing.TB, encoded string) *bonkmap.Map {
	tb.Helper()
	m, err := bonkmap.Decode(encoded)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// bytesOf returns the innermost layer of a map's string.
func bytesOf(tb testing.TB, m *bonkmap.Map) []byte {
	tb.Helper()
	text, err := lzstring.Decompress(encode(tb, m), 8<<20)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// stringOf wraps bytes, good or bad, as a map string is wrapped.
func stringOf(data []byte) string {
	return lzstring.Compress(base64.StdEncoding.EncodeToString(data))
}
