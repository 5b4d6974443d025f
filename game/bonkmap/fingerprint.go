package bonkmap

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Fingerprint identifies how a map plays.
type Fingerprint [sha256.Size]byte

// String returns the fingerprint in hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// MarshalText returns the text of [Fingerprint.String].
func (f Fingerprint) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText parses the text of MarshalText.
func (f *Fingerprint) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(f)) {
		return fmt.Errorf("bonkmap: a fingerprint has %d hexadecimal digits, not %d", hex.EncodedLen(len(f)), len(text))
	}
	var read Fingerprint
	if _, err := hex.Decode(read[:], text); err != nil {
		return fmt.Errorf("bonkmap: fingerprint: %w", err)
	}
	*f = read
	return nil
}

// fingerprintScheme is hashed first. It must change with what is hashed below, which invalidates
// all stored fingerprints.
const fingerprintScheme = "bonkmap physics 1\n"

// PhysicsFingerprint returns a hash of everything that affects how the map plays. Finish times on
// two maps with the same fingerprint are comparable.
//
// It covers the settings, the mode, the scale, and every shape, fixture, body, spawn, capture zone
// and joint in the order of the map. It leaves out all names (of the map, its people, its parts),
// colours, votes, ids, the remix credit, whether the map is published, the order of drawing,
// whether a joint's line is drawn, the editor's grid, and the format's version. Fields that an old
// version lacks have the game's default. Negative zero is hashed as zero.
func (m *Map) PhysicsFingerprint() Fingerprint {
	plain := m.withoutLooks()
	e := encoder{writer{canonical: true}}
	e.settings(plain)
	e.text(plain.Mode.Code(), "mode")
	e.physics(plain)
	return sha256.Sum256(append([]byte(fingerprintScheme), e.data...))
}

// withoutLooks returns a copy without the fields that do not affect physics.
func (m *Map) withoutLooks() *Map {
	plain := *m
	plain.Settings.EditorGridPixels = 0
	plain.DrawOrder = nil

	plain.Fixtures = make([]Fixture, len(m.Fixtures))
	for i, fixture := range m.Fixtures {
		fixture.Name, fixture.Colour = "", 0
		plain.Fixtures[i] = fixture
	}
	plain.Bodies = make([]Body, len(m.Bodies))
	for i, body := range m.Bodies {
		body.Name = ""
		plain.Bodies[i] = body
	}
	plain.Spawns = make([]Spawn, len(m.Spawns))
	for i, spawn := range m.Spawns {
		spawn.Name = ""
		plain.Spawns[i] = spawn
	}
	plain.CapZones = make([]CapZone, len(m.CapZones))
	for i, zone := range m.CapZones {
		zone.Name = ""
		plain.CapZones[i] = zone
	}
	plain.Joints = make([]Joint, len(m.Joints))
	for i, joint := range m.Joints {
		plain.Joints[i] = withoutLine(joint)
	}
	return &plain
}

func withoutLine(joint Joint) Joint {
	switch j := joint.(type) {
	case Revolute:
		j.DrawLine = false
		return j
	case Distance:
		j.DrawLine = false
		return j
	case Path:
		j.DrawLine = false
		return j
	case Spring:
		j.DrawLine = false
		return j
	case Gear:
		j.Name = ""
		return j
	default:
		return joint
	}
}
