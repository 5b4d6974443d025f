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

// reader reads big-endian values from bytes. After the first error it returns zero values and
// stores that error, so that callers check once.
type reader struct {
	data []byte
	at   int
	err  *Error

	// thing and index are the position in the map, for messages: "fixture" 3.
	thing string
	index int
}

// inThing sets the thing to which the next fields belong. An index of None is not shown.
func (r *reader) inThing(name string, index int) { r.thing, r.index = name, index }

func (r *reader) failAt(offset int, field string, err error) {
	if r.err != nil {
		return
	}
	switch {
	case r.thing == "":
	case r.index == None:
		field = r.thing + ", " + field
	default:
		field = fmt.Sprintf("%s %d, %s", r.thing, r.index, field)
	}
	r.err = &Error{Layer: LayerBytes, Offset: offset, Field: field, Err: err}
}

func (r *reader) left() int { return len(r.data) - r.at }

var zeros [8]byte

// take returns the next bytes, or zeros if there are too few.
func (r *reader) take(size int, field string) []byte {
	if r.err == nil && r.left() < size {
		r.failAt(r.at, field, errEnd)
	}
	if r.err != nil {
		return zeros[:size]
	}
	r.at += size
	return r.data[r.at-size : r.at]
}

func (r *reader) bool(field string) bool { return r.take(1, field)[0] == 1 }

func (r *reader) short(field string) int {
	return int(int16(binary.BigEndian.Uint16(r.take(2, field))))
}

func (r *reader) int(field string) int {
	return int(int32(binary.BigEndian.Uint32(r.take(4, field))))
}

func (r *reader) uint(field string) uint32 {
	return binary.BigEndian.Uint32(r.take(4, field))
}

func (r *reader) float(field string) float32 {
	value := math.Float32frombits(binary.BigEndian.Uint32(r.take(4, field)))
	r.mustBeFinite(float64(value), 4, field)
	return value
}

func (r *reader) double(field string) float64 {
	value := math.Float64frombits(binary.BigEndian.Uint64(r.take(8, field)))
	r.mustBeFinite(value, 8, field)
	return value
}

func (r *reader) mustBeFinite(value float64, size int, field string) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		r.failAt(r.at-size, field, errNotFinite)
	}
}

func (r *reader) point(field string) Point {
	return Point{X: r.double(field), Y: r.double(field)}
}

// text reads an unsigned length and that many bytes. It refuses a NUL, which no name has and
// databases do not store.
func (r *reader) text(field string) string {
	size := int(binary.BigEndian.Uint16(r.take(2, field)))
	if r.err == nil && r.left() < size {
		r.failAt(r.at-2, field, fmt.Errorf("%d bytes of text are announced and %d are left", size, r.left()))
	}
	if r.err != nil {
		return ""
	}
	value := string(r.data[r.at : r.at+size])
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		r.failAt(r.at, field, errNotText)
	}
	r.at += size
	return value
}

// count reads the number of the following things, each of which has at least size bytes.
func (r *reader) count(size int, field string) int {
	count := r.short(field)
	switch {
	case r.err != nil:
	case count < 0:
		r.failAt(r.at-2, field, fmt.Errorf("the count is negative (%d)", count))
	case count > r.left()/size:
		r.failAt(r.at-2, field, fmt.Errorf("%d are announced and %d bytes are left", count, r.left()))
	}
	if r.err != nil {
		return 0
	}
	return count
}

// indexOf reads an index into a list of the given length.
func (r *reader) indexOf(length int, field string) int {
	index := r.short(field)
	if r.err == nil && (index < 0 || index >= length) {
		r.failAt(r.at-2, field, noSuch(index, length))
	}
	return index
}

// indexOrNone is indexOf, but also accepts None.
func (r *reader) indexOrNone(length int, field string) int {
	index := r.short(field)
	if r.err == nil && (index < None || index >= length) {
		r.failAt(r.at-2, field, noSuch(index, length))
	}
	return index
}

func noSuch(index, length int) error {
	return fmt.Errorf("the index %d points nowhere (there are %d)", index, length)
}

// list reads a count and that many things. It stops at the first error.
func list[T any](r *reader, size int, thing string, read func(index int) T) []T {
	r.inThing("", None)
	count := r.count(size, thing+" count")
	if count == 0 {
		return nil
	}
	things := make([]T, 0, count)
	for i := 0; i < count && r.err == nil; i++ {
		r.inThing(thing, i)
		things = append(things, read(i))
	}
	return things
}
