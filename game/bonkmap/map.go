package bonkmap

import "math"

// Version is the format's version that [Encode] writes, and the newest that [Decode] knows.
const Version = 15

// None is the index of nothing: the body of a joint that is attached to the world, a missing joint
// of a gear, or the fixture of an unattached capture zone.
const None = -1

// Map is a decoded map. Lengths are in the game's pixels, PixelsPerMetre of which are a metre of
// its physics; y grows downwards; angles are in radians, clockwise. The methods expect valid
// indexes, which [Decode] and [Encode] check.
type Map struct {
	Version  int // of the format it was read from
	Settings Settings

	Name, Author    string
	RemixOf         Original
	VotesUp         uint32
	VotesDown       uint32
	Contributors    []string
	Mode            Mode
	ID              int // the game's own number for the map, -1 before it has one
	Published       bool
	DatabaseVersion int

	PixelsPerMetre int
	DrawOrder      []int // bodies, the frontmost first
	Shapes         []Shape
	Fixtures       []Fixture
	Bodies         []Body
	Spawns         []Spawn
	CapZones       []CapZone
	Joints         []Joint
}

// Settings apply to the whole map.
type Settings struct {
	RespawnOnDeath   bool
	PlayersDontMeet  bool // players do not collide with each other
	PlayersCanFly    bool
	PhysicsQuality   int     // 1 simple, 2 complex
	EditorGridPixels float32 // used by the game's editor only
}

// Original is the map that a remix is made from.
type Original struct {
	Name, Author    string
	ID              uint32
	DatabaseVersion int
}

// Point is a position or a vector.
type Point struct{ X, Y float64 }

// Shape is a [Box], a [Circle] or a [Polygon], in the coordinates of its body.
type Shape interface{ shapeKind() int }

// Box is a rectangle, turned about its centre.
type Box struct {
	Width, Height float64
	Centre        Point
	Angle         float64
	Shrinks       bool
}

// Circle is a disc.
type Circle struct {
	Radius  float64
	Centre  Point
	Shrinks bool
}

// Polygon is a closed outline. Its vertices are scaled and turned about the origin, then moved to
// the centre.
type Polygon struct {
	Scale    float64
	Angle    float64
	Centre   Point
	Vertices []Point
}

// Inherit as a fixture's friction, restitution or density means the body's value.
const Inherit = math.MaxFloat64

// Fixture gives a shape a surface.
type Fixture struct {
	Shape           int // index into Map.Shapes
	Name            string
	Friction        float64 // or Inherit
	FrictionPlayers FrictionPlayers
	Restitution     float64 // or Inherit
	Density         float64 // or Inherit
	Colour          uint32  // 0xRRGGBB
	Deadly          bool
	NoPhysics       bool // visible, but does not collide
	NoGrapple       bool
	InnerGrapple    bool
}

// FrictionPlayers is whether a fixture's friction acts on players.
type FrictionPlayers int

// The values of FrictionPlayers.
const (
	FrictionPlayersInherit FrictionPlayers = iota
	FrictionPlayersNo
	FrictionPlayersYes
)

// BodyKind is how a body moves.
type BodyKind string

// The kinds of body.
const (
	Static    BodyKind = "s" // never
	Dynamic   BodyKind = "d" // by forces
	Kinematic BodyKind = "k" // by its own velocity alone
)

// Body is a set of fixtures that move together.
type Body struct {
	Kind            BodyKind
	Name            string
	Position        Point
	Angle           float64
	Friction        float64
	FrictionPlayers bool
	Restitution     float64
	Density         float64
	Velocity        Point
	AngularVelocity float64
	LinearDamping   float64
	AngularDamping  float64
	FixedRotation   bool
	AntiTunnel      bool
	Force           Point
	Torque          float64
	ForceIsAbsolute bool
	CollisionGroup  int
	Collides        Collisions
	ForceZone       *ForceZone // nil where there is none
	Fixtures        []int      // indexes into Map.Fixtures
}

// Collisions is what a body collides with: the groups A to D, and players.
type Collisions struct{ A, B, C, D, Players bool }

// ForceZone pushes bodies that enter its body.
type ForceZone struct {
	Force                        Point
	OnPlayers, OnBodies, OnArrow bool
	Kind                         int
	CentreForce                  float64
}

// Spawn is where players start.
type Spawn struct {
	Name                     string
	Position, Velocity       Point
	Priority                 int
	FreeForAll               bool
	Red, Blue, Green, Yellow bool
}

// CapZoneKind is the effect of a capture zone.
type CapZoneKind int

// The kinds of capture zone.
const (
	CapNormal CapZoneKind = iota + 1
	CapRedWins
	CapBlueWins
	CapGreenWins
	CapYellowWins
)

// CapZone is a fixture that players capture by staying in it.
type CapZone struct {
	Name    string
	Seconds float64
	Fixture int // index into Map.Fixtures, or None
	Kind    CapZoneKind
}

// IsFinish reports whether the zone is a finish of a parkour map. Zones of the other kinds are areas
// with other meanings, such as one without jumping.
func (z CapZone) IsFinish() bool { return z.Kind == CapNormal }

// Joint connects bodies: a [Revolute], [Distance], [Path], [Spring] or [Gear].
type Joint interface{ jointKind() int }

// Link has the fields about the two ends, which every joint but a gear has.
type Link struct {
	BodyA, BodyB  int // indexes into Map.Bodies, or None for the world
	BodiesCollide bool
	BreakForce    float64
	DrawLine      bool
}

// Revolute is a pin around which bodies turn.
type Revolute struct {
	LowerAngle, UpperAngle  float64
	MotorTorque, MotorSpeed float64
	LimitOn, MotorOn        bool
	Anchor                  Point
	Link
}

// Distance is a rod of constant length.
type Distance struct {
	Frequency, Damping float64
	AnchorA, AnchorB   Point
	Link
}

// Path is a rail along which a body slides.
type Path struct {
	Position     Point
	Angle        float64
	Force        float64
	Lower, Upper float64
	Length       float64
	MotorSpeed   float64
	Link
}

// Spring pulls a body to a point.
type Spring struct {
	Position Point
	Force    float64
	Length   float64
	Link
}

// Gear makes two joints turn together.
type Gear struct {
	Name           string
	JointA, JointB int // indexes into Map.Joints, or None
	Ratio          float64
}

func (Box) shapeKind() int     { return kindBox }
func (Circle) shapeKind() int  { return kindCircle }
func (Polygon) shapeKind() int { return kindPolygon }

func (Revolute) jointKind() int { return kindRevolute }
func (Distance) jointKind() int { return kindDistance }
func (Path) jointKind() int     { return kindPath }
func (Spring) jointKind() int   { return kindSpring }
func (Gear) jointKind() int     { return kindGear }
