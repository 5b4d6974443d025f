package bonkmap

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writer appends big-endian values.
type writer struct{ data []byte }

func (w *writer) short(value int) { w.data = binary.BigEndian.AppendUint16(w.data, uint16(value)) }

func (w *writer) uint(value uint32) { w.data = binary.BigEndian.AppendUint32(w.data, value) }

func (w *writer) bools(values ...bool) {
	for _, value := range values {
		w.data = append(w.data, map[bool]byte{true: 1}[value])
	}
}

func (w *writer) doubles(values ...float64) {
	for _, value := range values {
		w.data = binary.BigEndian.AppendUint64(w.data, math.Float64bits(value))
	}
}

func (w *writer) text(value string) {
	w.short(len(value))
	w.data = append(w.data, value...)
}

// encodeVersion returns the bytes of a small map, all of its flags set, in a version of the format.
func encodeVersion(version int) []byte {
	w := writer{}
	since := func(first int, write func()) {
		if version >= first {
			write()
		}
	}
	w.short(version)
	w.bools(true, true)
	since(3, func() { w.short(2) })
	switch {
	case version >= 13:
		w.uint(math.Float32bits(12.5))
	case version >= 4:
		w.short(30)
	}
	since(9, func() { w.bools(true) })
	w.text("Original")
	w.text("riverfox")
	w.uint(77)
	w.short(1)
	w.text("Old Steps")
	w.text("cloudstep")
	since(10, func() { w.uint(5); w.uint(6) })
	since(4, func() { w.short(1); w.text("pebblehop") })
	since(5, func() { w.text("v"); w.uint(1234) })
	since(7, func() { w.bools(true) })
	since(8, func() { w.uint(3) })
	w.short(12)

	w.short(1) // draw order
	w.short(0)

	w.short(1) // shapes
	w.short(kindCircle)
	w.doubles(10, 1, 2)
	w.bools(true)

	w.short(1) // fixtures
	w.short(0)
	w.text("disc")
	w.doubles(0.5)
	w.short(int(FrictionPlayersYes))
	w.doubles(0.25, 2)
	w.uint(0xABCDEF)
	w.bools(true, true)
	since(11, func() { w.bools(true) })
	since(12, func() { w.bools(true) })

	w.short(1) // bodies
	w.text("d")
	w.text("body")
	w.doubles(1, 2, 3, 0.5)
	w.bools(true)
	w.doubles(0.1, 0.2, 4, 5, 6, 7, 8)
	w.bools(true, true)
	w.doubles(9, 10, 11)
	w.bools(true)
	w.short(2)
	w.bools(true, false, true, false)
	since(2, func() { w.bools(false) })
	since(14, func() {
		w.bools(true)
		w.doubles(12, 13)
		w.bools(true, false, true)
	})
	since(15, func() {
		w.short(3)
		w.doubles(14)
	})
	w.short(1)
	w.short(0)

	w.short(1) // spawns
	w.doubles(15, 16, 17, 18)
	w.short(4)
	w.bools(true, false, true, false, true)
	w.text("Start")

	w.short(1) // capture zones
	w.text("Finish")
	w.doubles(0.5)
	w.short(0)
	since(6, func() { w.short(int(CapBlueWins)) })

	w.short(5) // joints
	link := func() {
		w.short(0)
		w.short(None)
		w.bools(true)
		w.doubles(19)
		w.bools(true)
	}
	w.short(kindRevolute)
	w.doubles(1, 2, 3, 4)
	w.bools(true, false)
	w.doubles(5, 6)
	link()
	w.short(kindDistance)
	w.doubles(1, 2, 3, 4, 5, 6)
	link()
	w.short(kindPath)
	w.doubles(1, 2, 3, 4, 5, 6, 7, 8)
	link()
	w.short(kindSpring)
	w.doubles(1, 2, 3, 4)
	link()
	w.short(kindGear)
	w.text("pair")
	w.short(0)
	w.short(4)
	w.doubles(1)
	return w.data
}

// mapOfVersion returns the map of encodeVersion. Fields that the version lacks have the game's
// defaults.
func mapOfVersion(version int) *Map {
	m := &Map{
		Version:  version,
		Settings: Settings{RespawnOnDeath: true, PlayersDontMeet: true, PhysicsQuality: 1, EditorGridPixels: 25},
		Name:     "Old Steps", Author: "cloudstep",
		RemixOf: Original{Name: "Original", Author: "riverfox", ID: 77, DatabaseVersion: 1},
		ID:      -1, DatabaseVersion: 2, PixelsPerMetre: 12, DrawOrder: []int{0},
		Shapes: []Shape{Circle{Radius: 10, Centre: Point{1, 2}, Shrinks: true}},
		Fixtures: []Fixture{{
			Name: "disc", Friction: 0.5, FrictionPlayers: FrictionPlayersYes, Restitution: 0.25, Density: 2,
			Colour: 0xABCDEF, Deadly: true, NoPhysics: true,
		}},
		Bodies: []Body{{
			Kind: Dynamic, Name: "body", Position: Point{1, 2}, Angle: 3, Friction: 0.5, FrictionPlayers: true,
			Restitution: 0.1, Density: 0.2, Velocity: Point{4, 5}, AngularVelocity: 6, LinearDamping: 7,
			AngularDamping: 8,
			FixedRotation:  true, AntiTunnel: true, Force: Point{9, 10}, Torque: 11, ForceIsAbsolute: true,
			CollisionGroup: 2, Collides: Collisions{A: true, C: true, Players: true}, Fixtures: []int{0},
		}},
		Spawns: []Spawn{{
			Name: "Start", Position: Point{15, 16}, Velocity: Point{17, 18}, Priority: 4, Red: true, Blue: true,
			Yellow: true,
		}},
		CapZones: []CapZone{{Name: "Finish", Seconds: 0.5, Fixture: 0, Kind: CapNormal}},
	}
	link := Link{BodyA: 0, BodyB: None, BodiesCollide: true, BreakForce: 19, DrawLine: true}
	m.Joints = []Joint{
		Revolute{
			LowerAngle: 1, UpperAngle: 2, MotorTorque: 3, MotorSpeed: 4, LimitOn: true, Anchor: Point{5, 6}, Link: link,
		},
		Distance{Frequency: 1, Damping: 2, AnchorA: Point{3, 4}, AnchorB: Point{5, 6}, Link: link},
		Path{Position: Point{1, 2}, Angle: 3, Force: 4, Lower: 5, Upper: 6, Length: 7, MotorSpeed: 8, Link: link},
		Spring{Position: Point{1, 2}, Force: 3, Length: 4, Link: link},
		Gear{Name: "pair", JointA: 0, JointB: 4, Ratio: 1},
	}
	body, fixture := &m.Bodies[0], &m.Fixtures[0]
	for first, apply := range map[int]func(){
		2:  func() { body.Collides.Players = false },
		3:  func() { m.Settings.PhysicsQuality = 2 },
		4:  func() { m.Contributors = []string{"pebblehop"} },
		5:  func() { m.Mode, m.ID = VTOL, 1234 },
		6:  func() { m.CapZones[0].Kind = CapBlueWins },
		7:  func() { m.Published = true },
		8:  func() { m.DatabaseVersion = 3 },
		9:  func() { m.Settings.PlayersCanFly = true },
		10: func() { m.VotesUp, m.VotesDown = 5, 6 },
		11: func() { fixture.NoGrapple = true },
		12: func() { fixture.InnerGrapple = true },
	} {
		if version >= first {
			apply()
		}
	}
	switch {
	case version >= 13:
		m.Settings.EditorGridPixels = 12.5
	case version >= 4:
		m.Settings.EditorGridPixels = 30
	}
	if version >= 14 {
		body.ForceZone = &ForceZone{Force: Point{12, 13}, OnPlayers: true, OnArrow: true}
	}
	if version >= 15 {
		body.ForceZone.Kind, body.ForceZone.CentreForce = 3, 14
	}
	return m
}

func TestDecode_version(t *testing.T) {
	for version := 1; version <= Version; version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			m, err := decodeBytes(encodeVersion(version))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(mapOfVersion(version), m); diff != "" {
				t.Errorf("want (-), got (+):\n%s", diff)
			}
		})
	}
}

// FuzzDecodeBytes changes the innermost layer. Random changes of a map string seldom decompress.
func FuzzDecodeBytes(f *testing.F) {
	for version := 1; version <= Version; version++ {
		f.Add(encodeVersion(version))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := decodeBytes(data)
		if err != nil {
			return
		}
		encoded, err := encodeBytes(m)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decodeBytes(encoded)
		if err != nil {
			t.Fatal(err)
		}
		CheckRoundTrip(t, m, again)
	})
}

// CheckRoundTrip compares a map that was decoded with what its encoding decodes to. It changes m to the version that
// is written.
func CheckRoundTrip(t *testing.T, m, again *Map) {
	t.Helper()
	m.Version = Version
	if diff := cmp.Diff(m, again); diff != "" {
		t.Fatalf("the map changed (-before +after):\n%s", diff)
	}
	if b := Bounds(m); !(b.Width() >= 0 && b.Height() >= 0 && b.Width() <= math.MaxFloat64 &&
		b.Height() <= math.MaxFloat64) {
		t.Fatalf("the map lies within %v", b)
	}
	m.FinishIsAmbiguous()
	if m.PhysicsFingerprint() != again.PhysicsFingerprint() {
		t.Fatal("the fingerprint changed")
	}
}

// Bounds returns the smallest rectangle around every spawn and every fixture of every body at its start position. It is
// empty, at the origin, for an empty map.
func Bounds(m *Map) Rect {
	bounds := EmptyRect()
	for _, spawn := range m.Spawns {
		bounds = bounds.Around(spawn.Position, 0)
	}
	for _, body := range m.Bodies {
		for _, fixture := range body.Fixtures {
			shape := m.Shapes[m.Fixtures[fixture].Shape]
			if circle, ok := shape.(Circle); ok {
				bounds = bounds.Around(body.Place(circle.Centre), math.Abs(circle.Radius))
			}
			for _, corner := range Corners(shape) {
				bounds = bounds.Around(body.Place(corner), 0)
			}
		}
	}
	if bounds.IsEmpty() {
		return Rect{}
	}
	return bounds
}
