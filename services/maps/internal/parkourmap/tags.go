package parkourmap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"capzone.dev/platform/problem"
)

const (
	maxTags      = 10
	maxTagLength = 24 // characters
)

// normalTag returns the form in which a tag is stored and searched: composed characters
// (NFC), without what looks like nothing, trimmed, in lower case.
func normalTag(tag string) string {
	visible := strings.Map(func(r rune) rune {
		if isBlank(r) && !unicode.IsSpace(r) {
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
		case !isReadable(tag):
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
