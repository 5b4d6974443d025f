package lbreplay

import (
	"fmt"
	"strings"
	"time"

	"capzone.dev/game/bonkmap"
)

// maxUnknown bounds the unknown lines of a replay, which need many times their size in the file.
const maxUnknown = 256

// Parse parses a file. now is the time stamp of a replay without one. The error, if any, is an
// [*Error] and wraps one of the Err values of this package.
func Parse(file []byte, now time.Time) (*Replay, error) { return ParseWith(file, now, bonkmap.Decode) }

// ParseWith is Parse with a cache of maps: decode is [bonkmap.Decode] or returns an earlier result
// of it for the same map string. Only the name, author, mode and ids of the map are used.
func ParseWith(file []byte, now time.Time, decode func(mapString string) (*bonkmap.Map, error)) (*Replay, error) {
	if err := checkText(file); err != nil {
		return nil, err
	}
	p := parser{lines: make(map[field]Line), decode: decode}
	if err := p.collect(file); err != nil {
		return nil, err
	}
	if err := p.readMap(); err != nil {
		return nil, err
	}
	return p.replay(now)
}

// parser has the used line of each field.
type parser struct {
	lines   map[field]Line
	unknown []Line
	decode  func(string) (*bonkmap.Map, error)
	m       *bonkmap.Map
}

// collect finds the used lines.
func (p *parser) collect(file []byte) error {
	known := false
	for line := range labelled(file) {
		what := fieldOf(line.Label)
		if what == fieldUnknown {
			p.addUnknown(line)
			continue
		}
		known = true
		if line.Value != "" {
			p.putUnlessRepeated(what, line)
		}
	}
	if !known {
		return &Error{Err: ErrNotAReplay}
	}
	return nil
}

func (p *parser) addUnknown(line Line) {
	if len(p.unknown) < maxUnknown {
		p.unknown = append(p.unknown, Line{
			Number: line.Number, Label: strings.Clone(line.Label), Value: strings.Clone(line.Value),
		})
	}
}

// putUnlessRepeated uses the line that is first in the file.
func (p *parser) putUnlessRepeated(what field, line Line) {
	if first, repeated := p.lines[what]; !repeated || line.Number < first.Number {
		p.lines[what] = line
	}
}

// readMap decodes the map data. A line labelled "Map" is map data if it decodes, else the name.
// Decoding is slow, so only the first such line is tried.
func (p *parser) readMap() error {
	if line, given := p.lines[fieldMap]; given {
		m, err := p.decode(line.Value)
		if err != nil {
			p.putUnlessRepeated(fieldMapName, line)
		} else {
			p.putUnlessRepeated(fieldMapData, line)
			if p.lines[fieldMapData] == line {
				p.m = m
				return nil
			}
		}
	}
	line, given := p.lines[fieldMapData]
	if !given {
		return nil
	}
	m, err := p.decode(line.Value)
	if err != nil {
		return &Error{Line: line.Number, Err: fmt.Errorf("%w: %w", ErrBadMapData, err)}
	}
	p.m = m
	return nil
}
