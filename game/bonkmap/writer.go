package bonkmap

import (
	"encoding/binary"
	"fmt"
	"math"
)

// writer appends big-endian values to bytes and stores the first error: a number or a text that
// does not fit into its field.
type writer struct {
	data []byte
	err  error

	// canonical writes negative zero as zero.
	canonical bool
}

func (w *writer) bool(value bool) {
	b := byte(0)
	if value {
		b = 1
	}
	w.data = append(w.data, b)
}

func (w *writer) bools(values ...bool) {
	for _, value := range values {
		w.bool(value)
	}
}

func (w *writer) short(value int, field string) {
	w.mustFit(value, math.MinInt16, math.MaxInt16, field)
	w.data = binary.BigEndian.AppendUint16(w.data, uint16(value))
}

func (w *writer) int(value int, field string) {
	w.mustFit(value, math.MinInt32, math.MaxInt32, field)
	w.data = binary.BigEndian.AppendUint32(w.data, uint32(value))
}

func (w *writer) mustFit(value, lowest, highest int, field string) {
	if w.err == nil && (value < lowest || value > highest) {
		w.err = fmt.Errorf("bonkmap: %s: %d is not between %d and %d", field, value, lowest, highest)
	}
}

func (w *writer) uint(value uint32) {
	w.data = binary.BigEndian.AppendUint32(w.data, value)
}

func (w *writer) float(value float32) {
	w.data = binary.BigEndian.AppendUint32(w.data, math.Float32bits(value))
}

func (w *writer) doubles(values ...float64) {
	for _, value := range values {
		if w.canonical && value == 0 {
			value = 0
		}
		w.data = binary.BigEndian.AppendUint64(w.data, math.Float64bits(value))
	}
}

func (w *writer) point(p Point) { w.doubles(p.X, p.Y) }

func (w *writer) text(value, field string) {
	w.mustFit(len(value), 0, math.MaxUint16, field+" in bytes")
	w.data = binary.BigEndian.AppendUint16(w.data, uint16(len(value)))
	w.data = append(w.data, value...)
}
