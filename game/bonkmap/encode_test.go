package bonkmap_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/lzstring"
)

func TestEncode_round_trip(t *testing.T) {
	for name, m := range map[string]*bonkmap.Map{
		"with one of everything": workshop(),
		"empty":                  {Version: bonkmap.Version},
	} {
		t.Run(name, func(t *testing.T) {
			encoded := encode(t, m)
			if diff := cmp.Diff(m, decode(t, encoded)); diff != "" {
				t.Errorf("the map changed (-before +after):\n%s", diff)
			}
			if again := encode(t, decode(t, encoded)); again != encoded {
				t.Error("encoding what was decoded gives another string")
			}
		})
	}
}

func TestEncode_refuses_what_Decode_refuses(t *testing.T) {
	cases := []struct {
		name, message string
		spoil         func(*bonkmap.Map)
	}{
		{"a fixture without its shape", "fixture 0, shape: the index 3 is out of range",
			func(m *bonkmap.Map) { m.Fixtures[0].Shape = 3 }},
		{"a negative shape", "the index -1 is out of range", func(m *bonkmap.Map) { m.Fixtures[0].Shape = -1 }},
		{"a body without its fixture", "body 1, fixture: the index 9",
			func(m *bonkmap.Map) { m.Bodies[1].Fixtures[0] = 9 }},
		{"a zone without its fixture", "capture zone 0, fixture: the index 3",
			func(m *bonkmap.Map) { m.CapZones[0].Fixture = 3 }},
		{"a joint without its body", "joint 3, body a: the index -2", func(m *bonkmap.Map) {
			spring := m.Joints[3].(bonkmap.Spring)
			spring.BodyA = -2
			m.Joints[3] = spring
		}},
		{"a gear without its joint", "joint 5, joint b: the index 6",
			func(m *bonkmap.Map) { m.Joints[5] = bonkmap.Gear{JointA: 0, JointB: 6} }},
		{"a drawn body that is not there", "drawn body 1, index: the index 7",
			func(m *bonkmap.Map) { m.DrawOrder[1] = 7 }},
		{"a place that is no number", "body 0, position: not a finite number",
			func(m *bonkmap.Map) { m.Bodies[0].Position.X = math.NaN() }},
		{"an endless shape", "shape 0, width: not a finite number",
			func(m *bonkmap.Map) { m.Shapes[0] = bonkmap.Box{Width: math.Inf(1)} }},
		{"a grid that is no number", "grid size: not a finite number",
			func(m *bonkmap.Map) { m.Settings.EditorGridPixels = float32(math.Inf(-1)) }},
		{"a body of no kind", `body 2, kind: "x" is not a kind of body`,
			func(m *bonkmap.Map) { m.Bodies[2].Kind = "x" }},
		{"a name that is not text", "name: not UTF-8 text", func(m *bonkmap.Map) { m.Name = "\xff" }},
		{"a name with a NUL", "author: not UTF-8 text", func(m *bonkmap.Map) { m.Author = "cloud\x00step" }},
		{"a name too long for its field", "is not between 0 and 65535", func(m *bonkmap.Map) {
			m.Name = strings.Repeat("x",
				1<<16)
		}},
		{"a number too large for its field", "pixels per metre: 32768 is not between",
			func(m *bonkmap.Map) { m.PixelsPerMetre = 1 << 15 }},
		{"an id too large for its field", "map id: 2147483648 is not between", func(m *bonkmap.Map) { m.ID = 1 << 31 }},
		{"a missing shape", "shape 0, kind: 0 is not a kind of shape", func(m *bonkmap.Map) { m.Shapes[0] = nil }},
		{"a missing joint", "joint 0, kind: 0 is not a kind of joint", func(m *bonkmap.Map) { m.Joints[0] = nil }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := workshop()
			c.spoil(m)
			encoded, err := bonkmap.Encode(m)
			if err == nil || encoded != "" || !strings.Contains(err.Error(), c.message) {
				t.Errorf("error is %v, want one with %q", err, c.message)
			}
		})
	}
}

func TestEncode_more_than_8_MiB(t *testing.T) {
	m := &bonkmap.Map{}
	m.Contributors = make([]string, 100)
	for i := range m.Contributors {
		m.Contributors[i] = strings.Repeat("x", math.MaxUint16)
	}
	if _, err := bonkmap.Encode(m); !errors.Is(err, bonkmap.ErrTooLarge) {
		t.Errorf("error is %v, want ErrTooLarge", err)
	}
}

func BenchmarkDecode(b *testing.B) {
	// A long course: its string has about 15 KB, as a big real map's has.
	m := workshop()
	for i := range 205 {
		shape := bonkmap.Box{Width: float64(40 + i*7%90), Height: 12, Centre: bonkmap.Point{Y: float64(i)},
			Angle: 0.01 * float64(i)}
		m.Shapes = append(m.Shapes, shape)
		m.Fixtures = append(m.Fixtures, bonkmap.Fixture{Shape: len(m.Shapes) - 1, Name: "platform", Friction: 0.3,
			Colour: uint32(i * 7919)})
		m.Bodies = append(m.Bodies, bonkmap.Body{
			Kind: bonkmap.Static, Name: "Platform",
			Position: bonkmap.Point{X: 37.5 * float64(i), Y: math.Sqrt(float64(i))},
			Friction: 0.3, Restitution: 0.8, Density: 0.3, Fixtures: []int{len(m.Fixtures) - 1},
		})
	}
	encoded := encode(b, m)
	b.SetBytes(int64(len(encoded)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := bonkmap.Decode(encoded); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(encoded)), "chars")
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(f, workshop()))
	f.Add(encode(f, &bonkmap.Map{}))
	f.Add(lzstring.Compress("AA8="))
	f.Add(lzstring.Compress("AAEAAAAA"))
	f.Add("")
	f.Fuzz(func(t *testing.T, encoded string) {
		m, err := bonkmap.Decode(encoded)
		if err != nil {
			return
		}
		bonkmap.CheckRoundTrip(t, m, decode(t, encode(t, m)))
	})
}
