package bonkmap

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"

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

// decoder reads the parts of a map in the order of the format.
type decoder struct {
	reader
	m Map
}

// decodeBytes reads the innermost layer. Like the game, it ignores bytes after the last joint.
func decodeBytes(data []byte) (*Map, error) {
	d := decoder{reader: reader{data: data}}
	d.settings()
	d.facts()
	d.physics()
	if d.err != nil {
		return nil, d.err
	}
	return &d.m, nil
}

// settings reads up to the names. Fields that older versions lack get the game's defaults.
func (d *decoder) settings() {
	m := &d.m
	m.ID, m.DatabaseVersion = -1, 2
	s := &m.Settings
	s.PhysicsQuality, s.EditorGridPixels = 1, 25

	m.Version = d.short("version")
	if d.err == nil && (m.Version < 1 || m.Version > Version) {
		d.failAt(0, "version", fmt.Errorf("%d is not between 1 and %d", m.Version, Version))
		return
	}
	s.RespawnOnDeath = d.bool("respawn on death")
	s.PlayersDontMeet = d.bool("players don't collide")
	if d.since(3) {
		s.PhysicsQuality = d.short("physics quality")
	}
	switch {
	case d.since(13):
		s.EditorGridPixels = d.float("grid size")
	case d.since(4):
		s.EditorGridPixels = float32(d.short("grid size"))
	}
	if d.since(9) {
		s.PlayersCanFly = d.bool("players can fly")
	}
}

// facts reads the fields about the map that do not affect physics.
func (d *decoder) facts() {
	m := &d.m
	m.RemixOf.Name = d.text("name of the original")
	m.RemixOf.Author = d.text("author of the original")
	m.RemixOf.ID = d.uint("id of the original")
	m.RemixOf.DatabaseVersion = d.short("database version of the original")
	m.Name = d.text("name")
	m.Author = d.text("author")
	if d.since(10) {
		m.VotesUp = d.uint("votes up")
		m.VotesDown = d.uint("votes down")
	}
	if d.since(4) {
		m.Contributors = list(&d.reader, 2, "contributor", func(int) string { return d.text("name") })
		d.inThing("", None)
	}
	if d.since(5) {
		m.Mode = Mode(d.text("mode"))
		m.ID = d.int("map id")
	}
	if d.since(7) {
		m.Published = d.bool("published")
	}
	if d.since(8) {
		m.DatabaseVersion = d.int("database version")
	}
}

func (d *decoder) since(version int) bool { return d.m.Version >= version }
