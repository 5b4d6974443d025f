package parkourmap

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"capzone.dev/platform/problem"
)

// maxDescriptionLength is the length of the longest description, in characters.
const maxDescriptionLength = 2000

// Metadata describes a submitted map, beside the replay and the image. A nil Description or Tags was
// left out.
type Metadata struct {
	Description *string
	Tags        []string
	Medals      RequestedMedals
}

// apply completes a map with the metadata. Only a submitter who may set medal times gives the map any. It returns
// ErrMedalsNotAuthor, or ErrMetadataRefused with all invalid fields.
func (d Metadata) apply(m *Map, setsMedals bool, finishTime int) error {
	if !setsMedals && !d.Medals.isEmpty() {
		return ErrMedalsNotAuthor
	}
	var invalid, more []problem.Field
	if d.Description != nil {
		m.Description, invalid = parseDescription(*d.Description)
	}
	m.Tags, more = parseTags(d.Tags)
	invalid = append(invalid, more...)
	if setsMedals {
		medals, more := medalsByAuthor(finishTime, d.Medals)
		invalid = append(invalid, more...)
		m.Medals = &medals
	}
	if len(invalid) > 0 {
		refused := *ErrMetadataRefused
		refused.Fields = invalid
		return &refused
	}
	return nil
}

// parseDescription trims a description, unifies its line breaks and removes the characters
// that are invisible or change the direction of the text around them (Unicode category Cf).
func parseDescription(text string) (string, []problem.Field) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	text = strings.TrimSpace(removeFormatting(text))
	var invalid []problem.Field
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		invalid = append(invalid, problem.Field{
			Field: "description", Message: "The description cannot hold control characters.",
		})
	}
	if utf8.RuneCountInString(text) > maxDescriptionLength {
		invalid = append(invalid, problem.Field{
			Field: "description", Message: fmt.Sprintf("The description has at most %d characters.", maxDescriptionLength),
		})
	}
	return text, invalid
}

// zeroWidthJoiner joins emoji and letters of several scripts. Between two visible characters
// it is part of how they are written.
const zeroWidthJoiner = '\u200d'

// removeFormatting removes the format characters of a text: bidirectional controls,
// zero-width spaces, byte order marks and tags. A joiner stays between two characters that
// are not in ASCII.
func removeFormatting(text string) string {
	runes := []rune(text)
	kept := make([]rune, 0, len(runes))
	for i, r := range runes {
		joins := r == zeroWidthJoiner && i > 0 && i+1 < len(runes) &&
			runes[i-1] > unicode.MaxASCII && runes[i+1] > unicode.MaxASCII
		if !unicode.Is(unicode.Cf, r) || joins {
			kept = append(kept, r)
		}
	}
	return string(kept)
}
