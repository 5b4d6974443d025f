package notification

import (
	"context"
	"errors"
	"slices"
	"time"

	"capzone.dev/platform/event"
)

// NotifierStore reads followers, and stores notifications and what became of their causes.
type NotifierStore interface {
	// FollowersOfPlayer returns the ids of those who follow a player.
	FollowersOfPlayer(ctx context.Context, playerID string) ([]string, error)
	// FollowersOfMap returns the ids of those who follow a map, by the game's id.
	FollowersOfMap(ctx context.Context, gameMapID int64) ([]string, error)
	// Add adds the notifications that their receivers have not switched off, and publishes that there are new ones. It
	// leaves out those of banned players, and those that were added before. Merged receivers are followed.
	Add(ctx context.Context, notifications []Notification) error
	// SetRemoved stores that a record was removed or restored at a time, unless a later change is stored.
	SetRemoved(ctx context.Context, recordID string, removed bool, at time.Time) error
	// SetHidden stores that the records of a player were hidden or shown at a time, unless a later change is stored.
	SetHidden(ctx context.Context, playerID string, hidden bool, at time.Time) error
}

// Leaderboards is the service that owns leaderboards.
type Leaderboards interface {
	// Passed returns those of the players whom a record has passed. It returns none for an unknown record.
	Passed(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error)
	// Players returns everybody with a personal best on a version of a map. It returns none for an unknown map.
	Players(ctx context.Context, mapID string) ([]string, error)
}

// Notifier decides who is told of a change. Each method has its effect once when it is called once; its errors are
// temporary.
type Notifier struct {
	Store        NotifierStore
	Maps         Maps
	Leaderboards Leaderboards
	Now          func() time.Time
}

// RecordSubmitted tells of a submitted record.
func (n *Notifier) RecordSubmitted(ctx context.Context, fact event.RecordSubmitted) error {
	if !fact.PersonalBest {
		return nil
	}
	var audience Audience
	m, err := n.Maps.Get(ctx, fact.MapID)
	switch {
	case errors.Is(err, ErrMapUnknown), errors.Is(err, ErrMapRemoved): // nobody is told of a map that is gone
		return nil
	case err != nil:
		return err
	}
	audience.AuthorID = m.AuthorID
	if audience.OfPlayer, err = n.Store.FollowersOfPlayer(ctx, fact.PlayerID); err != nil {
		return err
	}
	if audience.OfMap, err = n.Store.FollowersOfMap(ctx, m.GameMapID); err != nil {
		return err
	}
	for some := range slices.Chunk(audience.OfPlayer, event.MaxRequestedPlayers) {
		passed, err := n.Leaderboards.Passed(ctx, fact.RecordID, some)
		if err != nil {
			return err
		}
		audience.Passed = append(audience.Passed, passed...)
	}
	return n.Store.Add(ctx, OfRecord(fact, audience))
}

// RecordRemoved marks the notifications of a removed record, and tells the player who holds the world record again.
func (n *Notifier) RecordRemoved(ctx context.Context, fact event.RecordRemoved) error {
	if err := n.Store.SetRemoved(ctx, fact.RecordID, true, fact.At); err != nil {
		return err
	}
	return n.Store.Add(ctx, OfRemoval(fact))
}

// RecordRestored undoes RecordRemoved.
func (n *Notifier) RecordRestored(ctx context.Context, fact event.RecordRestored) error {
	return n.Store.SetRemoved(ctx, fact.RecordID, false, fact.At)
}

// RecordsHidden marks the notifications of a hidden player's records, and tells those who hold world records again.
func (n *Notifier) RecordsHidden(ctx context.Context, fact event.RecordsHidden) error {
	if err := n.Store.SetHidden(ctx, fact.PlayerID, true, fact.At); err != nil {
		return err
	}
	return n.Store.Add(ctx, OfHiding(fact))
}

// RecordsShown undoes RecordsHidden.
func (n *Notifier) RecordsShown(ctx context.Context, fact event.RecordsShown) error {
	return n.Store.SetHidden(ctx, fact.PlayerID, false, fact.At)
}

// MapCreated tells of a new version of a map.
func (n *Notifier) MapCreated(ctx context.Context, fact event.MapCreated) error {
	if fact.SupersededID == "" {
		return nil
	}
	version, err := n.Maps.Get(ctx, fact.MapID)
	switch {
	case errors.Is(err, ErrMapUnknown), errors.Is(err, ErrMapRemoved):
		return nil
	case err != nil:
		return err
	}
	followers, err := n.Store.FollowersOfMap(ctx, version.GameMapID)
	if err != nil {
		return err
	}
	players, err := n.Leaderboards.Players(ctx, fact.SupersededID)
	if err != nil {
		return err
	}
	return n.Store.Add(ctx, OfVersion(fact, version, n.Now(), followers, players))
}
