package bonkmap_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
)

func TestMap_PhysicsFingerprint_ignores_looks(t *testing.T) {
	cases := map[string]func(*bonkmap.Map){
		"names of the map and its people": func(m *bonkmap.Map) {
			m.Name, m.Author, m.Contributors = "Other", "other",
				nil
		},
		"votes":                        func(m *bonkmap.Map) { m.VotesUp, m.VotesDown = 0, 99 },
		"ids and publishing":           func(m *bonkmap.Map) { m.ID, m.Published, m.DatabaseVersion = 5, false, 9 },
		"the remix credit":             func(m *bonkmap.Map) { m.RemixOf = bonkmap.Original{} },
		"colours":                      func(m *bonkmap.Map) { m.Fixtures[0].Colour = 0x123456 },
		"names of fixtures and bodies": func(m *bonkmap.Map) { m.Fixtures[0].Name, m.Bodies[0].Name = "a", "b" },
		"names of spawns and zones":    func(m *bonkmap.Map) { m.Spawns[0].Name, m.CapZones[0].Name = "a", "b" },
		"the name of a gear": func(m *bonkmap.Map) {
			m.Joints[4] = bonkmap.Gear{Name: "x", JointA: 0, JointB: 5,
				Ratio: -2}
		},
		"the order of drawing": func(m *bonkmap.Map) { m.DrawOrder = []int{0, 1, 2} },
		"the editor's grid":    func(m *bonkmap.Map) { m.Settings.EditorGridPixels = 50 },
		"the version":          func(m *bonkmap.Map) { m.Version = 13 },
		"the line of a joint": func(m *bonkmap.Map) {
			spring := m.Joints[3].(bonkmap.Spring)
			spring.DrawLine = false
			m.Joints[3] = spring
		},
		"the sign of zero": func(m *bonkmap.Map) { m.Bodies[0].Angle = math.Copysign(0, -1) },
	}
	original := workshop().PhysicsFingerprint()
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			m := workshop()
			change(m)
			if m.PhysicsFingerprint() != original {
				t.Error("the fingerprint changed")
			}
		})
	}
}

func TestMap_PhysicsFingerprint_covers_physics(t *testing.T) {
	cases := map[string]func(*bonkmap.Map){
		"the mode":                     func(m *bonkmap.Map) { m.Mode = bonkmap.Arrows },
		"flying":                       func(m *bonkmap.Map) { m.Settings.PlayersCanFly = false },
		"respawning":                   func(m *bonkmap.Map) { m.Settings.RespawnOnDeath = false },
		"players colliding":            func(m *bonkmap.Map) { m.Settings.PlayersDontMeet = false },
		"the physics quality":          func(m *bonkmap.Map) { m.Settings.PhysicsQuality = 1 },
		"the scale":                    func(m *bonkmap.Map) { m.PixelsPerMetre = 13 },
		"the size of a shape":          func(m *bonkmap.Map) { m.Shapes[1] = bonkmap.Circle{Radius: 25.000001} },
		"the kind of a shape":          func(m *bonkmap.Map) { m.Shapes[1] = bonkmap.Box{Width: 25} },
		"a vertex":                     func(m *bonkmap.Map) { m.Shapes[2].(bonkmap.Polygon).Vertices[1].X = 11 },
		"a deadly part":                func(m *bonkmap.Map) { m.Fixtures[2].Deadly = false },
		"friction":                     func(m *bonkmap.Map) { m.Fixtures[0].Friction = 0 },
		"what can be grappled":         func(m *bonkmap.Map) { m.Fixtures[2].NoGrapple = false },
		"where a body starts":          func(m *bonkmap.Map) { m.Bodies[0].Position.X = 0.5 },
		"a body's fixtures":            func(m *bonkmap.Map) { m.Bodies[0].Fixtures = nil },
		"a force zone":                 func(m *bonkmap.Map) { m.Bodies[1].ForceZone = nil },
		"where players start":          func(m *bonkmap.Map) { m.Spawns[0].Position.Y = 11 },
		"how long a zone takes":        func(m *bonkmap.Map) { m.CapZones[0].Seconds = 0.02 },
		"which fixture the finish is":  func(m *bonkmap.Map) { m.CapZones[0].Fixture = 0 },
		"a checkpoint named as finish": func(m *bonkmap.Map) { m.Fixtures[1].Name = "goal" },
		"the ratio of a gear": func(m *bonkmap.Map) {
			m.Joints[4] = bonkmap.Gear{Name: "pair", JointA: 0, JointB: 5,
				Ratio: 2}
		},
		"a joint less":                  func(m *bonkmap.Map) { m.Joints = m.Joints[:5] },
		"bodies in another order":       func(m *bonkmap.Map) { m.Bodies[0], m.Bodies[2] = m.Bodies[2], m.Bodies[0] },
		"a spawn for one team the more": func(m *bonkmap.Map) { m.Spawns[0].Blue = true },
	}
	original := workshop().PhysicsFingerprint()
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			m := workshop()
			change(m)
			if m.PhysicsFingerprint() == original {
				t.Error("the fingerprint is the same")
			}
		})
	}
}

func TestMap_PhysicsFingerprint_does_not_change_the_map(t *testing.T) {
	m := workshop()
	m.PhysicsFingerprint()
	if diff := cmp.Diff(workshop(), m); diff != "" {
		t.Error(diff)
	}
}

// Stored fingerprints must stay comparable: a change that breaks this test needs a new scheme, and all stored
// fingerprints have to be computed again.
func TestMap_PhysicsFingerprint_is_stable(t *testing.T) {
	withoutCheckpoints := workshop()
	withoutCheckpoints.Fixtures[1].Name = "goal"
	for name, tt := range map[string]struct {
		m    *bonkmap.Map
		want string
	}{
		"with checkpoints": {workshop(), "6d039e02a7f3021b08e8a13519c5e1551acd71e064fe28b5b42263c121a1c4c2"},
		// The fingerprint that scheme 1 gives to maps with and without checkpoints.
		"without checkpoints": {withoutCheckpoints, "89290b6c4cd71445a5c2187dee3d684e27f34575cf4bfef5aae3458026627e00"},
	} {
		if got := tt.m.PhysicsFingerprint().String(); got != tt.want {
			t.Errorf("%s: the fingerprint is %s", name, got)
		}
	}
}

// A map whose zones are all checkpoints, a copy with none, and one with some have three fingerprints.
func TestMap_PhysicsFingerprint_covers_checkpoints(t *testing.T) {
	named := func(names ...string) bonkmap.Fingerprint {
		m := workshop()
		m.CapZones[1].Fixture = 2
		m.Fixtures[1].Name, m.Fixtures[2].Name = names[0], names[1]
		return m.PhysicsFingerprint()
	}
	different := map[bonkmap.Fingerprint]bool{
		named("cp 1", "cp 2"): true, named("goal", "gate"): true, named("cp 1", "gate"): true,
		named("goal", "cp 2"): true,
	}
	if len(different) != 4 {
		t.Errorf("%d fingerprints, want 4", len(different))
	}
	if named("cp 1", "cp 2") != named("cp first", "cpsecond") {
		t.Error("other names of checkpoints change the fingerprint")
	}
}
