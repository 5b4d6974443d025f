package lbreplay

import (
	"fmt"
	"strings"
	"time"

	"capzone.dev/game/bonkmap"
)

// maxUnknown bounds how many unknown lines a replay keeps: a file of nothing else
// would take many times its own size.
const maxUnknown = 256

// Parse reads a file. Now is the time of a run whose file does not tell it. The
// error, if any, is an [*Error] and wraps one of the Err values of this package.
func Parse(file []byte, now time.Time) (*Replay, error) { return ParseWith(file, now, bonkmap.Decode) }

// ParseWith is Parse for a caller who has seen many replays of the same maps: decode
// is [bonkmap.Decode], or finds again what that has returned for a map string before.
// Of a map nothing is read but its name, author, mode and ids.
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

// parser holds the line that counts for each field.
type parser struct {
	lines   map[field]Line
	unknown []Line
	decode  func(string) (*bonkmap.Map, error)
	m       *bonkmap.Map
}

// collect finds the lines that count.
func (p *parser) collect(file []byte) error {
	known := false
	for line := range labelled(file) {
		what := fieldOf(line.Label)
		if what == fieldUnknown {
			p.keepUnknown(line)
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

func (p *parser) keepUnknown(line Line) {
	if len(p.unknown) < maxUnknown {
		p.unknown = append(p.unknown, Line{
			Number: line.Number, Label: strings.Clone(line.Label), Value: strings.Clone(line.Value),
		})
	}
}

// putUnlessRepeated keeps the line that comes first in the file.
func (p *parser) putUnlessRepeated(what field, line Line) {
	if first, repeated := p.lines[what]; !repeated || line.Number < first.Number {
		p.lines[what] = line
	}
}

// readMap decodes the map data. A line labelled "Map" is data if it decodes, else
// the name; decoding is dear, so only the first such line is tried.
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
