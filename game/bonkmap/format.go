package bonkmap

import "fmt"

// The smallest sizes in bytes, in the oldest version.
const (
	minShape   = 2 + 25
	minFixture = 2 + 2 + 8 + 2 + 8 + 8 + 4 + 1 + 1
	minBody    = 2 + 2 + 24 + 8 + 1 + 16 + 24 + 16 + 2 + 24 + 1 + 2 + 4 + 2
	minSpawn   = 32 + 2 + 5 + 2
	minCapZone = 2 + 8 + 2
	minJoint   = 2 + 2 + 2 + 2 + 8 // a gear
)

// The numbers of the kinds in the format.
const (
	kindBox = iota + 1
	kindCircle
	kindPolygon
)

const (
	kindRevolute = iota + 1
	kindDistance
	kindPath
	kindSpring
	kindGear
)

// settings codes the version and the settings. Fields that older versions lack get the game's
// defaults.
func (c *codec) settings(s *Settings) {
	c.version = Version
	short(c, &c.version, "version")
	if c.version < 1 || c.version > Version {
		c.failAt(0, "version", fmt.Errorf("%d is not between 1 and %d", c.version, Version))
		return
	}
	c.bool(&s.RespawnOnDeath, "respawn on death")
	c.bool(&s.PlayersDontMeet, "players don't collide")
	if c.since(3) {
		short(c, &s.PhysicsQuality, "physics quality")
	} else {
		s.PhysicsQuality = 1
	}
	switch {
	case c.since(13):
		c.float(cosmetic(c, &s.EditorGridPixels), "grid size")
	case c.since(4):
		pixels := 0
		short(c, &pixels, "grid size")
		s.EditorGridPixels = float32(pixels)
	default:
		s.EditorGridPixels = 25
	}
	if c.since(9) {
		c.bool(&s.PlayersCanFly, "players can fly")
	}
}

// facts codes the fields about the map that do not affect physics, and the mode.
func (c *codec) facts(m *Map) {
	text(c, &m.RemixOf.Name, "name of the original")
	text(c, &m.RemixOf.Author, "author of the original")
	c.uint(&m.RemixOf.ID, "id of the original")
	short(c, &m.RemixOf.DatabaseVersion, "database version of the original")
	text(c, &m.Name, "name")
	text(c, &m.Author, "author")
	if c.since(10) {
		c.uint(&m.VotesUp, "votes up")
		c.uint(&m.VotesDown, "votes down")
	}
	if c.since(4) {
		things(c, &m.Contributors, 2, "contributor", func(name *string) { text(c, name, "name") })
	}
	if c.since(5) {
		text(c, &m.Mode, "mode")
		c.int(&m.ID, "map id")
	} else {
		m.ID = -1
	}
	if c.since(7) {
		c.bool(&m.Published, "published")
	}
	if c.since(8) {
		c.int(&m.DatabaseVersion, "database version")
	} else {
		m.DatabaseVersion = 2
	}
}

// physics codes everything from the scale to the joints.
func (c *codec) physics(m *Map) {
	short(c, &m.PixelsPerMetre, "pixels per metre")
	order := cosmetic(c, &m.DrawOrder)
	orderAt := c.at + 2
	things(c, order, 2, "drawn body", func(body *int) { short(c, body, "index") })
	things(c, &m.Shapes, minShape, "shape", c.shape)
	things(c, &m.Fixtures, minFixture, "fixture", func(f *Fixture) { c.fixture(m, f) })
	things(c, &m.Bodies, minBody, "body", func(b *Body) { c.body(m, b) })
	things(c, &m.Spawns, minSpawn, "spawn", c.spawn)
	things(c, &m.CapZones, minCapZone, "capture zone", func(z *CapZone) { c.capZone(m, z) })
	things(c, &m.Joints, minJoint, "joint", func(j *Joint) { c.joint(m, j) })
	for i, body := range *order { // bodies come after their order
		if body < 0 || body >= len(m.Bodies) {
			c.thing, c.index = "drawn body", i
			c.failAt(orderAt+2*i, "index", noSuch(body, len(m.Bodies)))
		}
	}
}

func (c *codec) shape(shape *Shape) {
	at, kind := c.at, 0
	if *shape != nil {
		kind = (*shape).shapeKind()
	}
	short(c, &kind, "kind")
	switch kind {
	case kindBox:
		variant(c, shape, func(b *Box) {
			c.double(&b.Width, "width")
			c.double(&b.Height, "height")
			c.point(&b.Centre, "centre")
			c.double(&b.Angle, "angle")
			c.bool(&b.Shrinks, "shrinks")
		})
	case kindCircle:
		variant(c, shape, func(b *Circle) {
			c.double(&b.Radius, "radius")
			c.point(&b.Centre, "centre")
			c.bool(&b.Shrinks, "shrinks")
		})
	case kindPolygon:
		variant(c, shape, func(p *Polygon) {
			c.double(&p.Scale, "scale")
			c.double(&p.Angle, "angle")
			c.point(&p.Centre, "centre")
			list(c, &p.Vertices, 16, "vertex", func(_ int, vertex *Point) { c.point(vertex, "vertex") })
		})
	default:
		c.failAt(at, "kind", fmt.Errorf("%d is not a kind of shape", kind))
	}
}

func (c *codec) fixture(m *Map, f *Fixture) {
	c.indexOf(&f.Shape, 0, len(m.Shapes), "shape")
	text(c, cosmetic(c, &f.Name), "name")
	c.double(&f.Friction, "friction")
	short(c, &f.FrictionPlayers, "friction on players")
	c.double(&f.Restitution, "restitution")
	c.double(&f.Density, "density")
	c.uint(cosmetic(c, &f.Colour), "colour")
	c.bool(&f.Deadly, "deadly")
	c.bool(&f.NoPhysics, "no physics")
	if c.since(11) {
		c.bool(&f.NoGrapple, "no grapple")
	}
	if c.since(12) {
		c.bool(&f.InnerGrapple, "inner grapple")
	}
}

func (c *codec) body(m *Map, b *Body) {
	at := c.at
	text(c, &b.Kind, "kind")
	if b.Kind != Static && b.Kind != Dynamic && b.Kind != Kinematic {
		c.failAt(at, "kind", fmt.Errorf("%.20q is not a kind of body", b.Kind))
	}
	text(c, cosmetic(c, &b.Name), "name")
	c.point(&b.Position, "position")
	c.double(&b.Angle, "angle")
	c.double(&b.Friction, "friction")
	c.bool(&b.FrictionPlayers, "friction on players")
	c.double(&b.Restitution, "restitution")
	c.double(&b.Density, "density")
	c.point(&b.Velocity, "velocity")
	c.double(&b.AngularVelocity, "angular velocity")
	c.double(&b.LinearDamping, "linear damping")
	c.double(&b.AngularDamping, "angular damping")
	c.bool(&b.FixedRotation, "fixed rotation")
	c.bool(&b.AntiTunnel, "anti-tunnel")
	c.point(&b.Force, "force")
	c.double(&b.Torque, "torque")
	c.bool(&b.ForceIsAbsolute, "force is absolute")
	short(c, &b.CollisionGroup, "collision group")
	c.bool(&b.Collides.A, "collides with A")
	c.bool(&b.Collides.B, "collides with B")
	c.bool(&b.Collides.C, "collides with C")
	c.bool(&b.Collides.D, "collides with D")
	if c.since(2) {
		c.bool(&b.Collides.Players, "collides with players")
	} else {
		b.Collides.Players = true
	}
	if c.since(14) {
		c.forceZone(b)
	}
	list(c, &b.Fixtures, 2, "fixture", func(_ int, fixture *int) {
		c.indexOf(fixture, 0, len(m.Fixtures), "fixture")
	})
}

func (c *codec) forceZone(b *Body) {
	given := b.ForceZone != nil
	c.bool(&given, "force zone")
	if !given {
		return
	}
	if !c.writing {
		b.ForceZone = &ForceZone{}
	}
	z := b.ForceZone
	c.point(&z.Force, "force of the zone")
	c.bool(&z.OnPlayers, "zone acts on players")
	c.bool(&z.OnBodies, "zone acts on bodies")
	c.bool(&z.OnArrow, "zone acts on arrows")
	if c.since(15) {
		short(c, &z.Kind, "kind of zone")
		c.double(&z.CentreForce, "centre force of the zone")
	}
}

func (c *codec) spawn(s *Spawn) {
	c.point(&s.Position, "position")
	c.point(&s.Velocity, "velocity")
	short(c, &s.Priority, "priority")
	c.bool(&s.Red, "red")
	c.bool(&s.FreeForAll, "free for all")
	c.bool(&s.Blue, "blue")
	c.bool(&s.Green, "green")
	c.bool(&s.Yellow, "yellow")
	text(c, cosmetic(c, &s.Name), "name")
}

func (c *codec) capZone(m *Map, z *CapZone) {
	text(c, cosmetic(c, &z.Name), "name")
	c.double(&z.Seconds, "seconds")
	c.indexOf(&z.Fixture, None, len(m.Fixtures), "fixture")
	if c.since(6) {
		short(c, &z.Kind, "kind")
	} else {
		z.Kind = CapNormal
	}
}

func (c *codec) joint(m *Map, joint *Joint) {
	at, kind := c.at, 0
	if *joint != nil {
		kind = (*joint).jointKind()
	}
	short(c, &kind, "kind")
	switch kind {
	case kindRevolute:
		variant(c, joint, func(j *Revolute) {
			c.double(&j.LowerAngle, "lower angle")
			c.double(&j.UpperAngle, "upper angle")
			c.double(&j.MotorTorque, "motor torque")
			c.double(&j.MotorSpeed, "motor speed")
			c.bool(&j.LimitOn, "limit")
			c.bool(&j.MotorOn, "motor")
			c.point(&j.Anchor, "anchor")
			c.link(m, &j.Link)
		})
	case kindDistance:
		variant(c, joint, func(j *Distance) {
			c.double(&j.Frequency, "frequency")
			c.double(&j.Damping, "damping")
			c.point(&j.AnchorA, "anchor a")
			c.point(&j.AnchorB, "anchor b")
			c.link(m, &j.Link)
		})
	case kindPath:
		variant(c, joint, func(j *Path) {
			c.point(&j.Position, "position")
			c.double(&j.Angle, "angle")
			c.double(&j.Force, "force")
			c.double(&j.Lower, "lower end")
			c.double(&j.Upper, "upper end")
			c.double(&j.Length, "length")
			c.double(&j.MotorSpeed, "motor speed")
			c.link(m, &j.Link)
		})
	case kindSpring:
		variant(c, joint, func(j *Spring) {
			c.point(&j.Position, "position")
			c.double(&j.Force, "force")
			c.double(&j.Length, "length")
			c.link(m, &j.Link)
		})
	case kindGear:
		variant(c, joint, func(j *Gear) {
			text(c, cosmetic(c, &j.Name), "name")
			c.indexOf(&j.JointA, None, len(m.Joints), "joint a")
			c.indexOf(&j.JointB, None, len(m.Joints), "joint b")
			c.double(&j.Ratio, "ratio")
		})
	default:
		c.failAt(at, "kind", fmt.Errorf("%d is not a kind of joint", kind))
	}
}

func (c *codec) link(m *Map, l *Link) {
	c.indexOf(&l.BodyA, None, len(m.Bodies), "body a")
	c.indexOf(&l.BodyB, None, len(m.Bodies), "body b")
	c.bool(&l.BodiesCollide, "bodies collide")
	c.double(&l.BreakForce, "break force")
	c.bool(cosmetic(c, &l.DrawLine), "line drawn")
}
