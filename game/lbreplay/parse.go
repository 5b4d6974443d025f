package lbreplay

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

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

// parser has the first line of each field.
type parser struct {
	lines   map[field]Line
	unknown []Line
	decode  func(string) (*bonkmap.Map, error)
	m       *bonkmap.Map
}

// collect finds the first line of each field, and the unknown lines.
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

// putUnlessRepeated stores the line unless an earlier line of the file has the same field.
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

// field is the meaning of a known label.
type field int

const (
	fieldUnknown field = iota
	fieldMap           // map data if it can be decoded, else a name
	fieldMapName
	fieldMapAuthor
	fieldMapID
	fieldMapData
	fieldGameMode
	fieldFinishTime
	fieldPlayerName
	fieldPlayerLevel
	fieldPlayerSkin
	fieldValidated
	fieldReplayVersion
	fieldGameVersion
	fieldTimestamp
)

// fields maps the accepted labels, without separators, to fields.
var fields = map[string]field{
	"map":            fieldMap,
	"mapname":        fieldMapName,
	"mapauthor":      fieldMapAuthor,
	"author":         fieldMapAuthor,
	"mapid":          fieldMapID,
	"mapdata":        fieldMapData,
	"encodedmapdata": fieldMapData,
	"gamemode":       fieldGameMode,
	"mode":           fieldGameMode,
	"finishtime":     fieldFinishTime,
	"time":           fieldFinishTime,
	"playername":     fieldPlayerName,
	"player":         fieldPlayerName,
	"playerlevel":    fieldPlayerLevel,
	"level":          fieldPlayerLevel,
	"playerskin":     fieldPlayerSkin,
	"skin":           fieldPlayerSkin,
	"validated":      fieldValidated,
	"replayversion":  fieldReplayVersion,
	"modversion":     fieldReplayVersion,
	"gameversion":    fieldGameVersion,
	"timestamp":      fieldTimestamp,
	"date":           fieldTimestamp,
}

// maxLabel is longer than any known label with separators, in bytes.
const maxLabel = 64

var separators = strings.NewReplacer(" ", "", "\t", "", "_", "", "-", "")

func fieldOf(label string) field {
	if len(label) > maxLabel {
		return fieldUnknown
	}
	return fields[strings.ToLower(separators.Replace(label))]
}

// The limits of a file, in bytes.
const (
	MaxFile = 5 << 20
	MaxLine = 4 << 20
	MaxSkin = 16 << 10
	maxText = 1 << 10 // names, modes and versions
)

const (
	byteOrderMark = "\uFEFF"
	blanks        = " \t"
)

// checkText refuses a file that is too large or not text.
func checkText(file []byte) error {
	switch {
	case len(file) > MaxFile:
		return &Error{Err: ErrTooLarge}
	case !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0:
		return &Error{Err: ErrNotText}
	}
	number := 0
	for line := range bytes.Lines(file) {
		number++
		if len(bytes.TrimRight(line, "\r\n")) > MaxLine {
			return &Error{Line: number, Err: ErrLineTooLong}
		}
	}
	return nil
}

// labelled returns the lines of a file that have a colon, as label and value without surrounding blanks.
func labelled(file []byte) iter.Seq[Line] {
	text := strings.TrimPrefix(string(file), byteOrderMark)
	return func(yield func(Line) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			label, value, found := strings.Cut(line, ":")
			if !found {
				continue
			}
			if !yield(Line{Number: number, Label: strings.Trim(label, blanks), Value: strings.Trim(value, blanks)}) {
				return
			}
		}
	}
}
