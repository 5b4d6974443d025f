package bonkmap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

var (
	errEnd       = errors.New("the data ends here")
	errNotFinite = errors.New("not a finite number")
	errNotText   = errors.New("not UTF-8 text")
)

// codec reads or writes big-endian values, so that the format is described once. Each method gets
// a pointer: a codec that reads sets the value, a codec that writes appends it to the data. The
// first error is stored. After it a codec reads zero values, so that callers check once.
type codec struct {
	data    []byte
	at      int // the offset of the next value
	writing bool
	err     *Error
	version int // of the format

	// canonical writes zero values for fields that do not affect physics, and no negative zeros.
	canonical bool

	// thing and index are the position in the map, for errors: "fixture" 3.
	thing string
	index int
}

// cosmetic returns a field that does not affect physics, or a zero value in its place.
func cosmetic[T any](c *codec, value *T) *T {
	if c.canonical {
		return new(T)
	}
	return value
}

func (c *codec) since(version int) bool { return c.version >= version }

func (c *codec) failAt(offset int, field string, err error) {
	if c.err != nil {
		return
	}
	if c.thing != "" {
		field = fmt.Sprintf("%s %d, %s", c.thing, c.index, field)
	}
	c.err = &Error{Layer: LayerBytes, Offset: offset, Field: field, Err: err}
}

var zeros [8]byte

// take returns the next 8 or fewer bytes to read, zeros if there are too few, or new bytes to
// write.
func (c *codec) take(size int, field string) []byte {
	if c.writing {
		c.data = append(c.data, zeros[:size]...)
	}
	if c.err == nil && len(c.data)-c.at < size {
		c.failAt(c.at, field, errEnd)
	}
	if c.err != nil && !c.writing {
		return zeros[:size]
	}
	c.at += size
	return c.data[c.at-size : c.at]
}

func (c *codec) bool(value *bool, field string) {
	b := c.take(1, field)
	if !c.writing {
		*value = b[0] == 1
	} else if *value {
		b[0] = 1
	}
}

// short is a signed number of 16 bits.
func short[T ~int](c *codec, value *T, field string) {
	c.mustFit(int(*value), math.MinInt16, math.MaxInt16, field)
	b := c.take(2, field)
	if c.writing {
		binary.BigEndian.PutUint16(b, uint16(*value))
	} else {
		*value = T(int16(binary.BigEndian.Uint16(b)))
	}
}

// int is a signed number of 32 bits.
func (c *codec) int(value *int, field string) {
	c.mustFit(*value, math.MinInt32, math.MaxInt32, field)
	bits := uint32(*value)
	c.uint(&bits, field)
	if !c.writing {
		*value = int(int32(bits))
	}
}

// mustFit refuses to write a number that is too large for its field.
func (c *codec) mustFit(value, lowest, highest int, field string) {
	if c.writing && (value < lowest || value > highest) {
		c.failAt(c.at, field, fmt.Errorf("%d is not between %d and %d", value, lowest, highest))
	}
}

func (c *codec) uint(value *uint32, field string) {
	b := c.take(4, field)
	if c.writing {
		binary.BigEndian.PutUint32(b, *value)
	} else {
		*value = binary.BigEndian.Uint32(b)
	}
}

func (c *codec) float(value *float32, field string) {
	bits := math.Float32bits(*value)
	c.uint(&bits, field)
	if !c.writing {
		*value = math.Float32frombits(bits)
	}
	c.mustBeFinite(float64(*value), 4, field)
}

func (c *codec) double(value *float64, field string) {
	b := c.take(8, field)
	switch {
	case !c.writing:
		*value = math.Float64frombits(binary.BigEndian.Uint64(b))
	case c.canonical && *value == 0: // the new bytes are those of positive zero
	default:
		binary.BigEndian.PutUint64(b, math.Float64bits(*value))
	}
	c.mustBeFinite(*value, 8, field)
}

func (c *codec) mustBeFinite(value float64, size int, field string) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		c.failAt(c.at-size, field, errNotFinite)
	}
}

func (c *codec) point(value *Point, field string) {
	c.double(&value.X, field)
	c.double(&value.Y, field)
}

// text is an unsigned length of 16 bits and that many bytes of UTF-8. It refuses a NUL, which no
// name has and databases do not store.
func text[T ~string](c *codec, value *T, field string) {
	c.mustFit(len(*value), 0, math.MaxUint16, field+" in bytes")
	length := c.take(2, field)
	start := c.at
	if c.writing {
		binary.BigEndian.PutUint16(length, uint16(len(*value)))
		c.data = append(c.data, *value...)
		c.at = len(c.data)
	} else {
		size := int(binary.BigEndian.Uint16(length))
		if left := len(c.data) - start; left < size {
			c.failAt(start-2, field, fmt.Errorf("%d bytes of text are announced and %d are left", size, left))
		}
		if c.err != nil {
			return
		}
		c.at += size
		*value = T(c.data[start:c.at])
	}
	if !utf8.ValidString(string(*value)) || strings.ContainsRune(string(*value), 0) {
		c.failAt(start, field, errNotText)
	}
}

// indexOf is an index from lowest, 0 or None, to below length.
func (c *codec) indexOf(value *int, lowest, length int, field string) {
	short(c, value, field)
	if *value < lowest || *value >= length {
		c.failAt(c.at-2, field, noSuch(*value, length))
	}
}

func noSuch(index, length int) error {
	return fmt.Errorf("the index %d is out of range (there are %d)", index, length)
}

// list is a count and that many values, each of which has at least size bytes.
func list[T any](c *codec, values *[]T, size int, name string, each func(index int, value *T)) {
	count := len(*values)
	short(c, &count, name+" count")
	if !c.writing {
		switch left := len(c.data) - c.at; {
		case count < 0:
			c.failAt(c.at-2, name+" count", fmt.Errorf("the count is negative (%d)", count))
		case count > left/size:
			c.failAt(c.at-2, name+" count", fmt.Errorf("%d are announced and %d bytes are left", count, left))
		case count > 0:
			*values = make([]T, count)
		}
	}
	for i := range *values {
		if c.err != nil && !c.writing {
			return
		}
		each(i, &(*values)[i])
	}
}

// things is a list of things that errors name.
func things[T any](c *codec, values *[]T, size int, thing string, each func(value *T)) {
	c.thing = ""
	list(c, values, size, thing, func(i int, value *T) {
		c.thing, c.index = thing, i
		each(value)
	})
	c.thing = ""
}

// variant is a value of a type T that the interface type I can have.
func variant[I, T any](c *codec, value *I, fields func(*T)) {
	concrete, _ := any(*value).(T)
	fields(&concrete)
	if !c.writing {
		*value, _ = any(concrete).(I)
	}
}
