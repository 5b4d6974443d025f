package lbreplay

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"capzone.dev/game/bonkmap"
	"capzone.dev/game/racetime"
)

// MapLabels are the values of a map that a replay repeats in labels.
type MapLabels struct {
	Name, Author string
	ID           int
	Mode         bonkmap.Mode
}

// LabelsOf returns the labels of a map.
func LabelsOf(m *bonkmap.Map) *MapLabels {
	return &MapLabels{Name: m.Name, Author: m.Author, ID: m.ID, Mode: m.Mode}
}

// Replay returns the replay without its Map. inData are the labels of the decoded map data, nil for a
// file without it. now is the time stamp of a replay without one. The errors are those of [Parse].
func (h *Header) Replay(inData *MapLabels, now time.Time) (*Replay, error) {
	r := &Replay{
		MapName: UnknownName, MapAuthor: UnknownName, MapID: UnknownMapID, GameMode: UnknownGameMode,
		PlayerName: UnknownName,
	}
	for _, text := range []struct {
		what  field
		into  *string
		limit int
	}{
		{fieldMapName, &r.MapName, maxText},
		{fieldMapAuthor, &r.MapAuthor, maxText},
		{fieldGameMode, &r.GameMode, maxText},
		{fieldPlayerName, &r.PlayerName, maxText},
		{fieldPlayerSkin, &r.PlayerSkin, MaxSkin},
		{fieldReplayVersion, &r.ReplayVersion, maxText},
		{fieldGameVersion, &r.GameVersion, maxText},
		{fieldMapData, &r.MapData, MaxLine},
	} {
		line, given := h.lines[text.what]
		if len(line.Value) > text.limit {
			return nil, &Error{Line: line.Number, Err: ErrTooLong}
		}
		if given {
			*text.into = strings.Clone(line.Value) // so that the file is not kept in memory
		}
	}
	if line, given := h.lines[fieldFinishTime]; given {
		ms, ok := finishTime(line.Value)
		if !ok {
			return nil, &Error{Line: line.Number, Err: ErrBadFinishTime}
		}
		r.FinishTime = ms
	}
	if id, ok := wholeNumber(h.lines[fieldMapID].Value); ok {
		r.MapID = id
	}
	r.PlayerLevel, _ = wholeNumber(h.lines[fieldPlayerLevel].Value)
	r.Validated = strings.EqualFold(h.lines[fieldValidated].Value, "true")
	r.Timestamp, r.Ahead, r.TimestampFault = timestamp(h.lines[fieldTimestamp].Value, now)
	r.TimestampMissing = h.lines[fieldTimestamp].Value == ""
	if mode, _ := bonkmap.ModeNamed(r.GameMode); mode.Parkour() {
		r.LabelMode = mode
	}
	if inData != nil {
		h.useMapData(r, inData)
	}
	return r, nil
}

const dayInMs = 24 * 60 * 60 * 1000

// finishTime parses a clock time or a whole number of milliseconds.
func finishTime(text string) (ms int, ok bool) {
	if strings.Contains(text, ":") {
		ms, err := racetime.Parse(text)
		return ms, err == nil && ms <= dayInMs
	}
	number, ok := digits(text, dayInMs)
	return racetime.Snap(int(number)), ok
}

// wholeNumber parses a level or an id, from 0 to 2³¹-1.
func wholeNumber(text string) (int, bool) {
	number, ok := digits(text, 1<<31-1)
	return int(number), ok
}

// digits parses a number of digits only that is at most most.
func digits(text string, most int64) (int64, bool) {
	if strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number > most {
		return 0, false
	}
	return number, true
}

var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

const (
	// Numbers below are seconds, which reach the year 5138; the others are milliseconds, which
	// begin in 1973.
	firstMilliseconds = 100_000_000_000
	lastMilliseconds  = 253_402_300_799_999 // the end of the year 9999
)

// timestamp returns the time stamp in text, in UTC and whole milliseconds. For an empty text, a faulty time stamp
// or one that is ahead of now it returns now.
func timestamp(text string, now time.Time) (_ time.Time, ahead time.Duration, _ TimestampFault) {
	when, ok := parseTimestamp(text)
	fault := NoTimestampFault
	switch {
	case text == "":
		when = now
	case !ok:
		when, fault = now, TimestampUnreadable
	case when.Before(Earliest):
		when, fault = now, TimestampTooOld
	case when.After(now):
		if ahead = when.Sub(now); ahead > MaxAhead {
			fault = TimestampAhead
		}
		when = now
	}
	return when.UTC().Truncate(time.Millisecond), ahead, fault
}

// parseTimestamp parses RFC 3339, or a number of seconds or milliseconds since 1970. It refuses a
// time that is not in the years 1 to 9999 in UTC, because RFC 3339 cannot express it.
func parseTimestamp(text string) (time.Time, bool) {
	if number, ok := digits(text, lastMilliseconds); ok {
		if number < firstMilliseconds {
			return time.Unix(number, 0), true
		}
		return time.UnixMilli(number), true
	}
	if !rfc3339.MatchString(text) {
		return time.Time{}, false
	}
	when, err := time.Parse(time.RFC3339, text)
	year := when.UTC().Year()
	return when, err == nil && year >= 1 && year <= 9999
}

// useMapData replaces the values of labels by those of the map data and records disagreements.
func (h *Header) useMapData(r *Replay, m *MapLabels) {
	for _, comparison := range []struct {
		subject Subject
		what    field
		data    string
		agrees  func(label, data string) bool
	}{
		{SubjectMapName, fieldMapName, m.Name, sameText},
		{SubjectMapAuthor, fieldMapAuthor, m.Author, sameName},
		{SubjectMapID, fieldMapID, strconv.Itoa(m.ID), sameID},
	} {
		line, given := h.lines[comparison.what]
		if given && line.Value != UnknownName && !comparison.agrees(line.Value, comparison.data) {
			r.Disagreements = append(r.Disagreements, Disagreement{
				Subject: comparison.subject, Line: line.Number, Label: strings.Clone(line.Value), Data: comparison.data,
			})
		}
	}
	r.MapName = strings.Trim(m.Name, spaces)
	r.MapAuthor = strings.Trim(m.Author, spaces)
	r.MapID = m.ID
	if m.Mode != bonkmap.NoMode {
		r.GameMode = m.Mode.String()
	}
}

// spaces are the characters that a label loses: blanks at its ends, and line breaks.
const spaces = " \t\r\n"

// sameText compares texts. The number of spaces between words is ignored.
func sameText(a, b string) bool { return singleSpaced(a) == singleSpaced(b) }

// sameName compares names of players. Case is ignored as well.
func sameName(a, b string) bool {
	return strings.EqualFold(singleSpaced(a), singleSpaced(b))
}

// sameID compares numbers as text without leading zeros.
func sameID(label, data string) bool {
	number, err := strconv.Atoi(label)
	return err == nil && strconv.Itoa(number) == data
}

func singleSpaced(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(spaces, r) })
	return strings.Join(words, " ")
}
