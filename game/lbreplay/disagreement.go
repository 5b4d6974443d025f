package lbreplay

import (
	"strconv"
	"strings"

	"capzone.dev/game/bonkmap"
)

// useMapData replaces the values of labels by those of the map data and records disagreements.
func (p *parser) useMapData(r *Replay) {
	m := r.Map
	for _, claim := range []struct {
		subject Subject
		what    field
		data    string
		agrees  func(label, data string) bool
	}{
		{SubjectMapName, fieldMapName, m.Name, sameText},
		{SubjectMapAuthor, fieldMapAuthor, m.Author, sameName},
		{SubjectMapID, fieldMapID, strconv.Itoa(m.ID), sameID},
		{SubjectGameMode, fieldGameMode, m.Mode.String(), sameMode},
	} {
		line, given := p.lines[claim.what]
		if given && !isPlaceholder(line.Value) && !claim.agrees(line.Value, claim.data) {
			r.Disagreements = append(r.Disagreements, Disagreement{
				Subject: claim.subject, Line: line.Number, Label: strings.Clone(line.Value), Data: claim.data,
			})
		}
	}
	r.MapName = strings.Trim(m.Name, spaces)
	r.MapAuthor = strings.Trim(m.Author, spaces)
	r.MapID = m.ID
	r.GameMode = m.Mode.String()
}

// isPlaceholder reports whether the mod writes the label for an unknown value.
func isPlaceholder(label string) bool {
	return label == UnknownName || label == UnknownGameMode
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

// sameMode accepts every spelling of a mode's name.
func sameMode(label, data string) bool {
	mode, known := bonkmap.ModeNamed(label)
	return known && mode.String() == data || label == data
}

func singleSpaced(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(spaces, r) })
	return strings.Join(words, " ")
}
