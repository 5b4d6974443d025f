package parkourmap

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"capzone.dev/platform/problem"
)

// What a map's tags may be.
const (
	MaxTags      = 10
	MaxTagLength = 24 // characters
)

// NormalTag is the form in which a tag is kept and searched: trimmed and lower-cased.
func NormalTag(tag string) string {
	return strings.ToLower(strings.TrimSpace(tag))
}

// normalTags normalises tags, and drops empty ones and repetitions. The order
// stays. Each fault is told once, and what comes after one tag too many is not
// looked at.
func normalTags(tags []string) ([]string, []problem.Field) {
	var faults []problem.Field
	refuse := func(message string) {
		if fault := (problem.Field{Field: "tags", Message: message}); !slices.Contains(faults, fault) {
			faults = append(faults, fault)
		}
	}
	kept := []string{}
	for _, tag := range tags {
		if len(kept) > MaxTags {
			break
		}
		tag = NormalTag(tag)
		switch {
		case tag == "" || slices.Contains(kept, tag):
		case !utf8.ValidString(tag) || strings.ContainsFunc(tag, unicode.IsControl):
			refuse("A tag cannot hold control characters.")
		case strings.Contains(tag, ","):
			refuse("A tag cannot hold a comma.")
		case utf8.RuneCountInString(tag) > MaxTagLength:
			refuse(fmt.Sprintf("A tag has at most %d characters.", MaxTagLength))
		default:
			kept = append(kept, tag)
		}
	}
	if len(kept) > MaxTags {
		refuse(fmt.Sprintf("A map has at most %d tags.", MaxTags))
	}
	return kept, faults
}
