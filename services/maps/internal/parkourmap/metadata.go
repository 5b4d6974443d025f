package parkourmap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/readable"
)

// maxDescriptionLength is the length of the longest description, in characters.
const maxDescriptionLength = 2000

// Metadata describes a submitted map, beside the replay and the image. A nil Description or Tags was
// left out.
type Metadata struct {
	// Mode is the mode of a map for which neither its data nor the label of the replay names one, or NoMode.
	Mode        bonkmap.Mode
	Description *string
	Tags        []string
	Medals      RequestedMedals
	// WrongOwnerReason is why the versions by other players than the map's author are wrong, or empty.
	WrongOwnerReason access.Reason
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

// keep gives an updated map what the metadata leave out and it had before.
func (d Metadata) keep(m *Map, before Map) {
	if d.Description == nil {
		m.Description = before.Description
	}
	if d.Tags == nil {
		m.Tags = before.Tags
	}
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

const (
	maxTags      = 10
	maxTagLength = 24 // characters
)

// normalTag returns the form in which a tag is stored and searched: composed characters
// (NFC), without what looks like nothing, trimmed, in lower case.
func normalTag(tag string) string {
	visible := strings.Map(func(r rune) rune {
		if readable.IsBlank(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, tag)
	return strings.ToLower(strings.TrimSpace(norm.NFC.String(visible)))
}

// parseTags normalises tags and drops empty and repeated ones. The order stays. Each mistake
// is reported once, and tags after the first one too many are not checked. A tag is as
// readable as a map's name: it has no control, format or invisible characters.
func parseTags(tags []string) ([]string, []problem.Field) {
	var invalid []problem.Field
	refuse := func(message string) {
		if field := (problem.Field{Field: "tags", Message: message}); !slices.Contains(invalid, field) {
			invalid = append(invalid, field)
		}
	}
	kept := []string{}
	for _, given := range tags {
		if len(kept) > maxTags {
			break
		}
		tag := normalTag(given)
		switch {
		case strings.TrimSpace(given) == "" || slices.Contains(kept, tag):
		case !readable.Is(tag):
			refuse("A tag cannot hold control or invisible characters.")
		case strings.Contains(tag, ","):
			refuse("A tag cannot hold a comma.")
		case utf8.RuneCountInString(tag) > maxTagLength:
			refuse(fmt.Sprintf("A tag has at most %d characters.", maxTagLength))
		default:
			kept = append(kept, tag)
		}
	}
	if len(kept) > maxTags {
		refuse(fmt.Sprintf("A map has at most %d tags.", maxTags))
	}
	return kept, invalid
}

// printable returns the visible characters of a text, at most limit.
func printable(text string, limit int) string {
	kept := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if runes := []rune(kept); len(runes) > limit {
		kept = string(runes[:limit])
	}
	return strings.TrimSpace(kept)
}
