package parkourmap

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"capzone.dev/game/bonkmap"
	"capzone.dev/platform/access"
	"capzone.dev/platform/problem"
	"capzone.dev/platform/readable"
)

// maxDescriptionLength is the length of the longest description, in characters. Sentences repeat these limits.
const maxDescriptionLength = 2000

// Metadata describes a submitted map, beside the replay and the image. A nil Description or Tags was left out.
type Metadata struct {
	// Mode is the mode of a map for which neither its data nor the label of the replay names one, or NoMode.
	Mode        bonkmap.Mode
	Description *string
	Tags        []string
	Medals      RequestedMedals
	// WrongOwnerReason is why the versions by other players than the map's author are wrong, as it was sent, or empty.
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
		return ErrMetadataRefused.WithFields(invalid)
	}
	return nil
}

// parseDescription trims a description, unifies its line breaks and removes what readable.Clean does.
func parseDescription(text string) (string, []problem.Field) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	text = strings.TrimSpace(readable.Clean(text))
	var invalid []problem.Field
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		invalid = append(invalid, problem.Field{
			Field: "description", Code: "description_characters",
			Message: "The description cannot hold control characters.",
		})
	}
	if readable.Length(text) > maxDescriptionLength {
		invalid = append(invalid, problem.Field{
			Field: "description", Code: "description_length", Message: "The description has at most 2000 characters.",
		})
	}
	return text, invalid
}

const (
	maxTags      = 10
	maxTagLength = 24 // characters
)

// normalTag returns the form in which a tag is stored and searched: composed characters (NFC), without
// invisible ones that join no others, trimmed, in lower case.
func normalTag(tag string) string {
	const joiner = '\u200d'
	runes := []rune(tag)
	var visible strings.Builder
	for i, r := range runes {
		isBeforeJoiner := i+1 < len(runes) && runes[i+1] == joiner
		if !readable.IsBlank(r) || unicode.In(r, unicode.Cf, unicode.White_Space) || isBeforeJoiner {
			visible.WriteRune(r)
		}
	}
	return strings.ToLower(strings.TrimSpace(norm.NFC.String(visible.String())))
}

// parseTags normalises tags and drops empty and repeated ones. The order stays. Each mistake
// is reported once, and tags after the first one too many are not checked. A tag is as
// readable as a map's name: it has no control, format or invisible characters.
func parseTags(tags []string) ([]string, []problem.Field) {
	var invalid []problem.Field
	refuse := func(field problem.Field) {
		if !slices.Contains(invalid, field) {
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
			refuse(problem.Field{
				Field: "tags", Code: "tag_characters", Message: "A tag cannot hold control or invisible characters.",
			})
		case strings.Contains(tag, ","):
			refuse(problem.Field{Field: "tags", Code: "tag_comma", Message: "A tag cannot hold a comma."})
		case readable.Length(tag) > maxTagLength:
			refuse(problem.Field{Field: "tags", Code: "tag_length", Message: "A tag has at most 24 characters."})
		default:
			kept = append(kept, tag)
		}
	}
	if len(kept) > maxTags {
		refuse(problem.Field{Field: "tags", Code: "too_many_tags", Message: "A map has at most 10 tags."})
	}
	return kept, invalid
}

// printable returns the characters of a text that can be shown, at most limit.
func printable(text string, limit int) string {
	kept := readable.Printable(text)
	if runes := []rune(kept); len(runes) > limit {
		kept = string(runes[:limit])
	}
	return strings.TrimSpace(kept)
}
