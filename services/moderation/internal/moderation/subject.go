package moderation

import (
	"context"
	"errors"
	"slices"

	"capzone.dev/platform/event"
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

// Records is the service that owns records.
type Records interface {
	// Inspect returns a record, removed or not, or ErrSubjectUnknown, or a problem of kind unavailable.
	Inspect(ctx context.Context, q event.InspectRecord) (event.InspectedRecord, error)
}

// CopyStore has the copies of players and maps by their ids.
type CopyStore interface {
	Players(ctx context.Context, ids []string) (map[string]Player, error)
	Maps(ctx context.Context, ids []string) (map[string]Map, error)
}

// Things finds subjects as they are now.
type Things struct {
	Players Players
	Maps    Maps
	Copies  CopyStore
	Records Records
}

// Names returns the copies of players and maps, which name them. One of which there is none is left out.
func (t *Things) Names(
	ctx context.Context, playerIDs, mapIDs []string,
) (players map[string]Player, maps map[string]Map, err error) {
	if players, err = t.Copies.Players(ctx, playerIDs); err != nil {
		return nil, nil, err
	}
	maps, err = t.Copies.Maps(ctx, mapIDs)
	return players, maps, err
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
		record, err := t.Records.Inspect(ctx, event.InspectRecord{RecordID: id})
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
