package bonkmap

import (
	"errors"
	"fmt"
)

// Layer is the encoding layer of a map string in which an error was found.
type Layer string

// The layers of a map string, outermost first.
const (
	LayerPacked Layer = "packed string" // LZ-String
	LayerBase64 Layer = "base64"
	LayerBytes  Layer = "map bytes"
)

// ErrTooLarge is returned, wrapped in an [Error], for a map string that decompresses to more than 8
// MiB.
var ErrTooLarge = errors.New("the map is larger than 8 MiB")

// Error is the reason why a map string is invalid, and where.
type Error struct {
	Layer  Layer
	Offset int    // bytes into the layer
	Field  string // what was being read, empty outside of the map bytes
	Err    error
}

func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("bonkmap: %s, byte %d: %v", e.Layer, e.Offset, e.Err)
	}
	return fmt.Sprintf("bonkmap: %s, byte %d: %s: %v", e.Layer, e.Offset, e.Field, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
