package bonkmap

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"capzone.dev/game/lzstring"
)

// maxUnpacked bounds the base64 text in a map string, because a short string can decompress to a
// very long one.
const maxUnpacked = 8 << 20

// Decode parses a map string. The error, if any, is an [*Error].
func Decode(encoded string) (*Map, error) {
	text, err := lzstring.Decompress(encoded, maxUnpacked)
	if err != nil {
		return nil, packedError(err)
	}
	data, err := decodeBase64(text)
	if err != nil {
		return nil, err
	}
	return decodeBytes(data)
}

func packedError(err error) error {
	wrapped := &Error{Layer: LayerPacked, Err: err}
	if at := (*lzstring.Error)(nil); errors.As(err, &at) {
		wrapped.Offset, wrapped.Err = at.Offset, at.Err
	}
	if errors.Is(err, lzstring.ErrTooLong) {
		wrapped.Err = ErrTooLarge
	}
	return wrapped
}

// decodeBase64 decodes text with or without padding. It refuses line breaks, which encoding/base64 skips.
func decodeBase64(text []byte) ([]byte, error) {
	if at := bytes.IndexAny(text, "\r\n"); at >= 0 {
		return nil, &Error{Layer: LayerBase64, Offset: at, Err: errNotBase64}
	}
	encoding := base64.StdEncoding
	if len(text)%4 != 0 {
		encoding = base64.RawStdEncoding
	}
	data := make([]byte, encoding.DecodedLen(len(text)))
	size, err := encoding.Decode(data, text)
	if at := base64.CorruptInputError(0); errors.As(err, &at) {
		return nil, &Error{Layer: LayerBase64, Offset: int(at), Err: errNotBase64}
	}
	return data[:size], nil
}

var errNotBase64 = errors.New("a character that base64 does not have here")

// decodeBytes reads the innermost layer. Like the game, it ignores bytes after the last joint.
func decodeBytes(data []byte) (*Map, error) {
	c, m := codec{data: data}, &Map{}
	c.settings(&m.Settings)
	c.facts(m)
	c.physics(m)
	if c.err != nil {
		return nil, c.err
	}
	m.Version = c.version
	return m, nil
}

// Encode returns a map string of version 15. It returns an [*Error] or, for more than 8 MiB,
// [ErrTooLarge]: for exactly the maps that [Decode] would not read back.
func Encode(m *Map) (string, error) {
	data, err := encodeBytes(m)
	if err != nil {
		return "", err
	}
	text := base64.StdEncoding.EncodeToString(data)
	if len(text) > maxUnpacked {
		return "", ErrTooLarge
	}
	return lzstring.Compress(text), nil
}

// encodeBytes writes the innermost layer.
func encodeBytes(m *Map) ([]byte, error) {
	c := codec{writing: true}
	c.settings(&m.Settings)
	c.facts(m)
	c.physics(m)
	if c.err != nil {
		return nil, c.err
	}
	return c.data, nil
}

// Fingerprint identifies how a map plays.
type Fingerprint [sha256.Size]byte

// String returns the fingerprint in hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// One of the schemes is hashed first. It must change with what is hashed below, which invalidates
// the stored fingerprints.
const (
	schemeWithoutCheckpoints = "bonkmap physics 1\n"
	schemeWithCheckpoints    = "bonkmap physics 2\n"
)

// PhysicsFingerprint returns a hash of everything that affects how the map plays. Finish times on
// two maps with the same fingerprint are comparable.
//
// It covers the settings, the mode, the scale, and every shape, fixture, body, spawn, capture zone
// and joint in the order of the map, and which capture zones are named as checkpoints. It leaves
// out all other names (of the map, its people, its parts), colours, votes, ids, the remix credit,
// whether the map is published, the order of drawing, whether a joint's line is drawn, the editor's
// grid, and the format's version. Fields that an old version lacks have the game's default.
// Negative zero is hashed as zero. Maps without checkpoints have the fingerprints of scheme 1,
// which did not cover names at all.
func (m *Map) PhysicsFingerprint() Fingerprint {
	c := codec{writing: true, canonical: true}
	c.settings(&m.Settings)
	text(&c, &m.Mode, "mode")
	c.physics(m)
	checkpoints := m.checkpoints()
	if !slices.Contains(checkpoints, true) {
		return sha256.Sum256(append([]byte(schemeWithoutCheckpoints), c.data...))
	}
	for i := range checkpoints {
		c.bool(&checkpoints[i], "checkpoint")
	}
	return sha256.Sum256(append([]byte(schemeWithCheckpoints), c.data...))
}

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

// Error is the reason why a map string is invalid, or why a map cannot be encoded, and where.
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
