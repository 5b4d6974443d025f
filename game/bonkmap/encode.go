package bonkmap

import (
	"encoding/base64"
	"errors"
	"fmt"

	"capzone.dev/game/lzstring"
)

// Encode returns a map string of version 15. It returns an error for exactly the maps that [Decode]
// would not read back.
func Encode(m *Map) (string, error) {
	data, err := encodeBytes(m)
	if err != nil {
		return "", err
	}
	text := base64.StdEncoding.EncodeToString(data)
	if len(text) > maxUnpacked {
		return "", ErrTooLarge
	}
	if _, err := decodeBytes(data); err != nil {
		return "", fmt.Errorf("the map would not be readable: %w", err)
	}
	return lzstring.Compress(text), nil
}

// encodeBytes writes the innermost layer.
func encodeBytes(m *Map) ([]byte, error) {
	e := encoder{}
	e.settings(m)
	e.facts(m)
	e.physics(m)
	return e.data, e.err
}

type encoder struct{ writer }

func (e *encoder) settings(m *Map) {
	e.short(Version, "version")
	e.bools(m.Settings.RespawnOnDeath, m.Settings.PlayersDontMeet)
	e.short(m.Settings.PhysicsQuality, "physics quality")
	e.float(m.Settings.EditorGridPixels)
	e.bool(m.Settings.PlayersCanFly)
}

func (e *encoder) facts(m *Map) {
	e.text(m.RemixOf.Name, "name of the original")
	e.text(m.RemixOf.Author, "author of the original")
	e.uint(m.RemixOf.ID)
	e.short(m.RemixOf.DatabaseVersion, "database version of the original")
	e.text(m.Name, "name")
	e.text(m.Author, "author")
	e.uint(m.VotesUp)
	e.uint(m.VotesDown)
	e.short(len(m.Contributors), "contributor count")
	for _, name := range m.Contributors {
		e.text(name, "contributor")
	}
	e.text(m.Mode.Code(), "mode")
	e.int(m.ID, "map id")
	e.bool(m.Published)
	e.int(m.DatabaseVersion, "database version")
}

func (e *encoder) physics(m *Map) {
	e.short(m.PixelsPerMetre, "pixels per metre")
	e.indexes(m.DrawOrder, "drawn body")
	e.short(len(m.Shapes), "shape count")
	for _, shape := range m.Shapes {
		e.shape(shape)
	}
	e.short(len(m.Fixtures), "fixture count")
	for _, fixture := range m.Fixtures {
		e.fixture(fixture)
	}
	e.short(len(m.Bodies), "body count")
	for _, body := range m.Bodies {
		e.body(body)
	}
	e.short(len(m.Spawns), "spawn count")
	for _, spawn := range m.Spawns {
		e.spawn(spawn)
	}
	e.short(len(m.CapZones), "capture zone count")
	for _, zone := range m.CapZones {
		e.capZone(zone)
	}
	e.short(len(m.Joints), "joint count")
	for _, joint := range m.Joints {
		e.joint(joint)
	}
}

func (e *encoder) indexes(indexes []int, field string) {
	e.short(len(indexes), field+" count")
	for _, index := range indexes {
		e.short(index, field)
	}
}

func (e *encoder) shape(shape Shape) {
	if shape == nil {
		e.err = errors.New("bonkmap: a shape is nil")
		return
	}
	e.short(shape.shapeKind(), "kind of shape")
	switch s := shape.(type) {
	case Box:
		e.doubles(s.Width, s.Height, s.Centre.X, s.Centre.Y, s.Angle)
		e.bool(s.Shrinks)
	case Circle:
		e.doubles(s.Radius, s.Centre.X, s.Centre.Y)
		e.bool(s.Shrinks)
	case Polygon:
		e.doubles(s.Scale, s.Angle, s.Centre.X, s.Centre.Y)
		e.short(len(s.Vertices), "vertex count")
		for _, vertex := range s.Vertices {
			e.point(vertex)
		}
	}
}

func (e *encoder) fixture(f Fixture) {
	e.short(f.Shape, "shape of a fixture")
	e.text(f.Name, "name of a fixture")
	e.doubles(f.Friction)
	e.short(int(f.FrictionPlayers), "friction on players")
	e.doubles(f.Restitution, f.Density)
	e.uint(f.Colour)
	e.bools(f.Deadly, f.NoPhysics, f.NoGrapple, f.InnerGrapple)
}

func (e *encoder) body(b Body) {
	e.text(string(b.Kind), "kind of body")
	e.text(b.Name, "name of a body")
	e.doubles(b.Position.X, b.Position.Y, b.Angle, b.Friction)
	e.bool(b.FrictionPlayers)
	e.doubles(b.Restitution, b.Density, b.Velocity.X, b.Velocity.Y, b.AngularVelocity)
	e.doubles(b.LinearDamping, b.AngularDamping)
	e.bools(b.FixedRotation, b.AntiTunnel)
	e.doubles(b.Force.X, b.Force.Y, b.Torque)
	e.bool(b.ForceIsAbsolute)
	e.short(b.CollisionGroup, "collision group")
	e.bools(b.Collides.A, b.Collides.B, b.Collides.C, b.Collides.D, b.Collides.Players)
	e.bool(b.ForceZone != nil)
	if z := b.ForceZone; z != nil {
		e.point(z.Force)
		e.bools(z.OnPlayers, z.OnBodies, z.OnArrow)
		e.short(z.Kind, "kind of force zone")
		e.doubles(z.CentreForce)
	}
	e.indexes(b.Fixtures, "fixture of a body")
}

func (e *encoder) spawn(s Spawn) {
	e.point(s.Position)
	e.point(s.Velocity)
	e.short(s.Priority, "priority of a spawn")
	e.bools(s.Red, s.FreeForAll, s.Blue, s.Green, s.Yellow)
	e.text(s.Name, "name of a spawn")
}

func (e *encoder) capZone(z CapZone) {
	e.text(z.Name, "name of a capture zone")
	e.doubles(z.Seconds)
	e.short(z.Fixture, "fixture of a capture zone")
	e.short(int(z.Kind), "kind of capture zone")
}

func (e *encoder) joint(joint Joint) {
	if joint == nil {
		e.err = errors.New("bonkmap: a joint is nil")
		return
	}
	e.short(joint.jointKind(), "kind of joint")
	switch j := joint.(type) {
	case Revolute:
		e.doubles(j.LowerAngle, j.UpperAngle, j.MotorTorque, j.MotorSpeed)
		e.bools(j.LimitOn, j.MotorOn)
		e.point(j.Anchor)
		e.link(j.Link)
	case Distance:
		e.doubles(j.Frequency, j.Damping)
		e.point(j.AnchorA)
		e.point(j.AnchorB)
		e.link(j.Link)
	case Path:
		e.doubles(j.Position.X, j.Position.Y, j.Angle, j.Force, j.Lower, j.Upper, j.Length, j.MotorSpeed)
		e.link(j.Link)
	case Spring:
		e.doubles(j.Position.X, j.Position.Y, j.Force, j.Length)
		e.link(j.Link)
	case Gear:
		e.text(j.Name, "name of a gear")
		e.short(j.JointA, "joint of a gear")
		e.short(j.JointB, "joint of a gear")
		e.doubles(j.Ratio)
	}
}

func (e *encoder) link(l Link) {
	e.short(l.BodyA, "body of a joint")
	e.short(l.BodyB, "body of a joint")
	e.bool(l.BodiesCollide)
	e.doubles(l.BreakForce)
	e.bool(l.DrawLine)
}
