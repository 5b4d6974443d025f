// Package pages is how services say what their pages show and which of them have
// changed, so that a gateway may keep pages and never shows an old one.
//
// A service that answers a page names the tags of what is on it (Show). When
// something changes, and after that is committed, it names the tags of what has
// changed (Notifier.Changed): whoever keeps a page with one of them drops it.
// Tags belong to the service that answers: "map:…" of the records service is
// what that service knows of the map, which may be news to it later than to others.
package pages

import (
	"context"
	"strings"

	"capzone.dev/platform/httpserve"
)

// Headers of a service's answer, for the gateway alone. Their values are tags,
// separated by spaces.
const (
	// ShownHeader names what a page shows.
	ShownHeader = "X-Pages-Shown"
	// ChangedHeader names what a request has changed, so that the gateway in
	// front of whoever changed it drops pages before it passes the answer on.
	ChangedHeader = "X-Pages-Changed"
)

// Tag names something that pages show.
type Tag string

// Tags that stand for lists and totals.
const (
	// Everything is on every page of the service.
	Everything Tag = "*"
	// Maps is which maps there are.
	Maps Tag = "maps"
	// MapRecords is how many records maps have, where maps are sorted by it.
	MapRecords Tag = "map-records"
	// AuthorNames is what authors are called, where maps are searched by it.
	AuthorNames Tag = "author-names"
	// Players is which players there are, and what they are sorted by.
	Players Tag = "players"
	// Runs is which runs there are.
	Runs Tag = "runs"
	// Totals are those of the whole site.
	Totals Tag = "totals"
)

// Map is what a service knows of a map, and what belongs to it.
func Map(id string) Tag { return Tag("map:" + strings.ToLower(id)) }

// Player is what a service knows of a player, and what belongs to them.
func Player(id string) Tag { return Tag("player:" + strings.ToLower(id)) }

// OfCopy are the tags of what changes with a copy of a player or a map that a
// service takes in: those given or, where the original is removed, Everything,
// since what belonged to it is another's or nobody's now.
func OfCopy(removed bool, tags ...Tag) []Tag {
	if removed {
		return []Tag{Everything}
	}
	return tags
}

// Show names what is on the page that answers the request of ctx. A page of
// which nothing is named is never kept.
func Show(ctx context.Context, tags ...Tag) { add(ctx, ShownHeader, tags) }

func add(ctx context.Context, header string, tags []Tag) {
	answer := httpserve.AnswerHeader(ctx)
	if answer == nil || len(tags) == 0 {
		return
	}
	var value strings.Builder
	value.WriteString(answer.Get(header))
	for _, tag := range tags {
		if value.Len() > 0 {
			value.WriteByte(' ')
		}
		value.WriteString(string(tag))
	}
	answer.Set(header, value.String())
}
