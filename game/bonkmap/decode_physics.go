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

// physics reads everything from the scale to the joints.
func (d *decoder) physics() {
	m := &d.m
	m.PixelsPerMetre = d.short("pixels per metre")

	orderAt := d.at + 2
	m.DrawOrder = list(&d.reader, 2, "drawn body", func(int) int { return d.short("index") })
	m.Shapes = list(&d.reader, minShape, "shape", func(int) Shape { return d.shape() })
	m.Fixtures = list(&d.reader, minFixture, "fixture", func(int) Fixture { return d.fixture() })
	m.Bodies = list(&d.reader, minBody, "body", func(int) Body { return d.body() })
	m.Spawns = list(&d.reader, minSpawn, "spawn", func(int) Spawn { return d.spawn() })
	m.CapZones = list(&d.reader, minCapZone, "capture zone", func(int) CapZone { return d.capZone() })
	var gears []gearPlace
	m.Joints = list(&d.reader, minJoint, "joint", func(i int) Joint {
		at := d.at
		joint := d.joint()
		if gear, ok := joint.(Gear); ok {
			gears = append(gears, gearPlace{gear, i, at})
		}
		return joint
	})
	d.checkForwardIndexes(orderAt, gears)
}

type gearPlace struct {
	gear          Gear
	index, offset int
}

// checkForwardIndexes checks the indexes that refer to things later in the data.
func (d *decoder) checkForwardIndexes(orderAt int, gears []gearPlace) {
	for i, body := range d.m.DrawOrder {
		if body < 0 || body >= len(d.m.Bodies) {
			d.inThing("drawn body", i)
			d.failAt(orderAt+2*i, "index", noSuch(body, len(d.m.Bodies)))
			return
		}
	}
	for _, g := range gears {
		for _, joint := range []int{g.gear.JointA, g.gear.JointB} {
			if joint < None || joint >= len(d.m.Joints) {
				d.inThing("joint", g.index)
				d.failAt(g.offset, "gear", noSuch(joint, len(d.m.Joints)))
				return
			}
		}
	}
}

func (d *decoder) shape() Shape {
	at := d.at
	switch kind := d.short("kind"); kind {
	case kindBox:
		return Box{
			Width: d.double("width"), Height: d.double("height"), Centre: d.point("centre"),
			Angle: d.double("angle"), Shrinks: d.bool("shrinks"),
		}
	case kindCircle:
		return Circle{Radius: d.double("radius"), Centre: d.point("centre"), Shrinks: d.bool("shrinks")}
	case kindPolygon:
		return d.polygon()
	default:
		d.failAt(at, "kind", fmt.Errorf("%d is not a kind of shape", kind))
		return nil
	}
}

func (d *decoder) polygon() Polygon {
	p := Polygon{Scale: d.double("scale"), Angle: d.double("angle"), Centre: d.point("centre")}
	count := d.count(16, "vertex count")
	if count > 0 {
		p.Vertices = make([]Point, count)
	}
	for i := range p.Vertices {
		p.Vertices[i] = d.point("vertex")
	}
	return p
}

func (d *decoder) fixture() Fixture {
	f := Fixture{
		Shape:           d.indexOf(len(d.m.Shapes), "shape"),
		Name:            d.text("name"),
		Friction:        d.double("friction"),
		FrictionPlayers: FrictionPlayers(d.short("friction on players")),
		Restitution:     d.double("restitution"),
		Density:         d.double("density"),
		Colour:          d.uint("colour"),
		Deadly:          d.bool("deadly"),
		NoPhysics:       d.bool("no physics"),
	}
	if d.since(11) {
		f.NoGrapple = d.bool("no grapple")
	}
	if d.since(12) {
		f.InnerGrapple = d.bool("inner grapple")
	}
	return f
}

func (d *decoder) body() Body {
	b := Body{
		Kind:            d.bodyKind(),
		Name:            d.text("name"),
		Position:        d.point("position"),
		Angle:           d.double("angle"),
		Friction:        d.double("friction"),
		FrictionPlayers: d.bool("friction on players"),
		Restitution:     d.double("restitution"),
		Density:         d.double("density"),
		Velocity:        d.point("velocity"),
		AngularVelocity: d.double("angular velocity"),
		LinearDamping:   d.double("linear damping"),
		AngularDamping:  d.double("angular damping"),
		FixedRotation:   d.bool("fixed rotation"),
		AntiTunnel:      d.bool("anti-tunnel"),
		Force:           d.point("force"),
		Torque:          d.double("torque"),
		ForceIsAbsolute: d.bool("force is absolute"),
		CollisionGroup:  d.short("collision group"),
		Collides: Collisions{
			A: d.bool("collides with A"), B: d.bool("collides with B"),
			C: d.bool("collides with C"), D: d.bool("collides with D"), Players: true,
		},
	}
	if d.since(2) {
		b.Collides.Players = d.bool("collides with players")
	}
	if d.since(14) && d.bool("force zone") {
		b.ForceZone = d.forceZone()
	}
	count := d.count(2, "fixture count")
	if count > 0 {
		b.Fixtures = make([]int, count)
	}
	for i := range b.Fixtures {
		b.Fixtures[i] = d.indexOf(len(d.m.Fixtures), "fixture")
	}
	return b
}

func (d *decoder) bodyKind() BodyKind {
	at := d.at
	kind := BodyKind(d.text("kind"))
	if kind != Static && kind != Dynamic && kind != Kinematic {
		d.failAt(at, "kind", fmt.Errorf("%.20q is not a kind of body", kind))
	}
	return kind
}

func (d *decoder) forceZone() *ForceZone {
	z := &ForceZone{
		Force:     d.point("force of the zone"),
		OnPlayers: d.bool("zone acts on players"),
		OnBodies:  d.bool("zone acts on bodies"),
		OnArrow:   d.bool("zone acts on arrows"),
	}
	if d.since(15) {
		z.Kind = d.short("kind of zone")
		z.CentreForce = d.double("centre force of the zone")
	}
	return z
}

func (d *decoder) spawn() Spawn {
	return Spawn{
		Position:   d.point("position"),
		Velocity:   d.point("velocity"),
		Priority:   d.short("priority"),
		Red:        d.bool("red"),
		FreeForAll: d.bool("free for all"),
		Blue:       d.bool("blue"),
		Green:      d.bool("green"),
		Yellow:     d.bool("yellow"),
		Name:       d.text("name"),
	}
}

func (d *decoder) capZone() CapZone {
	z := CapZone{
		Name:    d.text("name"),
		Seconds: d.double("seconds"),
		Fixture: d.indexOrNone(len(d.m.Fixtures), "fixture"),
		Kind:    CapNormal,
	}
	if d.since(6) {
		z.Kind = CapZoneKind(d.short("kind"))
	}
	return z
}

func (d *decoder) joint() Joint {
	at := d.at
	switch kind := d.short("kind"); kind {
	case kindRevolute:
		return Revolute{
			LowerAngle: d.double("lower angle"), UpperAngle: d.double("upper angle"),
			MotorTorque: d.double("motor torque"), MotorSpeed: d.double("motor speed"),
			LimitOn: d.bool("limit"), MotorOn: d.bool("motor"), Anchor: d.point("anchor"), Link: d.link(),
		}
	case kindDistance:
		return Distance{
			Frequency: d.double("frequency"), Damping: d.double("damping"),
			AnchorA: d.point("anchor a"), AnchorB: d.point("anchor b"), Link: d.link(),
		}
	case kindPath:
		return Path{
			Position: d.point("position"), Angle: d.double("angle"), Force: d.double("force"),
			Lower: d.double("lower end"), Upper: d.double("upper end"), Length: d.double("length"),
			MotorSpeed: d.double("motor speed"), Link: d.link(),
		}
	case kindSpring:
		return Spring{
			Position: d.point("position"), Force: d.double("force"), Length: d.double("length"), Link: d.link(),
		}
	case kindGear:
		return Gear{
			Name: d.text("name"), JointA: d.short("joint a"), JointB: d.short("joint b"), Ratio: d.double("ratio"),
		}
	default:
		d.failAt(at, "kind", fmt.Errorf("%d is not a kind of joint", kind))
		return nil
	}
}

func (d *decoder) link() Link {
	return Link{
		BodyA: d.indexOrNone(len(d.m.Bodies), "body a"), BodyB: d.indexOrNone(len(d.m.Bodies), "body b"),
		BodiesCollide: d.bool("bodies collide"), BreakForce: d.double("break force"), DrawLine: d.bool("line drawn"),
	}
}
