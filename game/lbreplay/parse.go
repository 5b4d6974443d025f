package lbreplay

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"capzone.dev/game/bonkmap"
)

// Parse parses a file and decodes its map data. now is the time stamp of a replay without one. The
// error, if any, is an [*Error] and wraps one of the Err values of this package.
func Parse(file []byte, now time.Time) (*Replay, error) {
	header, err := ParseHeader(file)
	if err != nil {
		return nil, err
	}
	if header.MapData() == "" {
		return header.Replay(nil, now)
	}
	m, err := bonkmap.Decode(header.MapData())
	if err != nil {
		return nil, &Error{Line: header.lines[fieldMapData].Number, Err: fmt.Errorf("%w: %w", ErrBadMapData, err)}
	}
	replay, err := header.Replay(LabelsOf(m), now)
	if err != nil {
		return nil, err
	}
	replay.Map = m
	return replay, nil
}

// Header is a file whose map data is not decoded: decoding is most of the work of [Parse], and many
// replays are of the same map.
type Header struct {
	lines map[field]Line // the first line of each field
}

// ParseHeader parses the lines of a file. Its errors are those of [Parse].
func ParseHeader(file []byte) (*Header, error) {
	if len(file) > MaxFile {
		return nil, &Error{Err: ErrTooLarge}
	}
	file = decodeText(file)
	if err := checkText(file); err != nil {
		return nil, err
	}
	h := Header{lines: make(map[field]Line)}
	if err := h.collect(file); err != nil {
		return nil, err
	}
	h.resolveMap()
	return &h, nil
}

// MapData returns the map string, and an empty one where the file has none.
func (h *Header) MapData() string { return h.lines[fieldMapData].Value }

// collect finds the first line of each field.
func (h *Header) collect(file []byte) error {
	known := false
	for line := range labelled(file) {
		what := fieldOf(line.Label)
		if what == fieldUnknown {
			continue
		}
		known = true
		if line.Value != "" {
			h.putUnlessRepeated(what, line)
		}
	}
	if !known {
		return &Error{Err: ErrNotAReplay}
	}
	return nil
}

// putUnlessRepeated stores the line unless an earlier line of the file has the same field.
func (h *Header) putUnlessRepeated(what field, line Line) {
	if first, repeated := h.lines[what]; !repeated || line.Number < first.Number {
		h.lines[what] = line
	}
}

// resolveMap makes a line labelled "Map" the map data if it can be decoded, else the name. Decoding
// is slow, so only the first such line is tried.
func (h *Header) resolveMap() {
	line, given := h.lines[fieldMap]
	if !given {
		return
	}
	if _, err := bonkmap.Decode(line.Value); err != nil {
		h.putUnlessRepeated(fieldMapName, line)
		return
	}
	h.putUnlessRepeated(fieldMapData, line)
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

// UnknownLines returns the lines of a file whose labels are not known. Values are parts of one copy of the file.
func UnknownLines(file []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for line := range labelled(decodeText(file)) {
			if fieldOf(line.Label) == fieldUnknown && !yield(line) {
				return
			}
		}
	}
}

// decodeText returns a file in UTF-16 with a byte-order mark in UTF-8, and any other file as it is, also one with half
// a character of UTF-16.
func decodeText(file []byte) []byte {
	var order binary.ByteOrder
	switch {
	case len(file) < 2 || len(file)%2 != 0:
		return file
	case file[0] == 0xFF && file[1] == 0xFE:
		order = binary.LittleEndian
	case file[0] == 0xFE && file[1] == 0xFF:
		order = binary.BigEndian
	default:
		return file
	}
	units := make([]uint16, len(file)/2-1)
	for i := range units {
		units[i] = order.Uint16(file[2*i+2:])
	}
	text := utf16.Decode(units)
	if slices.Contains(text, unicode.ReplacementChar) && !slices.Contains(units, unicode.ReplacementChar) {
		return file
	}
	return []byte(string(text))
}

// checkText refuses a file that is not text.
func checkText(file []byte) error {
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
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
