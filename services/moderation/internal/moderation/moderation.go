// Package moderation is the domain of the moderators' desk: reports, cases, claims, decisions, appeals, automatic flags
// and the audit log of all services.
//
// Reports of one thing are one case. A moderator claims a case and decides it. A decision changes nothing by itself: it
// is carried out by commands to the services that own the data, and it is carried out or refused when they say so.
//
// The package knows nothing of HTTP, SQL or NATS. Each use case declares the interfaces that it needs.
package moderation

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/access"
	"capzone.dev/platform/event"
	"capzone.dev/platform/lookup"
	"capzone.dev/platform/readable"
)

// SubjectKind says what a case or a decision is about, as the API names it.
type SubjectKind string

// The kinds of subjects.
const (
	OfRecord SubjectKind = "record"
	OfMap    SubjectKind = "map"
	OfPlayer SubjectKind = "player"
)

// SubjectKinds lists the kinds of subjects.
var SubjectKinds = []SubjectKind{OfRecord, OfMap, OfPlayer}

// Subject is what a case or a decision is about.
type Subject struct {
	Kind SubjectKind
	ID   string
	// PlayerID is whom it concerns: the player of the record, the author of the map, or the player. It is empty for a map
	// without a known author.
	PlayerID string
	// MapID is the map, or that of the record, and empty for a player.
	MapID string
	// FinishTime is that of a record, in milliseconds.
	FinishTime int64
}

// Service is the name of the service in the audit log.
const Service = "moderation"

// Thing is a subject as it is now.
type Thing struct {
	Subject Subject
	// Record is nil for another subject.
	Record *event.InspectedRecord
	// Map is that of a map, and nil for another subject.
	Map *Map
	// Player is the player whom the subject concerns, and nil where there is none.
	Player *Player
}

// isRemoved reports whether nobody sees the thing.
func (t Thing) isRemoved() bool {
	return t.Record != nil && (t.Record.Removed || t.Record.Hidden) || t.Map != nil && t.Map.Removed
}

// Player is the copy of a player.
type Player = event.PlayerState

// Map is the copy of a version of a map.
type Map = event.MapState

// Players finds players by id.
type Players = *lookup.Lookup[Player]

// Maps finds versions of maps by id.
type Maps = *lookup.Lookup[Map]

// Records is the service that owns records.
type Records interface {
	// Inspect returns a record, removed or not, or ErrSubjectUnknown, or a problem of kind unavailable.
	Inspect(ctx context.Context, recordID string) (event.InspectedRecord, error)
}

// Things finds subjects as they are now.
type Things struct {
	Players Players
	Maps    Maps
	Records Records
}

// Get returns a thing, also one that was removed. A merged player is the one merged into. It returns ErrSubjectUnknown,
// or a problem of kind unavailable.
func (t *Things) Get(ctx context.Context, kind SubjectKind, id string) (Thing, error) {
	if !event.IsID(id) || !slices.Contains(SubjectKinds, kind) {
		return Thing{}, ErrSubjectUnknown
	}
	thing := Thing{Subject: Subject{Kind: kind, ID: id}}
	subject := &thing.Subject
	switch kind {
	case OfRecord:
		record, err := t.Records.Inspect(ctx, id)
		if err != nil {
			return Thing{}, err
		}
		thing.Record = &record
		subject.PlayerID, subject.MapID, subject.FinishTime = record.PlayerID, record.MapID, record.FinishTime
	case OfMap:
		m, err := t.Maps.Get(ctx, id)
		switch {
		case errors.Is(err, event.ErrMapRemoved):
			m, err = t.Maps.Load(ctx, id)
		case errors.Is(err, event.ErrMapUnknown):
			err = ErrSubjectUnknown
		}
		if err != nil {
			return Thing{}, err
		}
		thing.Map = &m
		subject.PlayerID, subject.MapID = m.AuthorID, m.ID
	case OfPlayer:
		subject.PlayerID = id
	}
	return t.concerning(ctx, thing, subject.PlayerID)
}

// concerning returns a thing with the player whom it concerns, or without one where the id is empty. Its errors are
// those of Get.
func (t *Things) concerning(ctx context.Context, thing Thing, playerID string) (Thing, error) {
	thing.Player, thing.Subject.PlayerID = nil, ""
	if playerID == "" {
		return thing, nil
	}
	player, err := t.Players.Get(ctx, playerID)
	if errors.Is(err, event.ErrPlayerUnknown) {
		return Thing{}, ErrSubjectUnknown
	}
	if err != nil {
		return Thing{}, err
	}
	thing.Player, thing.Subject.PlayerID = &player, player.ID
	if thing.Subject.Kind == OfPlayer {
		thing.Subject.ID = player.ID
	}
	return thing, nil
}

// authorize returns an actor who may take an action, with the roles and the id that the player has now.
func authorize(
	ctx context.Context, by access.Actor, action access.Action, players Players,
) (access.Actor, error) {
	player, attribution, err := access.Authorize(ctx, access.Attribution{Actor: by}, action, players.Get)
	switch {
	case err != nil:
		return access.Actor{}, err
	case player.Deleted:
		return access.Actor{}, event.ErrPlayerDeleted
	}
	by = attribution.Actor
	by.ID, by.Name = player.ID, player.Name
	return by, nil
}

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
