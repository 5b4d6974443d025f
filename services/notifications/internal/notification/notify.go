package notification

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// Effect is what a fact changes.
type Effect struct {
	Notifications []Notification
	// Causes says which causes of notifications were removed or restored: a record, and what a player holds on maps, under
	// the causes of OfHiding and OfShowing.
	Causes []Removal
	// Player says that the records of a player were hidden or shown. It may be nil.
	Player *Removal
	// PointsLost is what records have cost players.
	PointsLost []PointsLost
	// Sequence is the place of the fact in its stream, or 0 where none has caused the effect.
	Sequence uint64
}

// IsEmpty reports whether the fact changes nothing.
func (e Effect) IsEmpty() bool {
	return len(e.Notifications) == 0 && len(e.Causes) == 0 && e.Player == nil && len(e.PointsLost) == 0
}

// PointsLost is what a record has cost a player whom it has passed, in tenths of points on the record's map.
type PointsLost struct {
	PlayerID, RecordID string
	Points             int64
	// At is when the points were computed.
	At time.Time
}

// Removal says what became of a cause of notifications, or of the records of a player.
type Removal struct {
	ID string
	// Removed is false after a restoration.
	Removed bool
	At      time.Time
}

// Followers reads who follows, and what a map that is followed consists of.
type Followers interface {
	// FollowersOfPlayer returns the ids of those who follow a player.
	FollowersOfPlayer(ctx context.Context, playerID string) ([]string, error)
	// FollowersOfMap returns the ids of those who follow a map, by the game's id.
	FollowersOfMap(ctx context.Context, gameMapID int64) ([]string, error)
	// Versions returns the ids of the versions of a map that are not removed, by the game's id.
	Versions(ctx context.Context, gameMapID int64) ([]string, error)
}

// EffectStore stores effects.
type EffectStore interface {
	// Apply adds the notifications that their receivers have not switched off, and publishes that there are new ones. It
	// leaves out those of banned players, except about decisions, those that were added before, and all but the first for
	// a receiver and a cause. A later RecordLost or RecordRegained replaces the one with the same cause. Merged players
	// are followed. A removal is stored unless a later one is stored, and what a record has cost a player once.
	Apply(ctx context.Context, effect Effect) error
}

// Leaderboards is the service that owns leaderboards.
type Leaderboards interface {
	// Passed returns those of the players whom a record has passed. It returns none for an unknown record.
	Passed(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error)
	// Players returns everybody with a personal best on a version of a map. It returns none for an unknown map.
	Players(ctx context.Context, mapID string) ([]string, error)
}

// Notifier decides who is told of a change. It changes nothing and may ask other services, so that it is used before
// the transaction of the effect. Its errors are temporary.
type Notifier struct {
	Followers    Followers
	Maps         Maps
	Leaderboards Leaderboards
	Now          func() time.Time
}

// RecordSubmitted tells of a submitted record.
func (n *Notifier) RecordSubmitted(ctx context.Context, fact event.RecordSubmitted) (Effect, error) {
	if !fact.PersonalBest {
		return Effect{}, nil
	}
	m, err := n.Maps.Get(ctx, fact.MapID)
	switch {
	case errors.Is(err, ErrMapUnknown), errors.Is(err, ErrMapRemoved): // no player is told of a map that is gone
		return Effect{}, nil
	case err != nil:
		return Effect{}, err
	}
	audience := Audience{AuthorID: m.AuthorID}
	if audience.OfPlayer, err = n.Followers.FollowersOfPlayer(ctx, fact.PlayerID); err != nil {
		return Effect{}, err
	}
	if audience.OfMap, err = n.Followers.FollowersOfMap(ctx, m.GameMapID); err != nil {
		return Effect{}, err
	}
	for some := range slices.Chunk(audience.OfPlayer, event.MaxRequestedPlayers) {
		passed, err := n.Leaderboards.Passed(ctx, fact.RecordID, some)
		if err != nil {
			return Effect{}, err
		}
		audience.Passed = append(audience.Passed, passed...)
	}
	return Effect{Notifications: OfRecord(fact, audience)}, nil
}

// MapCreated tells of a new version of a map.
func (n *Notifier) MapCreated(ctx context.Context, fact event.MapCreated) (Effect, error) {
	if fact.SupersededID == "" { // the first version
		return Effect{}, nil
	}
	version, err := n.Maps.Get(ctx, fact.MapID)
	switch {
	case errors.Is(err, ErrMapUnknown), errors.Is(err, ErrMapRemoved):
		return Effect{}, nil
	case err != nil:
		return Effect{}, err
	}
	followers, err := n.Followers.FollowersOfMap(ctx, version.GameMapID)
	if err != nil {
		return Effect{}, err
	}
	versions, err := n.Followers.Versions(ctx, version.GameMapID)
	if err != nil {
		return Effect{}, err
	}
	if !slices.Contains(versions, fact.SupersededID) { // the copy of it may be behind
		versions = append(versions, fact.SupersededID)
	}
	var players []string
	for _, id := range versions {
		if id == fact.MapID {
			continue
		}
		some, err := n.Leaderboards.Players(ctx, id)
		if err != nil {
			return Effect{}, err
		}
		players = append(players, some...)
	}
	return Effect{Notifications: OfVersion(fact, version, n.Now(), followers, players)}, nil
}
