package bonkmap

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

func (Box) shapeKind() int     { return kindBox }
func (Circle) shapeKind() int  { return kindCircle }
func (Polygon) shapeKind() int { return kindPolygon }

func (Revolute) jointKind() int { return kindRevolute }
func (Distance) jointKind() int { return kindDistance }
func (Path) jointKind() int     { return kindPath }
func (Spring) jointKind() int   { return kindSpring }
func (Gear) jointKind() int     { return kindGear }
