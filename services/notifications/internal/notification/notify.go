package notification

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"capzone.dev/platform/event"
)

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
	// Apply adds the notifications that Receivers.Select returns and that were not added before, and publishes Added. One
	// that Replaces others replaces the older one with the same cause. A removal is stored unless a later one is stored,
	// and what a record has cost a player once.
	Apply(ctx context.Context, effect Effect) error
}

// Records is the service that owns records.
type Records interface {
	// FindPassed returns those of the players whom a record has passed. It returns none for an unknown record.
	FindPassed(ctx context.Context, recordID string, playerIDs []string) ([]event.MovedPlayer, error)
	// ListPlayers returns everybody with a personal best on a version of a map. It returns none for an unknown map.
	ListPlayers(ctx context.Context, mapID string) ([]string, error)
}

// Notifier decides who is told of a change. It changes nothing and may ask other services, so that it is used before
// the transaction of the effect. Its errors are temporary.
type Notifier struct {
	Followers Followers
	Maps      Maps
	Records   Records
	Now       func() time.Time
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
		passed, err := n.Records.FindPassed(ctx, fact.RecordID, some)
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
		some, err := n.Records.ListPlayers(ctx, id)
		if err != nil {
			return Effect{}, err
		}
		players = append(players, some...)
	}
	return Effect{Notifications: OfVersion(fact, version, event.InMillis(n.Now()), followers, players)}, nil
}

// Receiver is who is to get a notification, read under the lock of merges: the player whom it names, or whom the player
// was merged into.
type Receiver struct {
	ID string
	// PlayerID is whose record caused the notification, or whom that player was merged into, and empty where no record
	// did.
	PlayerID            string
	IsBanned, IsDeleted bool
	// Delivery is what the receiver has chosen for the kind, and empty without a choice.
	Delivery Delivery
}

// gets reports whether the receiver gets a notification of a kind. Banned players are told of decisions about them
// alone, and nobody is told of the own records, whose player may have been merged into the receiver.
func (r Receiver) gets(kind Kind) bool {
	return !r.IsDeleted && r.Delivery != Off && r.ID != r.PlayerID &&
		(!r.IsBanned || kind == Moderated || kind == AppealAnswered)
}

// Receivers are the receivers of notifications, one for each.
type Receivers []Receiver

// Select returns the notifications for those who get them, in the order of the receivers, in which inboxes are locked.
// Of several with the same receiver and cause it returns the first.
func (r Receivers) Select(notifications []Notification) (selected []Notification) {
	type key struct{ receiverID, causeID string }
	seen := map[key]bool{}
	for i, n := range notifications {
		to := r[i]
		k := key{to.ID, n.CauseID}
		if !to.gets(n.Kind) || seen[k] {
			continue
		}
		seen[k] = true
		if n.GroupID == n.PlayerID {
			n.GroupID = to.PlayerID
		}
		n.ReceiverID, n.PlayerID = to.ID, to.PlayerID
		selected = append(selected, n)
	}
	slices.SortStableFunc(selected, func(a, b Notification) int { return strings.Compare(a.ReceiverID, b.ReceiverID) })
	return selected
}

// Replaces reports whether the notification replaces older ones of the receiver with the same kind and cause. A world
// record is lost, or held again, twice where the record that has broken it was removed and restored, or hidden and
// shown.
func (n Notification) Replaces() bool { return n.Kind == RecordLost || n.Kind == RecordRegained }

// Added returns the facts that notifications were added, one for each kind.
func Added(added []Notification, at time.Time) (facts []event.NotificationsAdded) {
	for _, kind := range Kinds {
		var receivers []string
		for _, n := range added {
			if n.Kind == kind {
				receivers = append(receivers, n.ReceiverID)
			}
		}
		if len(receivers) > 0 {
			slices.Sort(receivers)
			facts = append(facts, event.NotificationsAdded{
				PlayerIDs: slices.Compact(receivers), Kind: string(kind), At: event.InMillis(at),
			})
		}
	}
	return facts
}
