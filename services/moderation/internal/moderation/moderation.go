// Package moderation is the domain of the moderators' desk: reports, cases, claims, decisions, appeals, automatic flags
// and the audit log of all services.
//
// Reports of one thing are one case. A moderator claims a case and decides it. A decision changes nothing by itself: it
// is carried out by commands to the services that own the data, and it is carried out or refused when they say so.
//
// The package knows nothing of HTTP, SQL or NATS. Each use case declares the interfaces that it needs.
package moderation

import (
	"time"

	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/readable"
)

// Service is the name of the service in the audit log.
const Service = "moderation"

// Player is the copy of a player.
type Player = event.PlayerState

// Map is the copy of a version of a map.
type Map = event.MapState

// Players finds players by id.
type Players = *lookup.Lookup[Player]

// Maps finds versions of maps by id.
type Maps = *lookup.Lookup[Map]

// checkText returns a text without blanks around it, or errInvalid where it has less than least or more than most
// characters.
func checkText(text string, least, most int, errInvalid error) (string, error) {
	text, ok := readable.Text(text, least, most)
	if !ok {
		return "", errInvalid
	}
	return text, nil
}

// day is what limits per day count.
const day = 24 * time.Hour
